import { z } from "zod";
import { pageInfo } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { count, instant } from "../values.ts";

export const CHANNEL_KINDS = ["webhook", "slack", "discord", "teams", "pagerduty", "opsgenie"] as const;
/** What a channel can be told. */
export const CHOSEN_EVENT_TYPES = [
  "issue.new",
  "issue.regressed",
  "issue.reopened",
  "issue.resolved",
  "alert.firing",
  "alert.recovered",
  "alert.no_data",
] as const;
const ALERT_EVENT_TYPES = [...CHOSEN_EVENT_TYPES, "channel.test"] as const;
export const DELIVERY_STATES = ["waiting", "sending", "retrying", "delivered", "failed", "dropped"] as const;
export const MAX_CHANNELS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_SECRET_LENGTH = 500;
const MAX_AGENTS = 100;

const events = z.array(z.enum(CHOSEN_EVENT_TYPES));

export const channel = z.object({
  id: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  name: z.string(),
  url: z
    .string()
    .describe("The address of a chat is a secret: only its origin and last 4 characters are shown"),
  events: events.describe("What it is told"),
  agents: z.array(z.string()).describe("Only events of these agents; empty: of all"),
  isEnabled: z.boolean(),
  disabledReason: z.string().nullable(),
  failingSince: instant.nullable().describe("Since when no message was delivered"),
  previousSecretExpiresAt: instant.nullable().describe("Until then, two secrets sign"),
  createdAt: instant,
});
export const channelList = z.object({ channels: z.array(channel) });
export const createdChannel = channel.extend({
  secret: z.string().optional().describe("Signs the messages of a webhook. It is shown only once"),
});

const fields = {
  name: plainText(MAX_NAME_LENGTH),
  /** Its error texts are sentences of their own, so the server checks it (channels/address/parse-channel-url.ts). */
  url: z.unknown().optional().meta({ type: "string", description: "Where messages are posted" }),
  secret: plainText(MAX_SECRET_LENGTH)
    .optional()
    .describe("The routing key of PagerDuty, or the API key of Opsgenie"),
  events: events.optional().describe("Default: all"),
  agents: z.array(plainText(1_000)).max(MAX_AGENTS).optional().describe("Default: all"),
};
export const newChannel = z.object({ kind: z.enum(CHANNEL_KINDS), ...fields });
export const changedChannel = z.object({
  ...fields,
  name: fields.name.optional(),
  isEnabled: z.boolean().optional().describe("true clears the reason for which it was disabled"),
});
export const rotatedSecret = z.object({
  secret: z.string(),
  previousExpiresAt: instant.describe("Until then, both secrets sign"),
});
export const sentTest = z.object({ deliveryId: z.string() });

const delivery = z.object({
  id: z.string(),
  type: z.enum(ALERT_EVENT_TYPES),
  messageId: z.string().describe("The header webhook-id, the same in every attempt"),
  state: z.enum(DELIVERY_STATES),
  createdAt: instant,
  nextAttemptAt: instant.nullable(),
  request: z.string().nullable().describe("The body without secrets; kept for 7 days"),
  attempts: z.array(
    z.object({
      at: instant,
      status: count.nullable(),
      durationMs: count,
      error: z.string().nullable(),
      response: z.string().nullable().describe("The first KiB"),
    }),
  ),
});
export const deliveryList = z.object({ deliveries: z.array(delivery), ...pageInfo.shape });
export const resentDelivery = z.object({ id: z.string(), messageId: z.string() });

export type ChannelKind = (typeof CHANNEL_KINDS)[number];
export type AlertEventType = (typeof ALERT_EVENT_TYPES)[number];
export type DeliveryState = (typeof DELIVERY_STATES)[number];
export type Channel = z.infer<typeof channel>;
export type NewChannel = z.infer<typeof newChannel>;
export type ChangedChannel = z.infer<typeof changedChannel>;
export type Delivery = z.infer<typeof delivery>;
export type DeliveryList = z.infer<typeof deliveryList>;
