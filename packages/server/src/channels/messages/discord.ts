import { escapeMarkdown } from "./escape-markdown.ts";
import type { Message } from "./message.ts";

const MAX_TITLE_LENGTH = 256;
const MAX_DESCRIPTION_LENGTH = 4_000;

export const toDiscord = ({ head, lines, url }: Message): object => ({
  allowed_mentions: { parse: [] },
  embeds: [
    {
      title: escapeMarkdown(head, MAX_TITLE_LENGTH),
      url,
      description: escapeMarkdown(lines.join("\n"), MAX_DESCRIPTION_LENGTH),
    },
  ],
});
