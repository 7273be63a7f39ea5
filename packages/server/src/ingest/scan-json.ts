import { isUtf8 } from "node:buffer";
import { RawJson, SOURCE } from "@whytrace/contract";
import { JsonSyntaxError } from "./json-errors.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, LETTER_N, OPEN_ARRAY, OPEN_OBJECT } from "./json-lexer.ts";
import { JsonReader } from "./json-reader.ts";
import { PLAIN, RAW, type RecordFields, type Shape } from "./json-shape.ts";
import { type KnownKey, KnownKeys } from "./known-keys.ts";

/*
 * Reads a request body in one pass and builds only the values that the server uses. Payloads are validated and returned
 * as the bytes that were sent, so they are stored and returned exactly (2^53+1, 1e400, "\u0000", duplicate keys) and never
 * parsed and serialized again.
 *
 * JsonLexer moves over the bytes and checks them, JsonReader reads single values, and Scanner builds what the shape
 * defines.
 */

/** How many bytes are scanned before the scan pauses. */
const STEP_BYTES = 128 * 1024;

/** Scans the body in steps, so that the caller can run other work between them. */
export function* scanSteps(bytes: Buffer, shape: Shape): Generator<undefined, unknown> {
  yield* checkUtf8(bytes);
  const scanner = new Scanner(bytes);
  const value = yield* scanner.scan(shape, 1);
  scanner.end();
  return value;
}

function* checkUtf8(bytes: Buffer): Generator<undefined> {
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + STEP_BYTES, bytes.length);
    // A step ends where a character ends. Invalid bytes move it by at most three.
    for (let n = 0; n < 3 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80; n += 1) end += 1;
    if (!isUtf8(bytes.subarray(start, end))) throw new JsonSyntaxError();
    start = end;
    if (start < bytes.length) yield;
  }
}

class Scanner extends JsonReader {
  #stepEnd = STEP_BYTES;

  /** Only lists are long enough to pause in, so everything without a list is scanned by ordinary functions. */
  *scan(shape: Shape, depth: number): Generator<undefined, unknown> {
    this.skipBlanks();
    if (typeof shape !== "object") return this.#scanValue(shape, depth);
    const first = this.bytes[this.position];
    if ("list" in shape)
      return first === OPEN_ARRAY ? yield* this.#scanList(shape.list, depth) : this.#scanValue(PLAIN, depth);
    if (first !== OPEN_OBJECT) return this.#scanValue(PLAIN, depth);
    const { keys, hasList } = prepared(shape.record);
    return hasList ? yield* this.#scanRecord(keys, depth) : this.#scanFlatRecord(keys, depth);
  }

  #scanValue(shape: Shape, depth: number): unknown {
    const start = this.position;
    this.skipValue(depth);
    if (shape !== RAW) return this.readValue(start);
    return this.bytes[start] === LETTER_N ? null : new RawJson(this.bytes, start, this.position);
  }

  *#scanRecord(keys: KnownKeys<Shape>, depth: number): Generator<undefined, Record<string, unknown>> {
    this.count(depth);
    const record: Record<string, unknown> = {};
    this.position += 1;
    if (this.closesAtOnce(CLOSE_OBJECT)) return record;
    do {
      const key = this.#scanKey(keys);
      if (key === undefined) this.skipValue(depth + 1);
      else if (typeof key.value === "string") record[key.name] = this.#scanValue(key.value, depth + 1);
      else record[key.name] = yield* this.scan(key.value, depth + 1);
    } while (this.hasNext(CLOSE_OBJECT));
    return record;
  }

  /** Scans a record without lists. */
  #scanFlatRecord(keys: KnownKeys<Shape>, depth: number): Record<string | typeof SOURCE, unknown> {
    this.count(depth);
    const start = this.position;
    const record: Record<string | typeof SOURCE, unknown> = { [SOURCE]: undefined };
    this.position += 1;
    if (this.closesAtOnce(CLOSE_OBJECT)) return record;
    do {
      const key = this.#scanKey(keys);
      if (key === undefined) this.skipValue(depth + 1);
      else record[key.name] = this.#scanValue(key.value, depth + 1);
    } while (this.hasNext(CLOSE_OBJECT));
    record[SOURCE] = new RawJson(this.bytes, start, this.position);
    return record;
  }

  *#scanList(item: Shape, depth: number): Generator<undefined, unknown[]> {
    this.count(depth);
    const list: unknown[] = [];
    this.position += 1;
    if (this.closesAtOnce(CLOSE_ARRAY)) return list;
    do {
      if (this.position > this.#stepEnd) {
        yield;
        this.#stepEnd = this.position + STEP_BYTES;
      }
      list.push(yield* this.scan(item, depth + 1));
    } while (this.hasNext(CLOSE_ARRAY));
    return list;
  }

  /** Moves to the value of the next key; undefined if the shape does not name that key. */
  #scanKey(keys: KnownKeys<Shape>): KnownKey<Shape> | undefined {
    this.skipBlanks();
    const start = this.position;
    this.skipString();
    const key = this.hasEscape
      ? keys.findByName(this.readString(start))
      : keys.find(this.bytes, start + 1, this.position - 1);
    this.skipColon();
    this.skipBlanks();
    return key;
  }
}

interface PreparedRecord {
  keys: KnownKeys<Shape>;
  hasList: boolean;
}

const preparedRecords = new WeakMap<RecordFields, PreparedRecord>();

function prepared(fields: RecordFields): PreparedRecord {
  let record = preparedRecords.get(fields);
  if (!record) {
    const hasList = [...fields.values()].some((shape) => typeof shape === "object");
    record = { keys: new KnownKeys(fields), hasList };
    preparedRecords.set(fields, record);
  }
  return record;
}
