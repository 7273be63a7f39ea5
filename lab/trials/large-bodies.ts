// Hostile bodies of about 10 MiB or far more.
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { batchWith, type Field, tinyChildren, tinyTraces } from "./support/hostile-bodies.ts";

export const MIB = 1024 * 1024;
const BODY_BYTES = 10 * MIB;

interface LargeBody {
  name: string;
  body: string | Buffer | Readable;
  headers?: Record<string, string>;
  status: number;
  /** Text that the response must contain. */
  responseText?: string;
  /** Text that the stored trace must contain. */
  storedText?: string;
}

const METADATA: Field = ["trace", "metadata"];
const listOf = (count: number, item: string) => `[${`${item},`.repeat(count - 1)}${item}]`;

/** A batch with `text` in one field that the server accepts and returns unchanged. */
function accepted(name: string, id: string, field: Field, text: string): LargeBody {
  return { name, body: batchWith(id, field, text), status: 200, storedText: `"${field[1]}":${text}` };
}

function rejected(name: string, id: string, field: Field, text: string, responseText: string): LargeBody {
  return { name, body: batchWith(id, field, text), status: 400, responseText };
}

/** A JSON string that repeats one unit until the body is full. */
const filled = (unit: string) => `"${unit.repeat(Math.floor((BODY_BYTES - 1_000) / unit.length))}"`;

/** Generates the bodies lazily: all of them at once would not fit into memory. */
export async function* largeBodies(id: string): AsyncGenerator<LargeBody> {
  const deep = "[".repeat(BODY_BYTES / 2 - 500) + "]".repeat(BODY_BYTES / 2 - 500);
  yield { name: "nested arrays", body: deep, status: 400, responseText: "256 levels" };
  yield rejected("nested arrays in a payload", id, METADATA, deep, "256 levels");
  yield rejected("nested arrays as status", id, ["trace", "status"], deep, "256 levels");
  yield {
    name: "arrays never closed",
    body: "[".repeat(BODY_BYTES),
    status: 400,
    responseText: "256 levels",
  };

  const empties = listOf(3_490_000, "{}");
  yield {
    name: "3.49 million {} as traces",
    body: `{"traces":${empties}}`,
    status: 400,
    responseText: "1000000",
  };
  yield rejected("3.49 million {} in a payload", id, METADATA, empties, "1000000");
  const fewer = listOf(990_000, "{}");
  yield {
    name: "990,000 {} as traces",
    body: `{"traces":${fewer}}`,
    status: 400,
    responseText: "valid 'id'",
  };
  yield accepted("990,000 {} in a payload", id, METADATA, fewer);
  yield rejected("990,000 tags", id, ["trace", "tags"], listOf(990_000, '"a"'), "tags");
  yield rejected(
    "990,000 nulls as status",
    id,
    ["trace", "status"],
    listOf(990_000, "null"),
    "Invalid trace",
  );

  const digits = "9".repeat(10_000_000);
  yield accepted("10 million digits in a payload", id, METADATA, digits);
  yield rejected("10 million digits in a number field", id, ["span", "costUsd"], digits, "costUsd");

  yield accepted("10 MiB of escapes in a payload", id, METADATA, filled('\\n\\"'));
  yield accepted("10 MiB of escapes as chosen", id, ["decisionPoint", "chosen"], filled("\\u00e9"));
  const reasoning = batchWith(id, ["decisionPoint", "reasoning"], filled("\\u00e9"));
  yield { name: "10 MiB of escapes as reasoning", body: reasoning, status: 200 };
  yield rejected("10 MiB of escapes as id", id, ["span", "id"], filled("\\u00e9"), "id");
  yield rejected("10 MiB of escapes as name", id, ["trace", "name"], filled("\\u00e9"), "name");
  for (const field of ["chosen", "reasoning"]) {
    const text = `"${randomIdeographs(BODY_BYTES - 1_000)}"`;
    yield accepted(`10 MiB of random ideographs as ${field}`, id, ["decisionPoint", field], text);
  }

  yield { name: "60,000 tiny traces", body: tinyTraces(`${id}-`, 60_000), status: 200 };
  yield { name: "60,000 tiny traces again", body: tinyTraces(`${id}-`, 60_000), status: 200 };
  for (const kind of ["span", "decisionPoint", "event"] as const)
    yield { name: `60,000 tiny ${kind}s`, body: tinyChildren(id, kind, 60_000), status: 200 };

  const gzip = { "content-encoding": "gzip" };
  const bomb = await collect(zeros(1_024).pipe(createGzip()));
  yield { name: "gzip of 1 GiB of zeros", body: bomb, headers: gzip, status: 413, responseText: "max 10MB" };
  yield {
    name: "half a gzip",
    body: bomb.subarray(0, 1_000),
    headers: gzip,
    status: 400,
    responseText: "Invalid JSON",
  };
  yield { name: "11 MiB chunked", body: zeros(11), status: 413, responseText: "max 10MB" };
  yield { name: "11 MiB announced", body: Buffer.alloc(11 * MIB), status: 413, responseText: "max 10MB" };
}

const zeros = (mebibytes: number) => Readable.from(Array.from({ length: mebibytes }).fill(Buffer.alloc(MIB)));

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** Text that hardly compresses or repeats its trigrams: the worst case for the trigram search index. */
function randomIdeographs(bytes: number): string {
  const units = randomBytes(Math.floor(bytes / 3) * 2);
  return Array.from({ length: units.length / 2 }, (_, i) =>
    String.fromCharCode(0x4e00 + (units.readUInt16LE(i * 2) % 20_000)),
  ).join("");
}

/** A JSON string of this many bytes that hardly compresses. */
export const randomText = (bytes: number) =>
  `"${randomBytes(Math.floor(((bytes - 2) * 3) / 4)).toString("base64")}"`;
