import type { Message } from "./message.ts";
import { shorten } from "./shorten.ts";

export const OPSGENIE_URL = "https://api.opsgenie.com/v2/alerts";
const MAX_MESSAGE_LENGTH = 130;
const MAX_ALIAS_LENGTH = 512;

const aliasOf = ({ key }: Message) => key.slice(0, MAX_ALIAS_LENGTH);

export const toOpsgenie = (message: Message): object =>
  message.isEnd
    ? { source: "Whytrace", note: message.head }
    : {
        message: shorten(message.head, MAX_MESSAGE_LENGTH),
        alias: aliasOf(message),
        description: message.lines.join("\n"),
        source: "Whytrace",
        details: { url: message.url },
      };

/** An alert is closed at an address of its own. */
export const opsgenieUrl = (url: string, message: Message) =>
  message.isEnd
    ? `${url.replace(/\/$/, "")}/${encodeURIComponent(aliasOf(message))}/close?identifierType=alias`
    : url;
