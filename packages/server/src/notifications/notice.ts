import { createHash } from "node:crypto";
import type { NotificationKind } from "@whytrace/contract/schemas/issues/notifications";
import type { WorkspaceId } from "../db/workspace-id.ts";

/** Something that members are told by mail. */
export interface Notice {
  id: string;
  kind: NotificationKind;
  type: string;
  /** What it is about: "issue:12". Mails about one subject are a thread. */
  subject: string;
  /** Counts the events of the subject; 0 if it is none. */
  sequence: number;
  /** Null: all members. */
  recipientId: string | null;
  /** Null if it is read from the subject when the mail is written. */
  payload: object | null;
}

/** The same UUID for the same parts. */
export function uuidOf(...parts: string[]): string {
  const hex = createHash("sha256").update(parts.join("\n")).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** The id of the notice of an event: an event that is written again is told once. */
export const noticeIdOf = (workspaceId: WorkspaceId, subject: string, sequence: number): string =>
  uuidOf("notice", workspaceId, subject, String(sequence));

/** The id, in the outbox, of the mail about a notice to a member. */
export const mailIdOf = (noticeId: string, userId: string): string => uuidOf("mail", noticeId, userId);
