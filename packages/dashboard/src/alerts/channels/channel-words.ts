import type { Channel, ChannelKind, Delivery } from "../model/alert-types.ts";

export const CHANNEL_KINDS: readonly ChannelKind[] = [
  "slack",
  "webhook",
  "discord",
  "teams",
  "pagerduty",
  "opsgenie",
];
export const CHANNEL_NAMES: Record<ChannelKind, string> = {
  webhook: "Webhook",
  slack: "Slack",
  discord: "Discord",
  teams: "Teams",
  pagerduty: "PagerDuty",
  opsgenie: "Opsgenie",
};
/** Where to get the address. */
export const URL_HINTS: Record<ChannelKind, string> = {
  webhook:
    "Your server gets a signed POST (Standard Webhooks). The address must be public, or in a network that the operator allows (WEBHOOK_ALLOWED_NETWORKS).",
  slack: "In Slack: Apps, Incoming Webhooks, Add to a channel, copy the address.",
  discord: "In Discord: Edit channel, Integrations, Webhooks, copy the address.",
  teams: "In Teams: Workflows, Post to a channel when a webhook request is received.",
  pagerduty: "The address of Events API v2.",
  opsgenie: "The address of the Alert API.",
};
export const DEFAULT_URLS: Partial<Record<ChannelKind, string>> = {
  pagerduty: "https://events.pagerduty.com/v2/enqueue",
  opsgenie: "https://api.opsgenie.com/v2/alerts",
};
export const SECRET_LABELS: Partial<Record<ChannelKind, string>> = {
  pagerduty: "Routing key",
  opsgenie: "API key",
};
export const EVENTS: readonly [type: Channel["events"][number], words: string][] = [
  ["issue.new", "a new issue"],
  ["issue.regressed", "an issue that came back"],
  ["issue.reopened", "an issue that is no longer ignored"],
  ["issue.resolved", "a resolved issue"],
  ["alert.firing", "a rule that fires"],
  ["alert.recovered", "a rule that recovered"],
  ["alert.no_data", "a rule without data"],
];
export const DELIVERY_TINTS: Record<Delivery["state"], string> = {
  waiting: "text-muted",
  sending: "text-running",
  retrying: "text-retry",
  delivered: "text-completed",
  failed: "text-error",
  dropped: "text-muted",
};
