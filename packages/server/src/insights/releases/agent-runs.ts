import { type RawBuilder, sql } from "kysely";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { RELEASE_NAME } from "../../decision-facts/release-name.ts";
import type { DayRange } from "../days/read-days.ts";
import { startedIn } from "../started-in.ts";

/** Of an agent with more runs, the newest are read: releases are told apart by tags, which no index orders by time. */
export const MAX_READ_RUNS = 50_000;

/** Selects the newest runs of an agent, whether or not they decided something, with the name of their release. */
export const agentRuns = (
  workspaceId: WorkspaceId,
  agent: string,
  range: DayRange,
): RawBuilder<unknown> => sql`
  select id, session_id, status, outcome, started_at, created_at, span_count, total_cost, total_duration, metadata_pairs,
    ${RELEASE_NAME} as release
  from traces
  where workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent)} and ${startedIn(range)}
  order by started_at desc, id desc limit ${sql.lit(MAX_READ_RUNS)}`;
