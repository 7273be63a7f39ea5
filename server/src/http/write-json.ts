import type { FastifyReply } from "fastify";

/**
 * A record as JSON text, its payload fields spliced in as the text they were stored with: never parsed, never
 * printed anew.
 */
export function writeRecord(record: object, payloads: ReadonlySet<string>): string {
  const fields = Object.entries(record).map(
    ([key, value]) =>
      `${JSON.stringify(key)}:${payloads.has(key) ? (value ?? "null") : JSON.stringify(value ?? null)}`,
  );
  return `{${fields.join(",")}}`;
}

export const writeList = (items: string[]) => `[${items.join(",")}]`;

export interface Page {
  total: number;
  page: number;
  limit: number;
}

/** One page of a list: its items under their name, then where it stands in the whole. */
export function writePage(name: string, items: string[], { total, page, limit }: Page): string {
  const rest = JSON.stringify({ total, page, limit, totalPages: Math.ceil(total / limit) });
  return `{"${name}":${writeList(items)},${rest.slice(1)}`;
}

/** Sends text that is JSON already. */
export const sendJson = (reply: FastifyReply, text: string) =>
  reply.type("application/json; charset=utf-8").send(text);
