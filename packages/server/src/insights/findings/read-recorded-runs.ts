import type { Status } from "@whytrace/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { FACTS_DECISION_BYTES } from "../../decision-facts/decision-facts.ts";
import {
  IS_BAD_BY_OBSERVED,
  IS_SCORED_BAD,
  isOpen,
  SCORED_AT,
} from "../../trace-store/outcomes/lens-conditions.ts";
import type { DayRange } from "../days/read-days.ts";
import { limitFacts } from "../limit-facts.ts";
import { startedIn } from "../started-in.ts";
import type { RecordedRun } from "./runs/observe-runs.ts";
import { situationOf } from "./situation/situation-of.ts";

/** Beyond them small biases become findings. */
export const MAX_COUNTED_RUNS = 1_000;
/** About 50,000 decisions, for which findings take a few seconds. */
const MAX_COUNTED_BYTES = 50_000 * FACTS_DECISION_BYTES;

/** The runs of an agent that are counted, in the order of time. */
export interface RecordedRuns {
  runs: readonly RecordedRun[];
  openRuns: number;
  hasSituation: boolean;
  /** Whether some runs were sampled, and others came by OpenTelemetry and do not say with which probability they were kept. */
  hasUnknownSampling: boolean;
}

export interface AgentWindow {
  agentHash: number;
  range: DayRange;
}

interface RunRow {
  id: string;
  status: Status;
  isOpen: boolean;
  facts: Buffer;
  isScoredBad: boolean;
  scoredAt: number | null;
  isBadByObserved: boolean;
  outcome: number;
  outcomeFlags: number;
  pairs: string[];
  tags: string[];
  startedAtMs: number;
  probability: number | null;
  isSamplingUnknown: boolean;
}

/**
 * Reads the newest runs; fewer if they have very many decisions. Runs that are still open are counted, and left out. The run
 * `traceId` is read in any case.
 */
export async function readRecordedRuns(
  db: Database,
  workspaceId: WorkspaceId,
  window: AgentWindow,
  situationKeys: readonly string[],
  traceId?: string,
): Promise<RecordedRuns> {
  const keys = textList([...situationKeys]);
  const columns = sql`
    id, status, started_at, sample_probability as probability,
    sample_probability is null and merge_state is not null and merge_state -> 'posted' is null as "isSamplingUnknown", ${isOpen(workspaceId)} as "isOpen", decision_facts as facts,
    ${IS_SCORED_BAD} as "isScoredBad", ${SCORED_AT} as "scoredAt", ${IS_BAD_BY_OBSERVED} as "isBadByObserved",
    outcome, outcome_flags as "outcomeFlags",
    array(select pair from unnest(metadata_pairs) as pair where split_part(pair, chr(31), 1) = any(${keys})) as pairs,
    array(select tag from unnest(tags) as tag where split_part(tag, ':', 1) = any(${keys})) as tags`;
  const read = async (query: RawBuilder<unknown>) => {
    const { rows } = await sql<RunRow>`
      select id, status, "isOpen", facts, "isScoredBad", "scoredAt", "isBadByObserved", outcome, "outcomeFlags", pairs, tags,
        probability, "isSamplingUnknown",
        (extract(epoch from started_at) * 1000)::double precision as "startedAtMs"
      from (${query}) as found`.execute(db.withoutPlugins());
    return rows;
  };
  const newest = sql`
    select ${columns} from traces where ${inWindow(workspaceId, window)}
    order by started_at desc, id desc limit ${MAX_COUNTED_RUNS}`;
  const rows = await read(limitFacts(newest, sql`started_at desc, id desc`, MAX_COUNTED_BYTES));
  const ended = rows.filter((row) => !row.isOpen).reverse();
  if (traceId !== undefined && !ended.some(({ id }) => id === traceId)) {
    const [asked] = await read(sql`
      select ${columns} from traces
      where workspace_id = ${workspaceId} and id = ${traceId} and decision_facts is not null`);
    const later = ended.findIndex(({ startedAtMs }) => startedAtMs > (asked?.startedAtMs ?? 0));
    if (asked) ended.splice(later < 0 ? ended.length : later, 0, asked);
  }
  return {
    runs: ended.map(({ isOpen: _, isSamplingUnknown: __, pairs, tags, ...run }) => ({
      ...run,
      situation: situationOf(situationKeys, pairs, tags),
    })),
    openRuns: rows.filter((row) => row.isOpen).length,
    hasSituation: situationKeys.length > 0,
    hasUnknownSampling:
      ended.some(({ isSamplingUnknown }) => isSamplingUnknown) &&
      ended.some(({ probability }) => probability !== null && probability < 1),
  };
}

/** How many runs there are, of which `readRecordedRuns` reads the newest. Takes time that is proportional to their number. */
export async function countRecordedRuns(
  db: Database,
  workspaceId: WorkspaceId,
  window: AgentWindow,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from traces where ${inWindow(workspaceId, window)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A hash of the runs that `readRecordedRuns` reads. It changes if one of them was written again, or is abandoned now. */
export async function digestRecordedRuns(
  db: Database,
  workspaceId: WorkspaceId,
  window: AgentWindow,
): Promise<string> {
  return (await findRecordedRun(db, workspaceId, window, "")).digest;
}

/** The same hash, and whether a run is one of them. */
export async function findRecordedRun(
  db: Database,
  workspaceId: WorkspaceId,
  window: AgentWindow,
  traceId: string,
): Promise<{ digest: string; hasRun: boolean }> {
  const { rows } = await sql<{ digest: string; hasRun: boolean }>`
    select count(*) || ' ' || coalesce(bit_xor(hash_record_extended(row(id, written, is_open), 0)), 0) as digest,
      coalesce(bool_or(id = ${traceId} and not is_open), false) as has_run
    from (
      select id, xmin::text as written, ${isOpen(workspaceId)} as is_open from traces
      where ${inWindow(workspaceId, window)}
      order by started_at desc, id desc limit ${MAX_COUNTED_RUNS}
    ) as newest`.execute(db);
  return rows[0] ?? { digest: "", hasRun: false };
}

const inWindow = (workspaceId: WorkspaceId, { agentHash, range }: AgentWindow): RawBuilder<unknown> => sql`
  workspace_id = ${workspaceId} and agent_hash = ${agentHash} and decision_facts is not null and ${startedIn(range)}`;
