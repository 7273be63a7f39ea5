import type { FastifyReply } from "fastify";

interface Page {
  total: number;
  page: number;
  limit: number;
}

/** Writes one page of a list: the items under `name`, then the page numbers. */
export const writePage = (name: string, items: string[], page: Page): string =>
  `{"${name}":[${items.join(",")}]${pageEnd(page)}`;

const pageEnd = (page: Page) => listEnd(pageNumbers(page));
const pageNumbers = ({ total, page, limit }: Page) => ({
  total,
  page,
  limit,
  totalPages: Math.ceil(total / limit),
});
const listEnd = (fields: object) => `,${JSON.stringify(fields).slice(1)}`;

/** Like `writePage`, for items that are read chunk by chunk, each chunk separated by commas. */
export const pageChunks = (name: string, chunks: AsyncIterable<Buffer[]>, page: Page) =>
  listChunks(name, chunks, pageNumbers(page));

/** Writes items that are read chunk by chunk, and then other fields. */
export async function* listChunks(
  name: string,
  chunks: AsyncIterable<Buffer[]>,
  fields: object,
): AsyncGenerator<Buffer[]> {
  let start = `{"${name}":[`;
  for await (const chunk of chunks) {
    yield [Buffer.from(start), ...chunk];
    start = ",";
  }
  yield [Buffer.from(`${start === "," ? "" : start}]${listEnd(fields)}`)];
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** Sends text or bytes that already are JSON. */
export const sendJson = (reply: FastifyReply, json: string | Buffer) => reply.type(JSON_TYPE).send(json);
