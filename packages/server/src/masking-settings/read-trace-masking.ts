import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { countsByType, type MaskingCounts } from "../masking/masker.ts";
import { findMasking, isInForce } from "../masking/stored-masking.ts";

interface TraceMaskingState {
  version: number | null;
  isCurrent: boolean;
  counts: MaskingCounts;
}

/** By which rules a trace was masked, and what. Undefined if the workspace has no such trace. */
export async function readTraceMasking(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
  floor: MaskingLevel,
): Promise<TraceMaskingState | undefined> {
  const { rows } = await sql<{
    version: number | null;
    current: number | null;
    masked: MaskingCounts | null;
  }>`
    select traces.masking_version as version, traces.masked,
      (select masking_version from trace_totals where workspace_id = ${workspaceId}) as current
    from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { version, current, masked } = row;
  const masking = await findMasking(db, workspaceId);
  const isCurrent = version === current && masking !== undefined && isInForce(masking, floor);
  return { version, isCurrent, counts: countsByType(masked) };
}
