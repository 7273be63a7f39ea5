import { sql } from "kysely";
import { recordEvent, SYSTEM } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { composeMail } from "../mail/compose-mail.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { listOwners } from "../workspaces/list-owners.ts";
import { pageIn, readWorkspaceAddress, workspaceName } from "../workspaces/workspace-address.ts";
import { dropDeliveries } from "./drop-deliveries.ts";

const MAIL_EXPIRES_IN_MINUTES = 3 * 24 * 60;

/** Ends a channel that does not work, and tells the owners of the workspace. The caller has locked it. */
export async function disableChannel(
  trx: Database,
  workspaceId: WorkspaceId,
  channelId: string,
  { reason, publicUrl }: { reason: string; publicUrl: string },
): Promise<void> {
  const { rows } = await sql<{ kind: string; name: string }>`
    update alert_channels set is_enabled = false, disabled_reason = ${reason}
    where workspace_id = ${workspaceId} and id = ${channelId} and is_enabled returning kind, name`.execute(
    trx,
  );
  const [channel] = rows;
  if (!channel) return;
  await dropDeliveries(trx, workspaceId, channelId);
  const workspace = await readWorkspaceAddress(trx.directory, workspaceId, publicUrl);
  // Last: what is written to the directory may stay if the transaction fails.
  for (const { email, isEmailVerified } of await listOwners(trx.directory, workspaceId))
    if (isEmailVerified)
      await queueMail(
        trx.directory,
        composeMail({
          recipient: email,
          subject: "A channel of your workspace no longer sends messages",
          paragraphs: [
            `A channel of ${workspaceName(workspace)} (${channel.kind}) no longer sends messages about issues and alerts. ${reason}.`,
            "Messages that waited for it were dropped. When its receiver works again, enable the channel on the page of alerts.",
          ],
          action: { label: "Open alerts", url: pageIn(workspace, "/alerts") },
          footnote: "You get this mail because you own the workspace.",
          expiresInMinutes: MAIL_EXPIRES_IN_MINUTES,
        }),
      );
  await recordEvent(trx.directory, workspaceId, SYSTEM, {
    action: "webhook.changed",
    target: { kind: "channel", id: channelId, name: channel.name },
    details: { change: "disabled" },
  });
}
