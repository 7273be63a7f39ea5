import type { Message } from "./message.ts";
import { shorten } from "./shorten.ts";

export const PAGERDUTY_URL = "https://events.pagerduty.com/v2/enqueue";
const MAX_SUMMARY_LENGTH = 1_024;
const MAX_KEY_LENGTH = 255;

/** Events API v2, without the routing key. All events of an issue or rule have one key, so they are one incident. */
export const toPagerDuty = ({ type, key, head, lines, url, isEnd, severity }: Message): object => ({
  event_action: isEnd ? "resolve" : "trigger",
  dedup_key: key.slice(0, MAX_KEY_LENGTH),
  payload: {
    summary: shorten(head, MAX_SUMMARY_LENGTH),
    source: "Whytrace",
    severity: type === "channel.test" ? "info" : severity,
    custom_details: { details: lines.join("\n") },
  },
  links: [{ href: url, text: "Open in Whytrace" }],
});
