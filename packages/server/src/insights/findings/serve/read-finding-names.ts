import { maskText } from "@whytrace/contract";
import { sql } from "kysely";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../../db/database.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { decodeDecisionFacts } from "../../../decision-facts/decode-decision-facts.ts";
import type { Sample } from "../../days/tally.ts";
import { limitFacts } from "../../limit-facts.ts";
import { readSignatureNames } from "../../names/read-signature-names.ts";
import { MAX_COUNTED_RUNS } from "../read-recorded-runs.ts";

export interface OptionName {
  option: string;
  /** The span in which one of the newest of these decisions was made; null if in none. */
  place: string | null;
}

export interface FindingNames {
  /** Empty if the agent has no traces any more. */
  agent: string;
  /** By step. */
  options: ReadonlyMap<number, OptionName>;
}

/** Most steps are among so many of the newest runs. */
const FIRST_RUNS = 50;

/** Reads the name of an agent, and those of options, from the newest runs that chose them: findings hold hashes only. */
export async function readFindingNames(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number,
  steps: ReadonlySet<number>,
): Promise<FindingNames> {
  const found = new Map<number, StepSample>();
  let agent = "";
  for (const limit of [FIRST_RUNS, MAX_COUNTED_RUNS]) {
    const runs = await readRuns(db, workspaceId, agentHash, limit);
    agent = maskText(runs[0]?.name ?? "");
    await runInTimeSlices(findSamples(runs, steps, found));
    if (found.size === steps.size || runs.length < limit) break;
  }
  return { agent, options: await readOptions(db, workspaceId, found) };
}

interface NamedRun {
  id: string;
  name: string;
  facts: Buffer;
}

async function readRuns(
  db: Database,
  workspaceId: WorkspaceId,
  agentHash: number,
  limit: number,
): Promise<NamedRun[]> {
  const newest = sql`
    select id, name, started_at, decision_facts as facts from traces
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash} and decision_facts is not null
    order by started_at desc, id desc limit ${limit}`;
  const { rows } = await sql<NamedRun>`
    select id, name, facts from (${limitFacts(newest, sql`started_at desc, id desc`)}) as newest`.execute(
    db.withoutPlugins(),
  );
  return rows;
}

interface StepSample extends Sample {
  signature: number;
}

function* findSamples(
  runs: readonly NamedRun[],
  steps: ReadonlySet<number>,
  found: Map<number, StepSample>,
): Generator<undefined, void> {
  for (const { id, facts } of runs) {
    if (found.size === steps.size) return;
    for (const { step, signature, position } of decodeDecisionFacts(facts)?.decisions ?? [])
      if (steps.has(step) && !found.has(step)) found.set(step, { traceId: id, position, signature });
    yield;
  }
}

async function readOptions(
  db: Database,
  workspaceId: WorkspaceId,
  samples: ReadonlyMap<number, StepSample>,
): Promise<Map<number, OptionName>> {
  const sampled = [...Map.groupBy(samples, ([, { signature }]) => signature)].flatMap(
    ([signature, entries]) => {
      const options = entries.map(([step, sample]) => ({ step, sample }));
      return options[0] ? [{ signature, sample: options[0].sample, options }] : [];
    },
  );
  const names = await readSignatureNames(db, workspaceId, sampled);
  const options = new Map<number, OptionName>();
  for (const [step, { signature }] of samples) {
    const known = names.get(signature);
    const option = known?.options.get(step);
    if (known && option !== undefined) options.set(step, { option, place: known.place });
  }
  return options;
}
