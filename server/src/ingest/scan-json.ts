import { isUtf8 } from "node:buffer";
import { RawJson, SOURCE } from "@whytrace/contract";
import { JsonSyntaxError } from "./json-errors.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, JsonLexer, LETTER_N, OPEN_ARRAY, OPEN_OBJECT } from "./json-lexer.ts";
import { JsonReader } from "./json-reader.ts";
import { PLAIN, RAW, type RecordFields, type Shape } from "./json-shape.ts";
import { type KnownKey, KnownKeys } from "./known-keys.ts";

/*
 * Reads a request body in one pass and builds only what the service looks at. Payloads are checked to be JSON and
 * returned as the bytes they were sent in. So they are stored and returned exactly (2^53+1, 1e400, "\u0000", duplicate
 * keys), and nothing parses and prints them on the way.
 *
 * JsonLexer moves over the bytes and checks them, JsonReader reads single values, Scanner builds what the shape asks for.
 */

/** How many bytes are scanned before the scan pauses. */
const STEP_BYTES = 128 * 1024;

/** Scans the body without pausing. */
export function scanJson(bytes: Buffer, shape: Shape): unknown {
  const steps = scanSteps(bytes, shape);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Scans the body in steps, so that the caller can run other work between them. */
export function* scanSteps(bytes: Buffer, shape: Shape): Generator<undefined, unknown> {
  if (!isUtf8(bytes)) throw new JsonSyntaxError();
  const lexer = new JsonLexer(bytes);
  const value = yield* new Scanner(lexer).scan(shape, 1);
  lexer.end();
  return value;
}

class Scanner {
  readonly #lexer: JsonLexer;
  readonly #reader: JsonReader;
  #stepEnd = STEP_BYTES;

  constructor(lexer: JsonLexer) {
    this.#lexer = lexer;
    this.#reader = new JsonReader(lexer);
  }

  /** Only lists are long enough to pause in, so everything without a list is scanned by ordinary functions. */
  *scan(shape: Shape, depth: number): Generator<undefined, unknown> {
    const lexer = this.#lexer;
    lexer.skipBlanks();
    if (typeof shape !== "object") return this.#scanValue(shape, depth);
    const first = lexer.bytes[lexer.position];
    if ("list" in shape)
      return first === OPEN_ARRAY ? yield* this.#scanList(shape.list, depth) : this.#scanValue(PLAIN, depth);
    if (first !== OPEN_OBJECT) return this.#scanValue(PLAIN, depth);
    const { keys, hasList } = prepared(shape.record);
    return hasList ? yield* this.#scanRecord(keys, depth) : this.#scanFlatRecord(keys, depth);
  }

  #scanValue(shape: Shape, depth: number): unknown {
    const lexer = this.#lexer;
    const start = lexer.position;
    lexer.skipValue(depth);
    if (shape !== RAW) return this.#reader.value(start);
    return lexer.bytes[start] === LETTER_N ? null : new RawJson(lexer.bytes, start, lexer.position);
  }

  *#scanRecord(keys: KnownKeys<Shape>, depth: number): Generator<undefined, Record<string, unknown>> {
    const lexer = this.#lexer;
    lexer.count(depth);
    const record: Record<string, unknown> = {};
    lexer.position += 1;
    if (lexer.closesAtOnce(CLOSE_OBJECT)) return record;
    do {
      const key = this.#scanKey(keys);
      if (key === undefined) lexer.skipValue(depth + 1);
      else if (typeof key.value === "string") record[key.name] = this.#scanValue(key.value, depth + 1);
      else record[key.name] = yield* this.scan(key.value, depth + 1);
    } while (lexer.hasNext(CLOSE_OBJECT));
    return record;
  }

  /** Scans a record without lists. */
  #scanFlatRecord(keys: KnownKeys<Shape>, depth: number): Record<string | typeof SOURCE, unknown> {
    const lexer = this.#lexer;
    lexer.count(depth);
    const start = lexer.position;
    const record: Record<string | typeof SOURCE, unknown> = { [SOURCE]: undefined };
    lexer.position += 1;
    if (lexer.closesAtOnce(CLOSE_OBJECT)) return record;
    do {
      const key = this.#scanKey(keys);
      if (key === undefined) lexer.skipValue(depth + 1);
      else record[key.name] = this.#scanValue(key.value, depth + 1);
    } while (lexer.hasNext(CLOSE_OBJECT));
    record[SOURCE] = new RawJson(lexer.bytes, start, lexer.position);
    return record;
  }

  *#scanList(item: Shape, depth: number): Generator<undefined, unknown[]> {
    const lexer = this.#lexer;
    lexer.count(depth);
    const list: unknown[] = [];
    lexer.position += 1;
    if (lexer.closesAtOnce(CLOSE_ARRAY)) return list;
    do {
      if (lexer.position > this.#stepEnd) {
        yield;
        this.#stepEnd = lexer.position + STEP_BYTES;
      }
      list.push(yield* this.scan(item, depth + 1));
    } while (lexer.hasNext(CLOSE_ARRAY));
    return list;
  }

  /** Moves to the value of the next key; undefined if the shape does not name that key. */
  #scanKey(keys: KnownKeys<Shape>): KnownKey<Shape> | undefined {
    const lexer = this.#lexer;
    lexer.skipBlanks();
    const start = lexer.position;
    lexer.skipString();
    const key = lexer.hasEscape
      ? keys.named(this.#reader.string(start))
      : keys.find(lexer.bytes, start + 1, lexer.position - 1);
    lexer.skipColon();
    lexer.skipBlanks();
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
