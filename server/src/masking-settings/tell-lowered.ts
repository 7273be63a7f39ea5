import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { composeMail } from "../mail/compose-mail.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { listOwners } from "../workspaces/list-owners.ts";

const MAIL_EXPIRES_IN_MINUTES = 3 * 24 * 60;

export interface LoweredLevel {
  before: MaskingLevel;
  after: MaskingLevel;
  /** The address of the member who did it. */
  by: string;
  publicUrl: string;
}

/** Tells the owners of a workspace by mail that less is masked from now on. */
export async function tellLowered(
  directory: Database,
  workspaceId: WorkspaceId,
  { before, after, by, publicUrl }: LoweredLevel,
): Promise<void> {
  for (const { email, isEmailVerified } of await listOwners(directory, workspaceId))
    if (isEmailVerified)
      await queueMail(
        directory,
        composeMail({
          recipient: email,
          subject: "Less is masked in your workspace",
          paragraphs: [
            `${by} lowered the level of masking from ${before} to ${after}. What arrives from now on is stored with more of what was sent.`,
            "What is stored already stays masked.",
          ],
          action: { label: "Open masking", url: `${publicUrl}/settings/masking` },
          footnote: "You get this mail because you own the workspace.",
          expiresInMinutes: MAIL_EXPIRES_IN_MINUTES,
        }),
      );
}
