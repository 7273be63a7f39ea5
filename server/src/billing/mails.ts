import type { Tier } from "@whytrace/contract";
import { composeMail } from "../mail/compose-mail.ts";
import type { Mail } from "../mail/mail.ts";

const ONE_DAY_MINUTES = 24 * 60;

export interface UsageNotice {
  recipient: string;
  percent: 80 | 100;
  tier: Tier;
  sessionsLimit: number;
  period: "day" | "month";
}

export const usageMail = (
  publicUrl: string,
  { recipient, percent, tier, sessionsLimit, period }: UsageNotice,
): Mail =>
  composeMail({
    recipient,
    subject:
      percent === 100 ? "You have reached your Whytrace limit" : "You have used 80 % of your Whytrace limit",
    paragraphs: [
      `Your plan ${tier} takes ${sessionsLimit.toLocaleString("en")} traces a ${period}.`,
      percent === 100
        ? `That many have come in. Further traces are refused until the next ${period} begins.`
        : "Four fifths of them have come in. When all have, further traces are refused until the limit resets.",
    ],
    action: { label: "See your usage", url: `${publicUrl}/settings/billing` },
    footnote: "You get this mail once a period, because your account sends traces to Whytrace.",
    expiresInMinutes: ONE_DAY_MINUTES,
  });

export const paymentFailedMail = (publicUrl: string, recipient: string): Mail =>
  composeMail({
    recipient,
    subject: "Your Whytrace payment failed",
    paragraphs: [
      "A payment for your plan did not go through. Your plan goes on for now; please look at your payment method.",
    ],
    action: { label: "Open billing", url: `${publicUrl}/settings/billing` },
    footnote: "If you have paid since, there is nothing you have to do.",
    expiresInMinutes: 3 * ONE_DAY_MINUTES,
  });
