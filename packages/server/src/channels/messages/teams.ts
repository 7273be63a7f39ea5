import { escapeMarkdown } from "./escape-markdown.ts";
import type { Message } from "./message.ts";

const MAX_TEXT_LENGTH = 4_000;

/** An Adaptive Card, as workflows of Teams take it. */
export const toTeams = ({ head, lines, url }: Message): object => ({
  type: "message",
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        body: [
          {
            type: "TextBlock",
            text: escapeMarkdown(head, MAX_TEXT_LENGTH),
            weight: "Bolder",
            size: "Medium",
            wrap: true,
          },
          // Teams joins lines of a text unless an empty one is between them.
          { type: "TextBlock", text: escapeMarkdown(lines.join("\n\n"), MAX_TEXT_LENGTH), wrap: true },
        ],
        actions: [{ type: "Action.OpenUrl", title: "Open in Whytrace", url }],
      },
    },
  ],
});
