import { sql } from "kysely";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { countWithoutDecisionFactsIn } from "../../trace-store/maintain/backfill-decision-facts.ts";
import { addTraces } from "../days/add-traces.ts";
import { type DayRange, type DaysRead, MAX_TRACES_LEFT } from "../days/read-days.ts";
import { Tally } from "../days/tally.ts";
import { startedIn } from "../started-in.ts";

/** Of more traces with a tag, the newest are counted. */
const MAX_TAGGED_TRACES = 20_000;

/** Adds up the facts of the traces that have a tag. Days are added up by release, not by tag. */
export async function readTagged(
  db: Database,
  workspaceId: WorkspaceId,
  range: DayRange,
  tag: string,
): Promise<Pick<DaysRead, "tally" | "daysLeft" | "tracesLeft">> {
  const tracesLeft = await countWithoutDecisionFactsIn(db, workspaceId, range, MAX_TRACES_LEFT);
  const tally = new Tally();
  const hasTag = sql`tags @> array[${tag}]::text[] and ${startedIn(range)}`;
  await addTraces(db, tally, workspaceId, hasTag, MAX_TAGGED_TRACES);
  await runInTimeSlices(tally.endSessions());
  return { tally, daysLeft: 0, tracesLeft };
}
