import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { countWithoutFactsIn } from "../../trace-store/backfill-facts.ts";
import { addTraces } from "../days/add-traces.ts";
import { type DayRange, type DaysRead, MAX_TRACES_LEFT } from "../days/read-days.ts";
import { Tally } from "../days/tally.ts";
import { startedIn } from "../started-in.ts";

/** Of more traces with a tag, the newest are counted. */
const MAX_TAGGED_TRACES = 20_000;

/** Adds up the facts of the traces that have a tag. Days are added up by release, not by tag. */
export async function readTagged(
  db: Database,
  userId: string,
  range: DayRange,
  tag: string,
): Promise<Pick<DaysRead, "tally" | "daysLeft" | "tracesLeft">> {
  const tracesLeft = await countWithoutFactsIn(db, userId, range, MAX_TRACES_LEFT);
  const tally = new Tally();
  const hasTag = sql`tags @> array[${tag}]::text[] and ${startedIn(range)}`;
  await addTraces(db, tally, userId, hasTag, MAX_TAGGED_TRACES);
  return { tally, daysLeft: 0, tracesLeft };
}
