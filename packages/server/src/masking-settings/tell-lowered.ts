import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { tellOwners } from "./tell-owners.ts";

interface LoweredLevel {
  before: MaskingLevel;
  after: MaskingLevel;
  /** The address of the member who did it. */
  by: string;
  publicUrl: string;
}

/** Tells the owners of a workspace by mail that less is masked from now on. */
export function tellLowered(
  directory: Database,
  workspaceId: WorkspaceId,
  { before, after, by, publicUrl }: LoweredLevel,
): Promise<void> {
  return tellOwners(directory, workspaceId, {
    subject: "Less is masked in your workspace",
    paragraphs: [
      `${by} lowered the level of masking from ${before} to ${after}. What arrives from now on is stored with more of what was sent.`,
      "What is stored already stays masked.",
    ],
    publicUrl,
  });
}
