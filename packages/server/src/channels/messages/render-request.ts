import type { ChannelKind } from "@whytrace/contract/schemas/alerts/channels";
import { toDiscord } from "./discord.ts";
import { type Message, type MessageContext, type StoredEvent, toDigest, toMessage } from "./message.ts";
import { opsgenieUrl, toOpsgenie } from "./opsgenie.ts";
import { toPagerDuty } from "./pagerduty.ts";
import { toSlack } from "./slack.ts";
import { toTeams } from "./teams.ts";
import { toWebhook } from "./webhook.ts";

const SHAPES: Readonly<Record<Exclude<ChannelKind, "webhook">, (message: Message) => object>> = {
  slack: toSlack,
  discord: toDiscord,
  teams: toTeams,
  pagerduty: toPagerDuty,
  opsgenie: toOpsgenie,
};

/** The body of a message in the shape of its channel, without secrets. Several events make a digest, which only people get. */
export function renderRequest(
  kind: ChannelKind,
  events: readonly [StoredEvent, ...StoredEvent[]],
  context: MessageContext,
): string {
  const [event] = events;
  if (kind === "webhook") return JSON.stringify(toWebhook(event, context));
  const message = events.length === 1 ? toMessage(event, context) : toDigest(events, context);
  return JSON.stringify(SHAPES[kind](message));
}

/** Where a message goes: closing an alert of Opsgenie has an address of its own. */
export const requestUrl = (kind: ChannelKind, url: string, event: StoredEvent, context: MessageContext) =>
  kind === "opsgenie" ? opsgenieUrl(url, toMessage(event, context)) : url;
