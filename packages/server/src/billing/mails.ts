import type { Tier } from "@whytrace/contract/schemas/billing";
import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";
import { pageIn, type WorkspaceAddress } from "../workspaces/workspace-address.ts";

const ONE_DAY_MINUTES = 24 * 60;

interface UsageNotice {
  recipient: string;
  percent: 80 | 100;
  tier: Tier;
  sessionsLimit: number;
  period: "day" | "month";
}

export const usageMail = (
  workspace: WorkspaceAddress,
  { recipient, percent, tier, sessionsLimit, period }: UsageNotice,
): Mail =>
  composeMail({
    recipient,
    subject:
      percent === 100 ? "You have reached your Whytrace limit" : "You have used 80 % of your Whytrace limit",
    paragraphs: [
      `Your ${tier} plan includes ${sessionsLimit.toLocaleString("en")} traces per ${period}.`,
      percent === 100
        ? `You have reached this limit. Further traces are rejected until the next ${period} starts.`
        : "You have used 80 % of them. When you reach the limit, further traces are rejected until it resets.",
    ],
    action: { label: "See your usage", url: pageIn(workspace, "/settings/billing") },
    footnote: `You receive this mail once per ${period}, because your account sends traces to Whytrace.`,
    expiresInMinutes: ONE_DAY_MINUTES,
  });

export const paymentFailedMail = (workspace: WorkspaceAddress, recipient: string): Mail =>
  composeMail({
    recipient,
    subject: "Your Whytrace payment failed",
    paragraphs: [
      "A payment for your plan failed. Your plan stays active for now. Please check your payment method.",
    ],
    action: { label: "Open billing", url: pageIn(workspace, "/settings/billing") },
    footnote: "If you have paid in the meantime, you can ignore this mail.",
    expiresInMinutes: 3 * ONE_DAY_MINUTES,
  });
