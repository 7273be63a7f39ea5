import type { MaskingLevel, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { startCpuStopwatch } from "@whytrace/testing/cpu-stopwatch.ts";
import {
  PLAIN_TYPES,
  type PlainRange,
  type PlainType,
  plainRanges,
} from "@whytrace/testing/masking/plain-ranges.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { compileRules } from "./compile-rules.ts";
import { CompiledMasking } from "./compiled-masking.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { PatternBudget } from "./find/pattern-budget.ts";
import { Masker, NOT_CHECKED } from "./masker.ts";
import { type MaskingFailure, MaskingTally } from "./masking-tally.ts";
import { ValueNotChecked } from "./value-not-checked.ts";

/** How many random texts are compared with the plain definition. */
const TEXTS = volume(2_000);
const KEY = Buffer.alloc(32, 7);
const masking = (level: MaskingLevel, rules: MaskingRule[] = [], floor: MaskingLevel = "off") =>
  compileRules({ version: 1, level, floor, rules, key: KEY });
const rule = (values: Partial<MaskingRule>): MaskingRule => ({
  name: "own",
  method: "replace",
  type: "anything",
  source: "*",
  ...values,
});
const PERSONAL = masking("personal");
const SECRETS = masking("secrets");
const maskRaw = (raw: string, compiled = PERSONAL, field: "input" | "output" | "metadata" = "input") => {
  const masker = new Masker(compiled);
  const bytes = Buffer.from(raw);
  const masked = masker.json(bytes, field);
  return { text: Buffer.from(masked).toString(), isSame: masked === bytes, counts: masker.counts };
};
const maskValue = (value: unknown, compiled = PERSONAL, field: "input" | "output" | "metadata" = "input") =>
  JSON.parse(maskRaw(JSON.stringify(value), compiled, field).text);

interface Range extends PlainRange {
  type: PlainType;
}

/** The plain definition: what overlaps is one match, of the first type. */
function rangesOf(text: string): Range[] {
  const found = PLAIN_TYPES.flatMap((type) => plainRanges(text, type).map((range) => ({ ...range, type })));
  found.sort((a, b) => a.start - b.start);
  const merged: Range[] = [];
  for (const range of found) {
    const last = merged.at(-1);
    if (!last || range.start >= last.end) merged.push({ ...range });
    else {
      last.end = Math.max(last.end, range.end);
      if (PLAIN_TYPES.indexOf(range.type) < PLAIN_TYPES.indexOf(last.type)) {
        last.type = range.type;
        last.value = range.value;
      }
    }
  }
  return merged;
}

/** The token of a value, by a text that is nothing else. */
const tokenOf = ({ value }: Range) => new Masker(PERSONAL).text(value, "input");

/* Random JSON with planted values: each character as it is or as one of its escapes. */

function randomOf(seed: number, neighbours = NEIGHBOURS, words = WORDS) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    neighbours,
    words,
    next,
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
  };
}
type Random = ReturnType<typeof randomOf>;

const PLANTED = [
  "ann@example.com",
  "J\u00f6rg.M@mail.example.co.uk",
  "+49 170 1234567",
  "+1 (415) 555-2671",
  "4111 1111 1111 1111",
  "5500000000000004",
  "378282246310005",
  "4111111111111112",
  "DE89 3704 0044 0532 0130 00",
  "DE89370400440532013000",
  "GB29NWBK60161331926819",
  "8.8.8.8",
  "10.0.0.7",
  `sk-proj-${"Ab3dEf6hIj9".repeat(3)}`,
  `ghp_${"a1B2".repeat(9)}`,
  "AKIAIOSFODNN7EXAMPLE",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
];
const NEIGHBOURS = [
  "",
  " ",
  "n",
  "\n",
  "\t",
  "\r\n",
  "a",
  "7",
  ".",
  ",",
  "-",
  "+",
  "@",
  "\\",
  "\\n",
  "\u00e9",
  "\u{1f600}",
  "(",
  "/",
  "=",
  '"',
  "\u0001",
  "u0041",
  "x.",
  "\\u00e9",
];
const LETTERS_FIRST = ["hello", "x=1", "lorem ipsum"];
const APART = [" ", "\n", "\t", " \u00e9 ", " (", " \u{1f600} ", ' "'];
const WORDS = [
  "hello",
  "max_tokens",
  "order 12",
  "1763339999123",
  "a@b",
  "x=1",
  "v1.2.3",
  "0.4111111111111111",
  "lorem ipsum",
];

interface Unit {
  text: string;
  raw: string;
}

function encodeUnit(text: string, random: Random): Unit {
  const must = text === '"' || text === "\\" || text < " ";
  const short = { '"': '\\"', "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b" }[
    text
  ];
  const long = [...text.split("")]
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
  if (must) return { text, raw: random.below(4) === 0 || !short ? long : short };
  if (random.below(60) === 0) return { text, raw: long };
  return { text, raw: short && random.below(3) === 0 ? short : text };
}
const encodeText = (text: string, random: Random): Unit[] => [...text].map((one) => encodeUnit(one, random));

function randomText(random: Random): string {
  let text = random.pick(random.words);
  for (let count = random.below(3); count > 0; count -= 1)
    text +=
      random.pick(random.neighbours) +
      random.pick(PLANTED) +
      random.pick(random.neighbours) +
      random.pick(random.words);
  return text;
}

/** The JSON as it is sent, and as it is expected. */
interface Generated {
  raw: string;
  masked: string;
}

function spliced(units: Unit[], ranges: Range[]): string {
  let masked = "";
  let at = 0;
  let index = 0;
  for (const { text, raw } of units) {
    while (ranges[index] && at >= (ranges[index]?.end ?? 0)) index += 1;
    const range = ranges[index];
    if (!range || at < range.start) masked += raw;
    else if (at === range.start) masked += tokenOf(range);
    at += text.length;
  }
  return masked;
}

function randomString(random: Random, depth: number, isKey = false): Generated {
  if (!isKey && depth < 3 && random.below(6) === 0) {
    const inner = randomJson(random, depth + 1, true);
    const raw = `"${encodeText(inner.raw, random)
      .map((unit) => unit.raw)
      .join("")}"`;
    return { raw, masked: inner.masked === inner.raw ? raw : JSON.stringify(inner.masked) };
  }
  const text = randomText(random);
  const units = encodeText(text, random);
  const raw = `"${units.map((unit) => unit.raw).join("")}"`;
  const ranges = rangesOf(text);
  if (!isKey) return { raw, masked: `"${spliced(units, ranges)}"` };
  const hashed = masking("off", [
    ...(["secret", "card", "email", "phone", "iban", "ip"] as const).map((type) =>
      rule({ type, method: "hash" }),
    ),
  ]);
  const tokens = ranges.map((range) => ({ ...range, token: new Masker(hashed).text(range.value, "input") }));
  let masked = "";
  let at = 0;
  for (const unit of units) {
    const range = tokens.find(({ start, end }) => at >= start && at < end);
    if (!range) masked += unit.raw;
    else if (at === range.start) masked += range.token;
    at += unit.text.length;
  }
  return { raw, masked: `"${masked}"` };
}

const BLANKS = ["", "", " ", "\n  "];

function randomJson(random: Random, depth: number, isContainer = false): Generated {
  const kind = isContainer ? random.below(2) : random.below(depth > 3 ? 2 : 6);
  if (!isContainer && kind === 0) return randomString(random, depth);
  if (!isContainer && kind === 1) {
    const raw = random.pick(["1", "-2.5e3", "true", "null", "9007199254740993", "1763339999123456", "1e400"]);
    return { raw, masked: raw };
  }
  const items = Array.from({ length: random.below(4) }, (): Generated => {
    const blank = random.pick(BLANKS);
    if (kind % 2 === 0) {
      const item = randomJson(random, depth + 1);
      return { raw: blank + item.raw, masked: blank + item.masked };
    }
    const isSecret = random.below(8) === 0;
    const key = isSecret
      ? { raw: '"db_password"', masked: '"db_password"' }
      : randomString(random, depth, true);
    const value = randomJson(random, depth + 1);
    const masked = isSecret && value.raw !== "null" ? '"[secret]"' : value.masked;
    return {
      raw: `${key.raw}${blank}:${blank}${value.raw}`,
      masked: `${key.masked}${blank}:${blank}${masked}`,
    };
  });
  const [open, close] = kind % 2 === 0 ? "[]" : "{}";
  const join = (texts: string[]) => `${open}${texts.join(",")}${close}`;
  return { raw: join(items.map(({ raw }) => raw)), masked: join(items.map(({ masked }) => masked)) };
}

describe("masked JSON", () => {
  it("equals the plain definition on decoded text, and is the sent bytes wherever nothing matched", {
    timeout: 30_000 + 10 * TEXTS,
  }, () => {
    for (let seed = 0; seed < TEXTS; seed += 1) {
      const { raw, masked } = randomJson(randomOf(seed), 0);
      expect(maskRaw(raw).text, `seed ${seed}: ${raw}`).toBe(masked);
    }
  });

  it("is the same in a long payload, wherever that begins and ends in memory", { timeout: 60_000 }, () => {
    for (let seed = 0; seed < TEXTS; seed += 1) {
      // One value, which no other one makes searched for.
      const text = PLANTED[seed % PLANTED.length] ?? "";
      const key = seed % 3 === 0 ? "dbPass_word" : "text";
      const [before, after] = ["lorem ipsum, ".repeat(45), "dolor"].map((filling) =>
        filling.slice(seed % 13),
      );
      const short = JSON.stringify({ [key]: ` ${text} ` });
      const long = JSON.stringify([before, { [key]: ` ${text} ` }, after]);
      const memory = Buffer.from(`"${"x".repeat(seed % 5)}${long}"`);
      const bytes = memory.subarray(1 + (seed % 5), -1);
      for (const compiled of [PERSONAL, SECRETS]) {
        const masked = Buffer.from(new Masker(compiled).json(bytes, "input")).toString();
        const expected = long.replace(short, () => maskRaw(short, compiled).text);
        expect(masked, `seed ${seed}: ${text}`).toBe(expected);
      }
    }
  });

  it("is masked once, however often it is masked", () => {
    for (let seed = 0; seed < 1_000; seed += 1) {
      // Apart from each other: what a letter beside it kept from being a number may be one beside a token.
      const { text } = maskRaw(randomJson(randomOf(seed, APART, LETTERS_FIRST), 0).raw);
      expect(maskRaw(text).text, `seed ${seed}`).toBe(text);
    }
  });

  it("is masked the same whether or not payloads before it in the trace began like it", () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const random = randomOf(seed);
      const masker = new Masker(SECRETS);
      const messages: unknown[] = Array.from({ length: 8 }, (_, n) => ({
        n,
        text: "lorem ipsum ".repeat(12),
      }));
      for (let turn = 0; turn < 6; turn += 1) {
        const last = random.pick([
          { password: "x" },
          { text: randomText(random) },
          { "api-key": "k", text: "a" },
          "b",
        ]);
        const bytes = Buffer.from(JSON.stringify({ messages: [...messages, last] }));
        const alone = new Masker(SECRETS).json(bytes, "input");
        expect(Buffer.from(masker.json(bytes, "input")).toString()).toBe(Buffer.from(alone).toString());
        messages.push(random.pick([{ n: turn, passwordless: "x" }, { passwor: "y" }, "c"]));
      }
    }
  });

  it("is the same bytes if nothing matched", () => {
    const raw = '{ "a" : 9007199254740993,\t"b":1e400, "a":"\\u00e9\\u2028 \\u0000", "c":[ ] }';
    expect(maskRaw(raw)).toEqual({ text: raw, isSame: true, counts: null });
  });
});

describe("hostile bodies", () => {
  const LENGTH = 262_144;
  const measured = (piece: string) => {
    const raw = JSON.stringify(piece.repeat(Math.ceil(LENGTH / piece.length)));
    const bytes = Buffer.from(raw);
    const cpuMs = startCpuStopwatch();
    new Masker(PERSONAL).json(bytes, "input");
    return cpuMs();
  };
  it.each([
    "@",
    "a@a.",
    "a@",
    "+1",
    "A1 ",
    "4",
    "4111 ",
    "\\",
    "eyJ",
    "-eyJ",
    "eyJaaaaaaaaaaaaa.",
    "[",
    '{"a":',
    "://",
    "://a:b@",
    "sk-",
    "1.1.",
    "::",
    "DE89 ",
    "Bearer ",
    "-----BEGIN PRIVATE KEY-----",
    '"password":',
    "password=",
    "cookie: a=",
    "password='",
  ])("of %s cost time in proportion to their length", (piece) => {
    // Quadratic time would be ten seconds and more.
    expect(measured(piece)).toBeLessThan(3_000);
  });
});

describe("rules", () => {
  it("decide in their order, overlaps become one, and the level comes last", () => {
    const own = masking("off", [
      rule({ type: "pattern", pattern: "ORD-\\d{6}", method: "hash" }),
      rule({ type: "pattern", pattern: "PIN \\d{4}", method: "mask" }),
      rule({ type: "pattern", pattern: "(?i)room \\d+", method: "remove" }),
      rule({ type: "pattern", pattern: "\\d{4} and ORD-\\d{6}", text: "[both]" }),
    ]);
    const [order, ...others] = maskValue(
      ["ORD-123456", "my PIN 1234 here", "in ROOM 7.", "x 1234 and ORD-123456 y"],
      own,
    );
    expect(order).toMatch(/^\[own:[0-9a-f]{16}\]$/);
    expect(others).toEqual(["my ******** here", "in .", `x ${order} y`]);
  });

  it("apply to a path, to a role and below them; exceptions hold, but not from the floor", () => {
    const rules = [
      rule({ method: "keep", type: "email", source: "input.support" }),
      rule({ method: "keep", type: "secret", source: "input.support" }),
      rule({ source: "input.customer.*", text: "[gone]" }),
      rule({ type: "pattern", pattern: "blue", source: "messages:user", text: "[colour]" }),
      rule({ source: "input.**.ssn", text: "[ssn]" }),
    ];
    const value = {
      support: `help@example.com AKIAIOSFODNN7EXAMPLE`,
      customer: { name: "Ann", age: 41, tags: ["a"] },
      messages: [
        { content: [{ text: "blue" }], role: "user" },
        { role: "assistant", content: "blue" },
      ],
      deep: [{ a: { ssn: 1 } }],
    };
    expect(maskValue(value, masking("personal", rules, "secrets"))).toEqual({
      ...value,
      support: "help@example.com [secret]",
      customer: { name: "[gone]", age: "[gone]", tags: "[gone]" },
      messages: [
        { content: [{ text: "[colour]" }], role: "user" },
        { role: "assistant", content: "blue" },
      ],
      deep: [{ a: { ssn: "[ssn]" } }],
    });
  });

  it("that are exceptions except what they name: keys, or what a pattern matches, but not from the floor", () => {
    const rules = [
      rule({ method: "keep", type: "key", keys: ["page_secret"] }),
      rule({ method: "keep", type: "pattern", pattern: "ORD-000\\d+" }),
      rule({ type: "key", keys: ["ssn"], text: "[ssn]" }),
      rule({ type: "pattern", pattern: "ORD-\\d{6}", text: "[order]" }),
    ];
    const value = {
      page_secret: "front page",
      password: "x",
      ssn: 7,
      note: "ORD-000123 of ann@example.com, ORD-123456, ORD-0001234",
    };
    const masked = {
      page_secret: "front page",
      password: "[secret]",
      ssn: "[ssn]",
      note: "ORD-000123 of ann@example.com, [order], ORD-0001234",
    };
    expect(maskValue(value, masking("secrets", rules))).toEqual(masked);
    expect(maskValue(value, masking("secrets", rules, "secrets"))).toEqual({
      ...masked,
      page_secret: "[secret]",
    });
    const all = [rule({ method: "keep", type: "key" }), ...rules];
    expect(maskValue(value, masking("secrets", all))).toMatchObject({ password: "x", ssn: 7 });
  });

  it("mask every value below their source, also one under `role`, except the role that they are for", () => {
    const path = masking("off", [rule({ source: "input.customer.*", text: "[gone]" })]);
    const customer = { name: "Ann", role: "head of purchasing" };
    expect(maskValue({ customer }, path)).toEqual({ customer: { name: "[gone]", role: "[gone]" } });
    const role = masking("off", [rule({ source: "messages:user", text: "[gone]" })]);
    const message = { role: "user", content: "hello", name: { role: "head", first: "Ann" } };
    expect(maskValue([message, { role: "tool" }], role)).toEqual([
      { role: "user", content: "[gone]", name: "[gone]" },
      { role: "tool" },
    ]);
    const masker = new Masker(role);
    const flat = (name: string, value: string) =>
      masker.value(value, "input", { name: `0.message.${name}`, roles: ["user"] });
    expect([flat("role", "user"), flat("content", "hello")]).toEqual(["user", "[gone]"]);
  });

  it("apply below their path also where the steps are parts of one key", () => {
    const own = masking("off", [rule({ source: "input.customer", text: "[gone]" })]);
    const value = { "customer.mail": "a", customer: { mail: "a" }, "x.customer": "b", customers: "c" };
    expect(maskValue(value, own)).toEqual({ ...value, "customer.mail": "[gone]", customer: "[gone]" });
  });

  it("mask values under names of their own", () => {
    const own = masking("off", [rule({ type: "key", keys: ["customer-no"], method: "remove" })]);
    expect(maskValue({ customerNo: 7, other: JSON.stringify({ Customer_No: "x" }) }, own)).toEqual({
      customerNo: null,
      other: '{"Customer_No":null}',
    });
  });
});

it("masks numbers behind what only looks like an escape", () => {
  const masked = maskValue([
    "C:\\utl 4111 1111 1111 1111",
    "\\u",
    4_111_111_111_111_111,
    "\\ud DE89370400440532013000",
  ]);
  expect(masked).toEqual(["C:\\utl [card]", "\\u", "[card]", expect.stringMatching(/^\\ud \[iban:/)]);
});

it("masks the password of a URL with escaped letters", () => {
  const compiled = masking("secrets");
  const json = String.raw`{"db":"postgres://app:gr\u00fcn@db:5432/x"}`;
  const masked = Buffer.from(new Masker(compiled).json(Buffer.from(json), "input")).toString();
  expect(masked).not.toContain("app");
  expect(masked).not.toContain("fcn");
});

describe("values", () => {
  it("in pieces are one text: the token stands where the match begins, and the number of pieces stays", () => {
    const pieces = maskValue(["Write to ann", "@exam", "ple.com", " today"], PERSONAL, "output");
    expect(pieces).toHaveLength(4);
    expect(pieces.join("")).toMatch(/^Write to \[email:\w{16}\] today$/);
  });

  it("in pieces are also found if one piece holds them, whatever the next one begins with", () => {
    const cards = ["4111111111111111", "5500005555555559"];
    expect(maskValue(cards, PERSONAL, "output")).toEqual(["[card]", "[card]"]);
    const ips = maskValue(["8.8.8.8", "1.1.1.1", "2a02:5697:03d5::937", "1 a@b.co", "m"], PERSONAL, "output");
    expect(ips.join(" ")).toMatch(/^\[ip:\w{16}\] \[ip:\w{16}\] \[ip:\w{16}\] 1 \[email:\w{16}\] $/);
  });

  it("in pieces are one text also if it is JSON", () => {
    const pieces = maskValue(['{"to":', '"ann', '@example.com"}'], PERSONAL, "output");
    expect(pieces.join("")).toMatch(/^\{"to":"\[email:\w{16}\]"\}$/);
    expect(maskValue(['{"password":"x"}', "b"], PERSONAL, "output")).toEqual([
      '{"password":"[secret]"}',
      "b",
    ]);
  });

  it("in pieces are one text in a list of an attribute, too", () => {
    const pieces = new Masker(PERSONAL).value({ parts: ["Write to ann", "@example.com"] }, "output");
    expect(JSON.stringify(pieces)).toMatch(/^\{"parts":\["Write to \[email:\w{16}\]",""\]\}$/);
    expect(new Masker(PERSONAL).value(["a", "b"], "output")).toEqual(["a", "b"]);
  });

  it("in pieces are one text whatever rules there are for other places, unless a rule is for one of the pieces", () => {
    const value = { parts: ["to ann", "@example.com"] };
    const elsewhere = masking("personal", [rule({ source: "output.other.name" })]);
    expect(maskValue(value, elsewhere, "output").parts.join("")).toMatch(/^to \[email:\w{16}\]$/);
    const second = masking("personal", [rule({ source: "output.parts.1", text: "[gone]" })]);
    expect(maskValue(value, second, "output")).toEqual({ parts: ["to ann", "[gone]"] });
  });

  it("that are numbers are masked as cards alone, and keys of objects stay distinct", () => {
    expect(maskValue({ pan: 4111111111111111, n: 4111111111111112 })).toEqual({
      pan: "[card]",
      n: 4111111111111112,
    });
    const keys = Object.keys(
      maskValue({ "ann@example.com": 1, "bob@example.com": 2 }, masking("off", [rule({ type: "email" })])),
    );
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^\[email:\w{16}\]$/);
  });

  it("that cannot be checked are replaced and counted, never returned as they are", () => {
    const broken: CompiledRule = {
      rank: 0,
      type: "pattern",
      name: "own",
      method: "replace",
      source: { path: [] },
      word: "own",
      text: "[own]",
      isFloor: false,
      isPartial: false,
      isBuiltIn: false,
      budget: new PatternBudget(),
      find: () => {
        throw new Error("out of time");
      },
    };
    const failures: MaskingFailure[] = [];
    const tally = new MaskingTally((failure) => failures.push(failure));
    const compiled = new CompiledMasking({ version: 1, level: "off", key: KEY, tally }, [broken]);
    const masker = new Masker(compiled, { traceId: "t1" });
    expect(Buffer.from(masker.json(Buffer.from('{"a":"ann"}'), "input")).toString()).toBe(`"${NOT_CHECKED}"`);
    expect(masker.text("ann", "names")).toBe(NOT_CHECKED);
    expect(failures).toEqual([
      { error: "Error", traceId: "t1", field: "input" },
      { error: "Error", traceId: "t1", field: "names" },
    ]);
    expect([tally.failures, masker.counts]).toEqual([2, { notChecked: 2 }]);
    // What is stored cannot be sent again.
    const stored = new Masker(compiled, { traceId: "t1", isStored: true });
    expect(() => stored.text("ann", "names")).toThrow(ValueNotChecked);
    expect([tally.failures, stored.counts]).toEqual([2, null]);
  });
});
