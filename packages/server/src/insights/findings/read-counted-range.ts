import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readJudging } from "../../trace-store/outcomes/outcome-jobs.ts";
import type { DayRange } from "../days/read-days.ts";
import { judgedDays } from "../judged-days.ts";
import { isJudged, type Lens } from "./runs/lens.ts";

/** The days whose runs are counted: where definitions decide, without those that are still judged by an older one. */
export async function readCountedRange(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, lens, range }: { agentHash: number; lens: Lens; range: DayRange },
): Promise<DayRange> {
  return isJudged(lens) ? judgedDays(range, await readJudging(db, workspaceId, agentHash)) : range;
}
