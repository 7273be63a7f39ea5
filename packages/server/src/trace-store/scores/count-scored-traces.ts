import { sql } from "kysely";
import { requireKeys } from "../../api-keys/revoke-api-key.ts";
import type { Database } from "../../db/database.ts";
import { HttpError } from "../../http/http-error.ts";
import { recordChanges } from "../../live/record-changes.ts";
import { touchDays } from "../counts/decision-days.ts";
import { addTotals, noTotals } from "../counts/totals.ts";
import { requireMaskingVersion } from "../masking/require-masking-version.ts";
import type { ScoredChange } from "../outcomes/refresh-outcomes.ts";
import { writeProblems } from "../problems/write-problems.ts";

export interface MaskedChange extends ScoredChange {
  /** The versions of the rules by which comments were masked, if there are any. */
  maskedBy?: readonly number[];
}

/**
 * Updates what is counted about traces whose scores changed, as the last step of a transaction, and checks the workspaces and
 * keys again. The deletion of a workspace and the revocation of a key wait for the locks that are held then.
 */
export async function countScoredTraces(
  trx: Database,
  changes: MaskedChange[],
  { keyIds = [], isQuiet = false }: { keyIds?: string[]; isQuiet?: boolean } = {},
): Promise<void> {
  for (const { workspaceId } of changes) {
    const { rows } = await sql`
      select workspace_id from subscriptions where workspace_id = ${workspaceId} for key share`.execute(trx);
    if (rows.length === 0) throw new HttpError(403, "No subscription found for this user");
  }
  const changed = changes.filter(({ traces }) => traces.length > 0);
  const versions =
    changed.length > 0
      ? await addTotals(
          trx,
          changed.map(({ workspaceId, maskedBy = [] }) => ({ workspaceId, change: noTotals(), maskedBy })),
        )
      : new Map<string, number>();
  for (const { workspaceId, traces, maskedBy = [] } of changes)
    if (traces.length === 0)
      for (const version of new Set(maskedBy)) await requireMaskingVersion(trx, workspaceId, version);
  await requireKeys(trx.directory, new Set(keyIds));
  if (changed.length === 0) return;
  await touchDays(
    trx,
    changed.map(({ workspaceId, days }) => ({ workspaceId, days, version: versions.get(workspaceId) })),
  );
  for (const { workspaceId, runs } of changed) await writeProblems(trx, workspaceId, runs, { isQuiet });
  await recordChanges(
    trx,
    changed.map(({ workspaceId, traces }) => ({
      workspaceId,
      version: versions.get(workspaceId),
      traces: traces.map(({ id, status }) => ({ id, change: "replaced", status })),
    })),
  );
}
