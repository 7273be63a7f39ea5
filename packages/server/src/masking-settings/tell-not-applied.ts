import { sql } from "kysely";
import type { Connections } from "../db/connections.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { addMaskingLog } from "../masking/stored-masking.ts";
import { lockTotals } from "../trace-store/counts/totals.ts";
import { tellOwners } from "./tell-owners.ts";

/** When this process last looked whether owners have been told: agents try again every few seconds. */
const looked = new Map<WorkspaceId, number>();
const LOOK_EVERY_MS = 3_600_000;
const MAX_REMEMBERED = 1_000;

/** Tells the owners of a workspace, at most once a day, that nothing is stored because its rules cannot be applied. */
export async function tellNotApplied(
  { writes }: Connections,
  workspaceId: WorkspaceId,
  publicUrl: string,
): Promise<void> {
  const now = Date.now();
  if (now - (looked.get(workspaceId) ?? 0) < LOOK_EVERY_MS) return;
  if (looked.size >= MAX_REMEMBERED) looked.clear();
  looked.set(workspaceId, now);
  await writes.transaction(workspaceId, async (_client, trx) => {
    // Another server may notice it, too.
    await lockTotals(trx, workspaceId);
    const { rows } = await sql<{ version: number; isTold: boolean }>`
      select version, exists (
        select from masking_log
        where workspace_id = ${workspaceId} and action = 'failed' and at > now() - interval '1 day') as is_told
      from masking where workspace_id = ${workspaceId}`.execute(trx);
    const [masking] = rows;
    if (!masking || masking.isTold) return;
    const { version } = masking;
    await addMaskingLog(trx, workspaceId, { version, userId: null, action: "failed", detail: null });
    await tellOwners(trx.directory, workspaceId, {
      subject: "Nothing is stored: the masking rules cannot be applied",
      paragraphs: [
        "A rule of your workspace cannot be read by this version of the server. So that nothing is stored unmasked, everything that your agents " +
          "send is refused with 503 until the rules are saved again. SDKs and collectors that retry lose nothing for a while.",
        "Open the page of masking, look at your own rules, and save them. If that does not help, ask whoever runs the server.",
      ],
      publicUrl,
    });
  });
}
