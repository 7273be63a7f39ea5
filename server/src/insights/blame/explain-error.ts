import type { Blame } from "@whytrace/contract";
import type { DaysReader } from "../days/days-reader.ts";
import { DAY_SECTIONS } from "../days/read-days.ts";
import { describeRange, parseDayRange } from "../insights-range.ts";
import { findSuspects } from "./find-suspects.ts";

/** Ranks the decisions before an error by what followed them in the last 30 days. */
export function explainError(
  days: DaysReader,
  userId: string,
  error: { traceId: string; spanId: string | undefined },
): Promise<Blame> {
  const range = parseDayRange({});
  return days.read(
    userId,
    range,
    async (read, db) => ({
      ...describeRange(range, read),
      ...(await findSuspects(db, userId, { days: read, range }, error)),
    }),
    { sections: DAY_SECTIONS },
  );
}
