import { signDecision, type Verdict } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import { decodeDecisionFacts } from "../decision-facts/decode-decision-facts.ts";
import { HttpError } from "../http/http-error.ts";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { Masker } from "../masking/masker.ts";
import { requireMaskingVersion } from "./masking/require-masking-version.ts";

export const MAX_VERDICTS_PER_WORKSPACE = 100_000;
export const VERDICT_LIMIT_REACHED = `Verdict limit reached (${MAX_VERDICTS_PER_WORKSPACE}). Export your verdicts, then undo some.`;

/** With the id of the person; null if a key said it. */
export type StoredVerdict = Verdict & { createdBy: string | null };

interface JudgedDecision {
  traceName: string;
  type: string;
  chosen: string | null;
  alternatives: string;
  position: number;
  facts: Buffer | null;
}

/** Saves what a person says about a decision, its note masked, or changes it. Returns undefined if the workspace has no such decision. */
export async function saveVerdict(
  trx: Database,
  workspaceId: WorkspaceId,
  said: Omit<StoredVerdict, "createdAt">,
  masking: CompiledMasking,
): Promise<StoredVerdict | undefined> {
  const { note, shouldHaveBeen } = said;
  const masker = new Masker(masking, { traceId: said.traceId });
  const given = masking.tally.time(() => ({
    ...said,
    note: note === null ? null : masker.text(note, "comments"),
    shouldHaveBeen: shouldHaveBeen === null ? null : masker.text(shouldHaveBeen, "chosen"),
  }));
  // Serializes a workspace's verdicts, so that concurrent requests cannot exceed the limit.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`verdicts ${workspaceId}`}, 0))`.execute(trx);
  const decision = await lockDecision(trx, workspaceId, given);
  if (!decision) return undefined;
  const { saved, isNew } = await upsert(trx, workspaceId, given, decision);
  if (isNew && (await countVerdictRows(trx, workspaceId)) > MAX_VERDICTS_PER_WORKSPACE)
    throw new HttpError(409, VERDICT_LIMIT_REACHED);
  if (note !== null || shouldHaveBeen !== null)
    await requireMaskingVersion(trx, workspaceId, masking.version);
  return saved;
}

/** The lock makes a deletion of the trace wait, so that it finds the verdict and deletes it, too. */
async function lockDecision(
  trx: Database,
  workspaceId: WorkspaceId,
  { traceId, decisionPointId }: Pick<Verdict, "traceId" | "decisionPointId">,
): Promise<JudgedDecision | undefined> {
  const { rows } = await sql<JudgedDecision>`
    select traces.name as trace_name, decisions.type, decisions.chosen, decisions.alternatives,
      decisions.position, traces.decision_facts as facts
    from traces join decision_points as decisions on decisions.workspace_id = ${workspaceId}
      and decisions.trace_id = traces.id and decisions.id = ${decisionPointId}
    where traces.workspace_id = ${workspaceId} and traces.id = ${traceId}
    for key share of traces`.execute(trx);
  return rows[0];
}

async function upsert(
  trx: Database,
  workspaceId: WorkspaceId,
  said: Omit<StoredVerdict, "createdAt">,
  decision: JudgedDecision,
): Promise<{ saved: StoredVerdict | undefined; isNew: boolean }> {
  const { traceId, decisionPointId, verdict, shouldHaveBeen, note, suspectRank, createdBy } = said;
  const { signature, step } = signatureOf(decision);
  const { rows } = await sql<StoredVerdict & { isNew: boolean }>`
    insert into verdicts as stored (workspace_id, trace_id, decision_point_id, verdict, should_have_been, note, suspect_rank,
      created_by, agent_hash, signature, step)
    values (${workspaceId}, ${traceId}, ${decisionPointId}, ${verdict}, ${shouldHaveBeen}, ${note}, ${suspectRank},
      ${createdBy}, ${agentHash(decision.traceName)}, ${signature}, ${step})
    on conflict (workspace_id, trace_id, decision_point_id) do update set verdict = excluded.verdict,
      should_have_been = excluded.should_have_been, note = excluded.note,
      suspect_rank = coalesce(excluded.suspect_rank, stored.suspect_rank),
      created_by = excluded.created_by, agent_hash = excluded.agent_hash, signature = excluded.signature, step = excluded.step,
      created_at = case when (stored.verdict, stored.should_have_been, stored.note)
        is distinct from (excluded.verdict, excluded.should_have_been, excluded.note)
        then excluded.created_at else stored.created_at end
    returning trace_id, decision_point_id, verdict, should_have_been, note, suspect_rank, created_at, created_by,
      xmax = 0 as is_new`.execute(trx);
  const [row] = rows;
  if (!row) return { saved: undefined, isNew: false };
  const { isNew, ...saved } = row;
  return { saved, isNew };
}

/** The facts say what a decision counts as. They may not be computed yet; then the decision alone has to do. */
function signatureOf({ type, chosen, alternatives, position, facts }: JudgedDecision) {
  const known = facts && decodeDecisionFacts(facts)?.decisions.find((one) => one.position === position);
  // As bytes: long options are not parsed.
  const bytes = { chosen: Buffer.from(chosen ?? "null"), alternatives: Buffer.from(alternatives) };
  return known ?? signDecision({ type, ...bytes });
}

async function countVerdictRows(trx: Database, workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from verdicts where workspace_id = ${workspaceId}`.execute(trx);
  return rows[0]?.count ?? 0;
}
