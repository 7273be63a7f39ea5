// Small hostile bodies: one hostile value in every field of its type.

import { randomText } from "./large-bodies.ts";
import {
  batchWith,
  DATES,
  ENUMS,
  type Field,
  IDS,
  type Kind,
  NUMBERS,
  PAYLOADS,
  TEXTS,
} from "./support/hostile-bodies.ts";

interface SmallBody {
  /** What the body tests, for the report. */
  group: string;
  name: string;
  traceId: string;
  body: string | Buffer;
  status: 200 | 400;
  /** Text that the stored trace must contain. */
  storedText?: string;
}

const NUL_AND_SURROGATES = ["a\\u0000b", "a\\ud800b", "\\udc00", "\\ud800\\ud800\\udc00", "\\u0000"];
const REJECTED_NUMBERS = ["1e400", "-1e400", "9007199254740993", "-9007199254740993"];
const ACCEPTED_NUMBERS = ["2147483648", "9007199254740992", "-0.5", "1e300"];
const INVALID_DATES = [
  "Foo 1",
  "2024-02-30",
  "+275760-09-13T00:00:00.000Z",
  "275760-09-13",
  "10000-01-01",
  "",
];
const EXACT_PAYLOADS = [
  '{"__proto__":{"admin":true},"constructor":{"prototype":null},"toString":1}',
  '{"a":1,"a":2,"a":1}',
  '{"":[1e400,-1e400,9007199254740993,-0,1E+2,0.10,1e-400]}',
  '["\\u0000","\\ud800","\\udc00\\ud800","\\u00e9","é","\\/"]',
  '{"\\u0000":"\\u0000","\\ud800":null}',
  `${"[".repeat(250)}${"]".repeat(250)}`,
];

let bodyCount = 0;

export function* smallBodies(prefix: string): Generator<SmallBody> {
  const body = (group: string, field: Field, text: string, status: 200 | 400, storedText?: string) => {
    bodyCount += 1;
    const traceId = `${prefix}-${bodyCount}`;
    const name = `${field.join(".")} = ${text.slice(0, 60)}`;
    const expected = storedText === undefined ? {} : { storedText: `"${field[1]}":${storedText}` };
    return { group, name, traceId, body: batchWith(traceId, field, text), status, ...expected };
  };

  for (const text of NUL_AND_SURROGATES) {
    const group = "NUL and lone surrogates";
    for (const field of [...IDS, ...ENUMS, ...DATES]) yield body(group, field, `"${text}"`, 400);
    const shown = JSON.stringify(JSON.parse(`"${text}"`).toWellFormed().replaceAll("\0", "\uFFFD"));
    for (const field of TEXTS)
      yield field[1] === "tags"
        ? body(group, field, `["${text}"]`, 200, `[${shown}]`)
        : body(group, field, `"${text}"`, 200, shown);
    for (const field of PAYLOADS) yield body(group, field, `["${text}"]`, 200, `["${text}"]`);
  }
  for (const field of NUMBERS) {
    for (const text of REJECTED_NUMBERS) yield body("numbers", field, text, 400);
    for (const text of ACCEPTED_NUMBERS)
      yield body("numbers", field, text, 200, JSON.stringify(Number(text)));
  }
  for (const field of DATES)
    for (const text of INVALID_DATES) yield body("dates", field, JSON.stringify(text), 400);
  for (const field of PAYLOADS)
    for (const text of EXACT_PAYLOADS) {
      const value = field[1] === "alternatives" ? `[${text}]` : text;
      yield body("exact payloads", field, value, 200, value);
    }
  for (const field of ENUMS)
    for (const text of ['"__proto__"', '"constructor"', '{"toString":1}', "[[]]", "null"])
      yield body("exact payloads", field, text, 400);

  for (const field of IDS) {
    yield body("lengths", field, randomText(2_800), 400);
    yield body("lengths", field, JSON.stringify("é".repeat(513)), 400);
    const longest = randomText(1_026);
    yield body("lengths", field, longest, 200, field[0] === "decisionPoint" ? undefined : longest);
  }
  const tags: Field = ["trace", "tags"];
  yield body("lengths", tags, `[${randomText(12_000)}]`, 400);
  yield body("lengths", tags, `[${Array.from({ length: 1_001 }, () => '"a"').join(",")}]`, 400);
  const manyTags = `[${Array.from({ length: 1_000 }, () => randomText(1_026)).join(",")}]`;
  yield body("lengths", tags, manyTags, 200, manyTags);
  for (const kind of ["trace", "span", "event"] satisfies Kind[]) {
    yield body("lengths", [kind, "name"], randomText(16_400), 400);
    const longest = randomText(16_386);
    yield body("lengths", [kind, "name"], longest, 200, longest);
  }
  yield* malformed(prefix);
}

function* malformed(prefix: string): Generator<SmallBody> {
  const group = "malformed";
  const traceId = `${prefix}-malformed`;
  const good = batchWith(traceId, ["trace", "name"], '"good"');
  const bad: Record<string, string | Buffer> = {
    "invalid UTF-8": Buffer.from(good.replace('"good"', '"\xed\xa0\x80"'), "latin1"),
    "overlong UTF-8": Buffer.from(good.replace('"good"', '"\xc0\x80"'), "latin1"),
    "raw NUL": good.replace('"good"', '"\0"'),
    "byte order mark": `\uFEFF${good}`,
    "trailing text": `${good}]`,
    "empty body": "",
    "traces of the prototype": `{"__proto__":${good}}`,
    "an unfinished escape": '{"traces":["\\u12"]}',
    NaN: '{"traces":[NaN]}',
    "a list": `[${good}]`,
  };
  for (const [name, body] of Object.entries(bad)) yield { group, name, traceId, body, status: 400 };
  const twice = good.replace('"name":"good"', '"name":"first","__proto__":{"id":"x"},"name":"last"');
  yield { group, name: "a field twice", traceId, body: twice, status: 200, storedText: '"name":"last"' };
  const traces = `{"traces":7,"__proto__":{"traces":7},${good.slice(1)}`;
  yield { group, name: "traces twice", traceId, body: traces, status: 200, storedText: '"name":"good"' };
}
