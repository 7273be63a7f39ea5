import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { JudgedReason } from "../../outcomes/judged-reason.ts";
import { decodeMarks, type Marks } from "../../outcomes/marks.ts";
import { judgeStoredRun } from "../../trace-store/outcomes/judge-stored-run.ts";
import { markStoredTraces } from "../../trace-store/outcomes/mark-stored-traces.ts";

const BAD = 1;

/** Why a run is bad, beside its errors. */
interface RunReasons {
  /** The first is the main reason. */
  reasons: readonly JudgedReason[];
  /** Which decisions one of them follows. */
  marksOf(reason: JudgedReason): Promise<Marks>;
}

/** The reasons for which a run is bad that are no errors of it; none if it is not bad. */
export async function readReasons(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<RunReasons> {
  const judged = await judgeStoredRun(db, workspaceId, traceId);
  if (!judged || judged.row.outcome !== BAD) return { reasons: [], marksOf: async () => decodeMarks(null) };
  return {
    reasons: judged.judgement.reasons.filter(({ kind }) => kind !== "status"),
    marksOf: async (reason) => {
      const alone = { ...judged, judgement: { ...judged.judgement, reasons: [reason] } };
      return decodeMarks((await markStoredTraces(db, workspaceId, [alone])).get(traceId) ?? null);
    },
  };
}
