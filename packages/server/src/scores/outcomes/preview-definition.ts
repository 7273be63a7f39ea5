import {
  type Condition,
  type OutcomePreview,
  RUN_OUTCOMES,
  type RunOutcomeName,
} from "@whytrace/contract/schemas/outcomes";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { HttpError } from "../../http/http-error.ts";
import { askedNames } from "../../outcomes/judged-run.ts";
import { readDefinitions } from "../../outcomes/read-definitions.ts";
import { type JudgedTrace, judgeStoredTraces } from "../../trace-store/outcomes/judge-stored-traces.ts";
import { parseMetadata } from "../../trace-store/outcomes/outcome-columns.ts";
import { splitBySize } from "../../trace-store/outcomes/split-by-size.ts";

const MAX_RUNS = 5_000;
const MAX_DAYS = 30;
const RUNS_AT_ONCE = 500;
const MAX_MS = 2_000;
const MAX_EXAMPLES = 10;

/** Says what a definition would change among the newest runs, and saves nothing. */
export async function previewDefinition(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  { agent, bad }: { agent: string | null; bad: Condition[] },
): Promise<OutcomePreview> {
  const startedAt = performance.now();
  const previewed = { agent, version: 0, bad };
  const names = new Set(bad.flatMap((condition) => (condition.kind === "score" ? condition.name : [])));
  const judged: JudgedTrace[] = [];
  const ids = await reads.run(workspaceId, (db) => newestRuns(db, workspaceId, agent));
  for (let start = 0; start < Math.min(ids.length, MAX_RUNS); start += RUNS_AT_ONCE) {
    if (performance.now() - startedAt > MAX_MS) throw HttpError.timedOut();
    const chunk = ids.slice(start, Math.min(start + RUNS_AT_ONCE, MAX_RUNS));
    const some: JudgedTrace[] = [];
    for (const ids of await reads.run(workspaceId, (db) => splitBySize(db, workspaceId, chunk), {
      isContinued: true,
    })) {
      if (performance.now() - startedAt > MAX_MS) throw HttpError.timedOut();
      const part = await reads.run(
        workspaceId,
        (db) => judgeStoredTraces(db, workspaceId, ids, () => previewed),
        { isContinued: true },
      );
      some.push(...part.map((one) => withoutRepeats(one, names)));
    }
    const order = new Map(chunk.map((id, index) => [id, index]));
    judged.push(...some.sort((a, b) => (order.get(a.row.id) ?? 0) - (order.get(b.row.id) ?? 0)));
  }
  const changed = judged.filter((one) => outcomeBefore(one) !== one.judgement.outcome);
  return {
    runs: judged.length,
    isSampled: ids.length > MAX_RUNS,
    before: countOutcomes(judged.map(outcomeBefore)),
    after: countOutcomes(judged.map(({ judgement }) => judgement.outcome)),
    changed: changed.length,
    changes: changesOf(changed),
    matched: bad.map((_, index) => judged.filter((one) => isMatched(one, index)).length),
    examples: examplesOf(changed),
    coverage: coverageOf(bad, judged),
  };
}

/** A run may have very many reasons and scores: the first of each condition, and of each name that is looked at, are enough. */
function withoutRepeats(one: JudgedTrace, names: ReadonlySet<string>): JudgedTrace {
  const { scores, judgement } = one;
  const wanted = scores.filter(({ name }) => names.has(name));
  return {
    ...one,
    scores: [...new Map(wanted.map((score) => [score.name, score])).values()],
    judgement: { ...judgement, reasons: firstOfEach(judgement.reasons) },
  };
}

/** Reasons are in the order of conditions. */
const firstOfEach = (reasons: JudgedTrace["judgement"]["reasons"]) =>
  reasons.filter(({ condition }, index) => condition !== reasons[index - 1]?.condition);

/** The newest runs that the definition would judge, and one more if there are more. */
async function newestRuns(db: Database, workspaceId: WorkspaceId, agent: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from traces
    where workspace_id = ${workspaceId} and ${await isJudged(db, workspaceId, agent)}
      and started_at > now() - make_interval(days => ${MAX_DAYS})
    order by started_at desc, id desc limit ${MAX_RUNS + 1}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The workspace's definition judges the runs of agents without one of their own. */
async function isJudged(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string | null,
): Promise<RawBuilder<unknown>> {
  if (agent !== null) return sql`agent_hash = ${agentHash(agent)}`;
  const hashes = (await readDefinitions(db, workspaceId)).agentHashes;
  return hashes.length === 0 ? sql`true` : sql`agent_hash <> all(${hashes}::bigint[])`;
}

const outcomeBefore = ({ row }: JudgedTrace): RunOutcomeName => RUN_OUTCOMES[row.outcome] ?? "good";

function countOutcomes(outcomes: readonly RunOutcomeName[]) {
  const counts = { good: 0, bad: 0, unknown: 0, open: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

const isMatched = ({ judgement }: JudgedTrace, index: number) =>
  judgement.reasons.some(({ condition }) => condition === index);

const changesOf = (changed: JudgedTrace[]): OutcomePreview["changes"] =>
  [...Map.groupBy(changed, (one) => `${outcomeBefore(one)} ${one.judgement.outcome}`).values()]
    .flatMap((runs) => {
      const [first] = runs;
      return first ? { before: outcomeBefore(first), after: first.judgement.outcome, runs: runs.length } : [];
    })
    .sort((a, b) => b.runs - a.runs);

/** One of each kind of change first. */
function examplesOf(changed: JudgedTrace[]): OutcomePreview["examples"] {
  const kinds = Map.groupBy(changed, (one) => `${outcomeBefore(one)} ${one.judgement.outcome}`);
  const first = [...kinds.values()].flatMap(([one]) => one ?? []);
  const others = changed.filter((one) => !first.includes(one));
  return [...first, ...others].slice(0, MAX_EXAMPLES).map((one) => ({
    traceId: one.row.id,
    name: one.row.name,
    startedAt: one.row.startedAt,
    before: outcomeBefore(one),
    after: one.judgement.outcome,
    reason: one.judgement.reasons[0]?.text ?? null,
  }));
}

function coverageOf(bad: readonly Condition[], judged: readonly JudgedTrace[]): OutcomePreview["coverage"] {
  return bad.flatMap((condition, index) => {
    if (condition.kind !== "score") return [];
    const count = (isCounted: (one: JudgedTrace) => boolean) => judged.filter(isCounted).length;
    return {
      condition: index,
      asked: count(({ row }) =>
        askedNames(parseMetadata(row.metadata, row.metadataPairs)).includes(condition.name),
      ),
      answered: count(({ scores }) => scores.some(({ name }) => name === condition.name)),
      bad: count((one) => isMatched(one, index)),
    };
  });
}
