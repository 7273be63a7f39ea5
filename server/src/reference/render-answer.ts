import type { Response } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderFields } from "./render-fields.ts";

/** More error texts than this are folded away, as the fields of a success are. */
const TEXTS_SHOWN = 6;

/** One answer: its status, its headers, and its fields or its error texts. */
export function renderAnswer(status: string, { description, content = {}, headers = {} }: Response): Html {
  const [type, media] = Object.entries(content)[0] ?? [];
  const texts = Object.keys(media?.examples ?? {});
  const only = texts.length === 1 ? html`: <code>${texts[0]}</code>` : undefined;
  const title = html`<span class="status s${status.charAt(0)}">${status}</span> ${description}${only}`;
  const details = [
    ...Object.entries(headers).map(
      ([name, header]) => html`<p class="line"><code>${name}</code>: ${header.description}</p>`,
    ),
    type && type !== "application/json" ? html`<p class="line"><code>${type}</code></p>` : undefined,
    texts.length > 1 ? renderTexts(texts) : undefined,
    texts.length === 0 && media ? renderFields(media.schema, false) : undefined,
  ].filter((one) => one !== undefined);
  if (details.length === 0) return html`<div class="answer">${title}</div>`;
  if (texts.length > 0 && texts.length <= TEXTS_SHOWN)
    return html`<div class="answer">${title}${details}</div>`;
  const count = texts.length > 0 ? html` <span class="quiet small">${texts.length} texts</span>` : undefined;
  return html`<details class="answer"><summary>${title}${count}</summary>${details}</details>`;
}

const renderTexts = (texts: string[]) =>
  html`<ul class="texts">${texts.map((text) => html`<li><code>${text}</code></li>`)}</ul>`;
