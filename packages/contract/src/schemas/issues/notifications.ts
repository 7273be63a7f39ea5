import { z } from "zod";

const NOTIFICATION_KINDS = ["newIssues", "regressions", "assigned", "alerts"] as const;

const mail = z.object({
  newIssues: z.boolean().describe("A new issue"),
  regressions: z.boolean().describe("A run broke the resolution of an issue"),
  assigned: z.boolean().describe("Somebody assigned an issue to you"),
  alerts: z.boolean().describe("A rule fires, recovers or gets no data"),
});

/** Which mails a member gets about a workspace. */
export const notificationSettings = z.object({ mail });
export const changedNotifications = z.object({ mail: mail.partial() });

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];
export type NotificationSettings = z.infer<typeof notificationSettings>;
