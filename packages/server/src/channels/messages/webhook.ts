import { type EventData, parseEventData } from "./event-data.ts";
import { type MessageContext, type StoredEvent, urlOf } from "./message.ts";
import { shorten } from "./shorten.ts";

/** So that the body stays below 20 KB: an event has few texts. */
const MAX_TEXT_LENGTH = 500;

export const toWebhook = (
  { type, at, sequence, payload }: StoredEvent,
  { workspaceId, workspace }: MessageContext,
): object => {
  const data: EventData = parseEventData(payload);
  return {
    type,
    timestamp: at,
    data: {
      workspace: { id: workspaceId, name: workspace.name },
      sequence,
      ...Object.fromEntries(Object.entries(data).map(([key, value]) => [key, shortenTexts(value)])),
      url: urlOf(data, workspace),
    },
  };
};

function shortenTexts(value: unknown): unknown {
  if (typeof value === "string") return shorten(value, MAX_TEXT_LENGTH);
  if (Array.isArray(value)) return value.slice(0, 20).map(shortenTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenTexts(inner)]));
}
