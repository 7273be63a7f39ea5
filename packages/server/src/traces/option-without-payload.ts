/** The fields of an option that say its name, as `optionName` of the contract reads them. */
const NAME_KEYS = new Set(["name", "tool", "label", "id", "action", "route"]);
/** Longer keys are not compared: no escape of JSON makes a name longer than this. */
const MAX_KEY_BYTES = 64;
/** What is longer is no name. */
const MAX_NAME_CHARACTERS = 200;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Space, tab and the two line ends. */
const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/**
 * What is left of an option, or of a list of options, without payloads: names. A text and a number stay, an object keeps
 * the fields that name it. The rest may be what a model said or what a tool was called with.
 *
 * It reads the bytes once and builds nothing of what it leaves out: an option can be megabytes long. The JSON is valid,
 * because the database stores no other.
 */
export function optionWithoutPayload(json: Buffer): Buffer {
  const start = skipSpace(json, 0);
  return Buffer.from(
    json[start] === OPEN_ARRAY ? listWithoutPayloads(json, start) : withoutPayload(json, start),
  );
}

function listWithoutPayloads(json: Buffer, start: number): string {
  const options: string[] = [];
  for (const item of itemsOf(json, start)) options.push(withoutPayload(json, item.start));
  return `[${options.join(",")}]`;
}

function withoutPayload(json: Buffer, start: number): string {
  switch (json[start]) {
    case QUOTE:
      return nameOf(json, start, endOfString(json, start));
    case OPEN_OBJECT:
      return namesOfObject(json, start);
    case OPEN_ARRAY:
      return "[]";
    default: {
      const end = endOfValue(json, start);
      return end - start > MAX_NAME_CHARACTERS ? "null" : json.toString("latin1", start, end);
    }
  }
}

/** An object with those of its fields that say its name. Of fields with the same key, the last one counts. */
function namesOfObject(json: Buffer, start: number): string {
  const names = new Map<string, string>();
  for (const { key, start: valueStart } of itemsOf(json, start)) {
    if (!key || key.end - key.start > MAX_KEY_BYTES) continue;
    const name: string = JSON.parse(json.toString("utf8", key.start, key.end));
    if (!NAME_KEYS.has(name)) continue;
    if (json[valueStart] === QUOTE) names.set(name, nameOf(json, valueStart, endOfString(json, valueStart)));
    else names.delete(name);
  }
  return `{${[...names].map(([key, name]) => `"${key}":${name}`).join(",")}}`;
}

function nameOf(json: Buffer, start: number, end: number): string {
  // Its bytes are at least as many as its characters.
  if (end - start <= MAX_NAME_CHARACTERS) return json.toString("utf8", start, end);
  const text: string = JSON.parse(json.toString("utf8", start, end));
  return JSON.stringify(text.slice(0, MAX_NAME_CHARACTERS).toWellFormed());
}

interface Item {
  key?: { start: number; end: number };
  /** Where its value starts. */
  start: number;
}

/** The items of an array, or the fields of an object. */
function* itemsOf(json: Buffer, start: number): Generator<Item> {
  const isObject = json[start] === OPEN_OBJECT;
  let offset = skipSpace(json, start + 1);
  while (offset < json.length && json[offset] !== CLOSE_OBJECT && json[offset] !== CLOSE_ARRAY) {
    let key: Item["key"];
    if (isObject) {
      key = { start: offset, end: endOfString(json, offset) };
      offset = skipSpace(json, key.end);
      offset = skipSpace(json, json[offset] === COLON ? offset + 1 : offset);
    }
    yield key ? { key, start: offset } : { start: offset };
    offset = skipSpace(json, endOfValue(json, offset));
    if (json[offset] === COMMA) offset = skipSpace(json, offset + 1);
  }
}

function skipSpace(json: Buffer, start: number): number {
  let offset = start;
  while (isSpace(json[offset])) offset += 1;
  return offset;
}

function endOfValue(json: Buffer, start: number): number {
  const first = json[start];
  if (first === QUOTE) return endOfString(json, start);
  let depth = 0;
  for (let offset = start; offset < json.length; offset += 1) {
    const byte = json[offset];
    if (byte === QUOTE) offset = endOfString(json, offset) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      // The bracket of what contains the value.
      if (depth === 0) return offset;
      depth -= 1;
      if (depth === 0) return offset + 1;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return offset;
  }
  return json.length;
}

/** The string starts with its quote. */
function endOfString(json: Buffer, start: number): number {
  for (let offset = start + 1; offset < json.length; offset += 1) {
    const byte = json[offset];
    if (byte === BACKSLASH) offset += 1;
    else if (byte === QUOTE) return offset + 1;
  }
  return json.length;
}
