/*
 * Traces whose payloads a JSON parser and serializer would change. Every payload follows from its place and version, so a
 * check can create it again instead of remembering it.
 */
const AT = "2026-01-01T00:00:00.000Z";
const SPANS = 300;
const EVENTS = 100;
/** A trace gets this many spans more with each version. */
const ADDED_SPANS = 4;
const FIELDS = { spans: ["input", "output", "metadata"], events: ["metadata"] };

export type OddKind = keyof typeof FIELDS;

/** The payloads of a trace in its first version. */
export const PAYLOADS_PER_TRACE = SPANS * FIELDS.spans.length + EVENTS * FIELDS.events.length;

const childCount = (kind: OddKind, version: number) =>
  kind === "spans" ? SPANS + version * ADDED_SPANS : EVENTS;

/** A random number generator (mulberry32) of a place. */
class Random {
  #state: number;

  constructor(...place: number[]) {
    this.#state = place.reduce(
      (state, n) => Math.imul(state ^ (n + 0x9e3779b9), 0x85ebca6b) ^ (state >>> 13),
      1,
    );
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  below(limit: number): number {
    return this.next() % limit;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}

const STRINGS = [
  '""',
  '"\\u0000"',
  '"a\\u0000b\\ud800c"',
  '"\\udfff\\ud800"',
  '"\\ud83d\\ude00 😀 👩‍👩‍👧"',
  '"\\/ / \\u002f \\u0061 \\b\\f\\n\\r\\t"',
  '"\u2028\u2029\ufeff\u0085\u202e"',
  '"é é \\u00e9 \\u00E9"',
  '"\\"}]{[,:"',
  '"\u{10ffff}\\\\"',
] as const;
const NUMBERS = [
  "9007199254740993",
  "-9007199254740993",
  "1e400",
  "-1E+400",
  "1e-400",
  "-0",
  "-0.0",
  "0.10000000000000000555",
  "123456789012345678901234567890",
  "1.0e0",
] as const;
const BLANKS = ["", "", "", " ", "\n", "\t ", "\r\n  "] as const;
const KEYS = ['"a"', '"a"', '"__proto__"', '""', '"\\u0061"', '"\\u0000"', '"ключ"'] as const;

function value(random: Random, depth: number): string {
  const blank = () => random.pick(BLANKS);
  switch (random.below(depth > 0 ? 7 : 4)) {
    case 0:
      return random.pick(STRINGS);
    case 1:
      return random.pick(NUMBERS);
    case 2:
      return String(random.next());
    case 3:
      return random.pick(["true", "false", "null", "{}", "[]", "{ }", "[\n]"]);
    case 4:
      return `"${"word ".repeat(random.below(12))}${random.next()}"`;
    case 5: {
      const items = Array.from(
        { length: random.below(5) },
        () => `${blank()}${value(random, depth - 1)}${blank()}`,
      );
      return `[${items.join(",") || blank()}]`;
    }
    default: {
      const items = Array.from(
        { length: random.below(5) },
        () => `${blank()}${random.pick(KEYS)}${blank()}:${blank()}${value(random, depth - 1)}${blank()}`,
      );
      return `{${items.join(",") || blank()}}`;
    }
  }
}

/** Rarely larger than a part, deeply nested, or null. */
function payload(random: Random): string {
  const kind = random.below(10_000);
  if (kind === 0) return `"${"0123456789abcdef ".repeat(90_000)}${random.next()}"`;
  if (kind < 10) {
    const bytes = Array.from({ length: 2_000 + random.below(4_000) }, () => random.next().toString(36));
    return `"${bytes.join("")}"`;
  }
  if (kind < 30) return `${"[".repeat(60)}${value(random, 0)}${"]".repeat(60)}`;
  if (kind < 300) return "null";
  return value(random, 3);
}

/** The newest version, up to this one, in which a child changed. */
function changedIn(trace: number, kind: OddKind, position: number, version: number): number {
  for (let last = version; last > 0; last -= 1) {
    const isNew = position >= childCount(kind, last - 1);
    if (isNew || new Random(trace, kind.length, position, last, 7).below(10) === 0) return last;
  }
  return 0;
}

/** The payloads of a child in the order of its fields. */
function childPayloads(trace: number, kind: OddKind, position: number, version: number): string[] {
  const random = new Random(trace, kind.length, position, changedIn(trace, kind, position, version));
  return FIELDS[kind].map(() => payload(random));
}

/** The payloads of all children, in the order of the trace. */
export const oddPayloads = (trace: number, kind: OddKind, version: number): string[][] =>
  Array.from({ length: childCount(kind, version) }, (_, position) =>
    childPayloads(trace, kind, position, version),
  );

export const oddTraceId = (trace: number) => `odd-${String(trace).padStart(6, "0")}`;

/** The body of a request with one trace. */
export function oddBody(trace: number, version: number, status: "RUNNING" | "COMPLETED"): string {
  const children = (kind: OddKind, fields: string) =>
    oddPayloads(trace, kind, version).map((payloads, n) => {
      const own = payloads.map((text, field) => `"${FIELDS[kind][field]}": ${text} `);
      return `{"id":"${kind}-${n}",${own.join(",")},${fields}}`;
    });
  const spans = children("spans", `"name":"s","type":"LLM_CALL","status":"COMPLETED","startedAt":"${AT}"`);
  const events = children("events", `"name":"e","type":"CUSTOM","timestamp":"${AT}"`);
  return `{"traces":[{"id":"${oddTraceId(trace)}","name":"odd","status":"${status}","tags":[],"startedAt":"${AT}",
    "spans":[${spans}],"decisionPoints":[],"events":[${events}]}]}`;
}

/** How many payloads of a response differ from what was sent. */
export function countWrongPayloads(response: Buffer, trace: number, version: number): number {
  let wrong = 0;
  const whole = objectSlices(response, 0);
  for (const kind of ["spans", "events"] as const) {
    const list = whole.get(kind);
    const expected = oddPayloads(trace, kind, version);
    const starts = list === undefined ? [] : itemStarts(response, list.start);
    if (starts.length !== expected.length) wrong += 1;
    for (const [position, start] of starts.entries()) {
      const slices = objectSlices(response, start);
      for (const [index, field] of FIELDS[kind].entries()) {
        const slice = slices.get(field);
        const text = slice && response.toString("utf8", slice.start, slice.end);
        if (text !== expected[position]?.[index]) wrong += 1;
      }
    }
  }
  return wrong;
}

interface Slice {
  start: number;
  end: number;
}

/** Where the values of an object are in the text, by key. The server writes its own objects without blanks. */
function objectSlices(text: Buffer, objectStart: number): Map<string, Slice> {
  const slices = new Map<string, Slice>();
  if (text[objectStart] !== OPEN_OBJECT) throw new Error(`No object at ${objectStart}`);
  for (let start = objectStart + 1; text[start] === QUOTE; ) {
    const keyEnd = valueEnd(text, start);
    const end = valueEnd(text, keyEnd + 1);
    slices.set(text.toString("utf8", start + 1, keyEnd - 1), { start: keyEnd + 1, end });
    start = end + 1;
  }
  return slices;
}

/** Where the items of a list start. */
function itemStarts(text: Buffer, listStart: number): number[] {
  const starts: number[] = [];
  for (let start = listStart + 1; text[start] === OPEN_OBJECT; start = valueEnd(text, start) + 1)
    starts.push(start);
  return starts;
}

const [QUOTE, BACKSLASH, COMMA, OPEN_OBJECT, CLOSED_OBJECT, OPEN_LIST, CLOSED_LIST] = Buffer.from('"\\,{}[]');

function valueEnd(text: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) {
      for (at += 1; text[at] !== QUOTE; at += 1) if (text[at] === BACKSLASH) at += 1;
      if (depth === 0) return at + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSED_OBJECT || byte === CLOSED_LIST) {
      // The end of the object or list that contains the value.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  throw new Error("The text is cut off");
}
