import type { MaskingLevel, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { Random } from "@whytrace/demo";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { compileRules } from "./compile-rules.ts";
import { Masker } from "./masker.ts";
import { differenceEnd, RepeatedPayloads } from "./repeated-payloads.ts";

const KEY = Buffer.alloc(32, 7);
const SEQUENCES = volume(400);
const FILLER = "The customer asked twice whether the parcel was sent, and nobody knew. ";

const rule = (fields: Partial<MaskingRule>): MaskingRule => ({
  name: "own",
  method: "hash",
  type: "pattern",
  source: "*",
  ...fields,
});
const SETTINGS: readonly { level: MaskingLevel; rules: MaskingRule[] }[] = [
  { level: "secrets", rules: [] },
  { level: "personal", rules: [] },
  { level: "personal", rules: [rule({ pattern: "parcel \\d+" })] },
  { level: "personal", rules: [rule({ type: "anything", source: "input.messages.2.note", method: "mask" })] },
  { level: "secrets", rules: [rule({ type: "email", source: "messages:user" })] },
];

/** The value of a message, often with something to mask: plain, escaped, behind a quote, or in JSON inside the string. */
function content(random: Random): unknown {
  const number = random.between(1, 99);
  return random.pick([
    FILLER.repeat(random.between(0, 12)),
    `${FILLER}ann${number}@example.com`,
    `He said "call +49 30 90182${number}33" and "${FILLER}"`,
    `parcel ${number}\nann@example.com`,
    JSON.stringify({ password: `x${number}`, note: [FILLER, "bob@example.com"] }),
    `{"password": "x`,
    number,
    4_111_111_111_111_111,
    ["bob@example.com", FILLER, null, true],
    { api_key: `k${number}`, text: FILLER },
    "",
  ] as const);
}

const message = (random: Random) => ({
  role: random.pick(["user", "assistant", "tool"] as const),
  content: content(random),
  ...(random.chance(0.3) && { note: content(random) }),
});

/** A conversation that goes on, is cut, or is changed somewhere. */
function* payloads(random: Random): Generator<string> {
  const messages = [message(random)];
  const isCounting = random.chance(0.2);
  const tail = random.pick([
    {},
    { tools: [{ name: "refund", secret: FILLER }, "bob@example.com"] },
    { tools: [{ name: "refund", description: FILLER, parameters: { type: "object" } }] },
  ] as const);
  for (let calls = 0; calls < 8; calls += 1) {
    // The last number goes on in the next payload.
    const numbers = [1, Number("4111111111111111".slice(0, 9 + calls))];
    const text = JSON.stringify({
      about: FILLER.repeat(8),
      ...(isCounting && { numbers }),
      messages,
      ...tail,
    });
    yield random.chance(0.1) ? text.replaceAll("@", "\\u0040") : text;
    if (random.chance(0.15)) messages.splice(random.between(0, messages.length - 1), 1, message(random));
    if (random.chance(0.1)) messages.pop();
    for (let added = random.between(1, 3); added > 0; added -= 1) messages.push(message(random));
  }
}

/** What two payloads have in common, with beginnings that make a match of it or not. */
const CUTS: readonly [what: string, tail: string, heads: readonly string[]][] = [
  ["a name", 'word":"one","a":"two"}', ['{"x', '{"pass', '{"db_pass', '{"pass-']],
  ["a name before its quote", '":"one","a":"two"}', ['{"x', '{"password', '{"api_key', '{"max_tokens']],
  ["a name before its colon", ':"one","a":"two"}', ['{"x"', '{"password"', '{"api_key" ', '{"pass" ']],
  ["a name before blanks", ' \n : "one"}', ['{"x"', '{"password"', '{"apiKey"']],
  ["a name in a string", 'word\\":\\"one\\"}"', ['"{\\"x', '"{\\"pass', '"{\\"a\\":\\"b\\",\\"pass']],
  ["a name in a string before its colon", ': 1}"', ['"{\\"x\\"', '"{\\"password\\"', '"{\\"secret\\"\\n']],
  ["an escape", '040example.com"', ['"ann', '"ann\\u0', '"ann\\\\u0']],
  ["an escape behind its backslash", 'u0040example.com"', ['"ann', '"ann\\', '"ann\\\\']],
  ["a card", '1111 1111 1111"', ['"', '"4', '"4111 ', '"4111-', '"x4111 ']],
  ["a card that is a number", "111111111111", ["5,", "4111", "-4111", "0.4111", '"\\\\u",4111']],
  ["a key of a vendor", 'abcdefghijABCDEFGHIJ0123456789ab"', ['"', '"sk-', '"sk-proj-', '"xsk-', '"a\\nsk-']],
  ["a JWT", 'J0123456789ab.A0123456789ab.abcdefghijklm"', ['"a', '"ey', '"Bearer ']],
  ["a credential", 'abcdefghijklmnop"', ['"', '"Bearer ', '"basic\\t', '"bear']],
  ["a private key", 'E KEY-----\\nabc="', ['"', '"-----BEGIN PRIVAT', '"-----BEGIN RSA PRIVAT']],
  ["a password of a URL", 'b@host/"', ['"', '"https://a:', '"https://']],
  ["an address", 'example.com"', ['"', '"ann@', '"@', '"ann.b@mail.']],
  ["a telephone number", '90 18 23 33"', ['"', '"+49 30 ', '"49 30 ']],
  ["an account number", '0044 0532 0130 00"', ['"', '"DE89 3704 ', '"DE88 3704 ']],
  ["an IP address", '.69.142"', ['"', '"81.2', '"192.168', '"a\\n81.2']],
];

const FRAGMENTS = [
  ...[
    "pass",
    "word",
    "api",
    "_key",
    '"',
    '":',
    '":"',
    ":",
    " ",
    "\\",
    "\n",
    "u00",
    "{",
    '{"',
    "[",
    "}",
    "-",
    ".",
  ],
  ...["4111", "1111 1111", "1111", "ann", "@", "example.com", "+49 30 ", "9018", "2333", "81.2.", "69.142"],
  ...["sk-", "proj-", "Bearer ", "abcdefghijABCDEFGHIJ", "https://a:", "-----BEGIN PRIVATE", " KEY-----"],
] as const;

const fragments = (random: Random) =>
  Array.from({ length: random.between(0, 6) }, () => random.pick(FRAGMENTS)).join("");

/** A text as a value, as a key, in JSON in a string, or half of it as each. */
const entry = (random: Random, text: string): unknown =>
  random.pick([
    () => text,
    () => ({ [text]: "value" }),
    () => JSON.stringify({ [text]: "value" }),
    () => JSON.stringify([text]),
    () => ({ [text.slice(0, text.length / 2)]: text.slice(text.length / 2) }),
  ] as const)();

const PERSONAL = compileRules({ version: 1, level: "personal", floor: "off", rules: [], key: KEY });

const maskedBy = (masker: Masker, text: string) =>
  Buffer.from(masker.json(Buffer.from(text), "input")).toString();

const maskAlone = (text: string) => maskedBy(new Masker(PERSONAL), text);

/** Expects that payloads of one trace are masked as if each were the only one. */
function expectAsAlone(texts: readonly string[]) {
  const masker = new Masker(PERSONAL);
  expect(texts.map((text) => maskedBy(masker, text))).toEqual(texts.map(maskAlone));
}

describe("payloads that repeat the ones before them", () => {
  it.each(SETTINGS.map((settings, index) => ({ index, settings })))(
    "are masked and counted as each would be alone ($index)",
    ({ index, settings }) => {
      const masking = compileRules({ version: 1, floor: "off", key: KEY, ...settings });
      const random = new Random(17 + index);
      let masked = 0;
      for (let sequences = 0; sequences < SEQUENCES; sequences += 1) {
        const masker = new Masker(masking);
        const counts: Record<string, number> = {};
        for (const text of payloads(random)) {
          const alone = new Masker(masking);
          const expected = Buffer.from(alone.json(Buffer.from(text), "input")).toString();
          expect(Buffer.from(masker.json(Buffer.from(text), "input")).toString()).toBe(expected);
          // What is masked elsewhere in the trace counts once.
          expect(masker.text("ann@example.com", "names")).toBe(alone.text("ann@example.com", "names"));
          for (const [type, count] of Object.entries(alone.counts ?? {}))
            counts[type] = (counts[type] ?? 0) + count;
          expect(masker.counts ?? {}).toEqual(counts);
          if (expected !== text) masked += 1;
        }
      }
      expect(masked).toBeGreaterThan(SEQUENCES);
    },
  );

  it("of attributes are masked and counted as each would be alone", () => {
    const masking = compileRules({ version: 1, level: "personal", floor: "off", rules: [], key: KEY });
    const random = new Random(5);
    for (let sequences = 0; sequences < SEQUENCES; sequences += 1) {
      const masker = new Masker(masking);
      let count = 0;
      for (const text of payloads(random)) {
        const place = { name: "gen_ai.input.messages" };
        const alone = new Masker(masking);
        expect(masker.value(text, "input", place)).toBe(alone.value(text, "input", place));
        count += alone.counts?.email ?? 0;
        expect(masker.counts?.email ?? 0).toBe(count);
      }
    }
  });

  it.each(CUTS)("are masked where what differs ends in the middle of %s", (_what, tail, heads) => {
    const payload = (head: string, between = "") =>
      `{"about":"${FILLER.repeat(8)}","list":["${between}",${head}${tail},{"about":"${FILLER}"},"end"]}`;
    let masked = 0;
    for (const before of heads)
      for (const head of heads) {
        expectAsAlone([payload(before), payload(head)]);
        // Long ranges are searched in another way.
        expectAsAlone([payload(before), payload(head, FILLER.repeat(8))]);
        if (maskAlone(payload(head)) !== payload(head)) masked += 1;
      }
    // Some make a match of what is in common behind them, and some do not.
    expect(masked).toBeGreaterThan(0);
    expect(masked).toBeLessThan(heads.length ** 2);
  });

  it("are masked as each would be alone wherever they begin to differ and end alike", () => {
    const random = new Random(23);
    let masked = 0;
    for (let pairs = 0; pairs < 10 * SEQUENCES; pairs += 1) {
      const isEscaped = random.chance(0.1);
      const common = fragments(random);
      const rest = [entry(random, fragments(random)), entry(random, FILLER), "end"];
      const texts = Array.from({ length: 3 }, () => {
        const text = JSON.stringify({
          about: FILLER.repeat(8),
          list: [FILLER, entry(random, fragments(random) + common), ...rest],
        });
        return isEscaped ? text.replaceAll("@", "\\u0040") : text;
      });
      expectAsAlone(texts);
      masked += texts.filter((text) => maskAlone(text) !== text).length;
    }
    expect(masked).toBeGreaterThan(SEQUENCES);
    expect(masked).toBeLessThan(20 * SEQUENCES);
  });

  it("are masked where what was masked in the last one comes again", () => {
    const [filler, address] = [FILLER.repeat(8), "ann@example.com"];
    const lists = [
      [filler, address, filler],
      [filler, address, filler, filler],
      [filler, address, filler, filler, address, filler, filler],
    ];
    expectAsAlone(lists.map((list) => JSON.stringify(list)));
  });

  it("are searched up to the second quote of the end that they have in common", () => {
    const [last, bytes] = ["b", "bcd"].map((text) => Buffer.from(`["a","${text} e","f","g"]`));
    expect(last && bytes?.toString("latin1", 0, differenceEnd(last, bytes, 6))).toBe('["a","bcd e","');
  });

  it("are not forgotten when payloads come in many other places", () => {
    const payloads = new RepeatedPayloads<never>();
    const bytes = Buffer.alloc(0);
    const [, second] = Array.from({ length: 64 }, (_, index) => payloads.last(String(index), bytes));
    payloads.last("another", bytes);
    expect(payloads.last("1", bytes)).toBe(second);
  });
});
