import type { Response } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderFields } from "./render-fields.ts";

/** Longer lists of error texts are collapsed, like the fields of a successful response. */
const MAX_TEXTS_SHOWN = 6;

/** Renders a response: its status, its headers, and its fields or error texts. */
export function renderResponse(status: string, { description, content = {}, headers = {} }: Response): Html {
  const [type, media] = Object.entries(content)[0] ?? [];
  const texts = Object.keys(media?.examples ?? {});
  const singleText = texts.length === 1 ? html`: <code>${texts[0]}</code>` : undefined;
  const title = html`<span class="status s${status.charAt(0)}">${status}</span> ${description}${singleText}`;
  const details = [
    ...Object.entries(headers).map(
      ([name, header]) => html`<p class="line"><code>${name}</code>: ${header.description}</p>`,
    ),
    type && type !== "application/json" ? html`<p class="line"><code>${type}</code></p>` : undefined,
    texts.length > 1 ? renderTexts(texts) : undefined,
    texts.length === 0 && media ? renderFields(media.schema, false) : undefined,
  ].filter((detail) => detail !== undefined);
  if (details.length === 0) return html`<div class="response">${title}</div>`;
  if (texts.length > 0 && texts.length <= MAX_TEXTS_SHOWN)
    return html`<div class="response">${title}${details}</div>`;
  const count =
    texts.length > 0 ? html` <span class="quiet small">${texts.length} error texts</span>` : undefined;
  return html`<details class="response"><summary>${title}${count}</summary>${details}</details>`;
}

const renderTexts = (texts: string[]) =>
  html`<ul class="texts">${texts.map((text) => html`<li><code>${text}</code></li>`)}</ul>`;
