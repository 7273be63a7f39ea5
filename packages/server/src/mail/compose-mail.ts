import type { Mail } from "./mail.ts";

interface MailContent {
  recipient: string;
  subject: string;
  paragraphs: string[];
  /** Shown as a button. */
  action?: { label: string; url: string };
  /** Shown in small print below the action. */
  footnote: string;
  expiresInMinutes: number;
}

/** Renders the content as plain text and as HTML with inline styles, which old mail clients display too. */
export function composeMail({
  recipient,
  subject,
  paragraphs,
  action,
  footnote,
  expiresInMinutes,
}: MailContent): Mail {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    footnote,
    "Whytrace",
  ].join("\n\n");
  return {
    recipient,
    subject,
    text: `${text}\n`,
    html: renderHtml({ subject, paragraphs, action, footnote }),
    expiresInMinutes,
  };
}

function renderHtml({
  subject,
  paragraphs,
  action,
  footnote,
}: Pick<MailContent, "subject" | "paragraphs" | "footnote"> & { action: MailContent["action"] }) {
  const paragraph = (content: string, style: string) =>
    `<p style="margin:0 0 16px;${style}">${escapeHtml(content)}</p>`;
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#4338CA;color:#FFFFFF;text-decoration:none;font-weight:600">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;color:#52525B;font-size:13px;word-break:break-all">${escapeHtml(action.url)}</p>`
    : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#F7F7F8;color:#18181B;font:15px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#FFFFFF;border-radius:6px">
<p style="margin:0 0 24px;font-weight:700;font-size:18px">Whytrace</p>
${paragraphs.map((content) => paragraph(content, "")).join("\n")}
${button}
${paragraph(footnote, "color:#52525B;font-size:13px")}
</div></body></html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
