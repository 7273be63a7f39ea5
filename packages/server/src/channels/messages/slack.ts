import type { Message } from "./message.ts";
import { shorten } from "./shorten.ts";

const MAX_HEADER_LENGTH = 150;
const MAX_SECTION_LENGTH = 3_000;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escapeCharacter = (character: string) => ENTITIES[character] ?? character;

/** Mentions and links of Slack are in angle brackets. The limit holds for the escaped text. */
function escapeText(text: string, maxLength: number): string {
  const short = shorten(text, maxLength, (character) => escapeCharacter(character).length);
  return short.replace(/[&<>]/g, escapeCharacter);
}

/** For Slack, and for what speaks its format. */
export function toSlack({ head, lines, url }: Message): object {
  const details = lines.join("\n");
  return {
    text: escapeText(head, MAX_SECTION_LENGTH),
    unfurl_links: false,
    blocks: [
      {
        type: "header",
        text: { type: "plain_text", text: escapeText(head, MAX_HEADER_LENGTH), emoji: false },
      },
      ...(details === ""
        ? []
        : [
            {
              type: "section",
              text: { type: "mrkdwn", text: escapeText(details, MAX_SECTION_LENGTH), verbatim: true },
            },
          ]),
      {
        type: "actions",
        elements: [{ type: "button", text: { type: "plain_text", text: "Open in Whytrace" }, url }],
      },
    ],
  };
}
