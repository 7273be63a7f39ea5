import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { composeMail } from "../mail/compose-mail.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { listOwners } from "../workspaces/list-owners.ts";
import { pageIn, readWorkspaceAddress } from "../workspaces/workspace-address.ts";

const MAIL_EXPIRES_IN_MINUTES = 3 * 24 * 60;

interface MaskingNews {
  subject: string;
  paragraphs: string[];
  publicUrl: string;
}

/** Tells the owners of a workspace by mail what became of its masking. */
export async function tellOwners(
  directory: Database,
  workspaceId: WorkspaceId,
  { subject, paragraphs, publicUrl }: MaskingNews,
): Promise<void> {
  const workspace = await readWorkspaceAddress(directory, workspaceId, publicUrl);
  for (const { email, isEmailVerified } of await listOwners(directory, workspaceId))
    if (isEmailVerified)
      await queueMail(
        directory,
        composeMail({
          recipient: email,
          subject,
          paragraphs,
          action: { label: "Open masking", url: pageIn(workspace, "/settings/masking") },
          footnote: "You get this mail because you own the workspace.",
          expiresInMinutes: MAIL_EXPIRES_IN_MINUTES,
        }),
      );
}
