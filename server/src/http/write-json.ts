import type { FastifyReply } from "fastify";

export interface Page {
  total: number;
  page: number;
  limit: number;
}

/** Writes one page of a list: the items under `name`, then the page numbers. */
export const writePage = (name: string, items: string[], page: Page): string =>
  `{"${name}":[${items.join(",")}]${pageEnd(page)}`;

const pageEnd = ({ total, page, limit }: Page) =>
  `,${JSON.stringify({ total, page, limit, totalPages: Math.ceil(total / limit) }).slice(1)}`;

/** Like `writePage`, for items that are read chunk by chunk, each chunk separated by commas. */
export async function* pageChunks(
  name: string,
  chunks: AsyncIterable<Buffer[]>,
  page: Page,
): AsyncGenerator<Buffer[]> {
  let start = `{"${name}":[`;
  for await (const chunk of chunks) {
    yield [Buffer.from(start), ...chunk];
    start = ",";
  }
  yield [Buffer.from(`${start === "," ? "" : start}]${pageEnd(page)}`)];
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends text or bytes that already are JSON. */
export const sendJson = (reply: FastifyReply, json: string | Buffer) => reply.type(JSON_TYPE).send(json);
