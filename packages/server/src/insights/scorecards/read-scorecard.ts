import type { Scorecard } from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { mixedJudging } from "../../trace-store/outcomes/outcome-jobs.ts";
import type { DaysReader, JudgedDaysRead, ReadMore } from "../days/days-reader.ts";
import { describeRange } from "../insights-range.ts";
import { type ScorecardQuery, scorecard } from "./scorecard.ts";

/**
 * The scorecard of a signature; undefined if it was not decided. While stored runs are judged again, a decision that no finished day has is
 * still shown, by how its runs are judged now, and the scorecard says so.
 */
export async function readScorecard(
  days: DaysReader,
  workspaceId: WorkspaceId,
  query: ScorecardQuery,
): Promise<Scorecard | undefined> {
  const { range, agent, signature } = query;
  const describe = async (read: JudgedDaysRead, db: Database, readMore: ReadMore) => {
    const readOwn = () => readMore({ sections: ["choices"], signature });
    const card = await scorecard(db, workspaceId, read, query, readOwn);
    return card && { ...describeRange(range, read), ...card };
  };
  const { card, judging } = await days.readJudged(
    workspaceId,
    { range, agent },
    async (read, db, readMore) => ({ card: await describe(read, db, readMore), judging: read.judging }),
  );
  if (card || !judging) return card;
  const mixed = await days.read(workspaceId, range, (read, db, readMore) =>
    describe({ ...read, counted: range }, db, readMore),
  );
  return mixed && { ...mixed, judging: mixedJudging(judging) };
}
