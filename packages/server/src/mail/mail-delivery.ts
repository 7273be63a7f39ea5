import type { MailDelivery } from "@whytrace/contract";

/** What happens to mails with this `SMTP_URL`. */
export const mailDelivery = (smtpUrl: string | undefined): MailDelivery =>
  smtpUrl === undefined ? "none" : smtpUrl === "log:" ? "log" : "smtp";
