import type { FastifyReply } from "fastify";

/** Writes a record as JSON. Payload fields hold stored JSON text and are copied without parsing. */
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

/** Writes one page of a list: the items under `name`, then the page numbers. */
export function writePage(name: string, items: string[], { total, page, limit }: Page): string {
  const rest = JSON.stringify({ total, page, limit, totalPages: Math.ceil(total / limit) });
  return `{"${name}":${writeList(items)},${rest.slice(1)}`;
}

/** Sends a string that already is JSON. */
export const sendJson = (reply: FastifyReply, json: string) =>
  reply.type("application/json; charset=utf-8").send(json);
