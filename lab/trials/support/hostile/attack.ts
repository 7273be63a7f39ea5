import { gzipSync } from "node:zlib";
import type { MaskingMethod, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { Random } from "@whytrace/demo";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { otlpAttributes, otlpNanos, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { batchWith, tinyTraces } from "../hostile-bodies.ts";
import { mutatePattern, type PatternTree, patternText, randomPattern } from "./pattern-tree.ts";

/** By which requests: to try rules, to look what they would mask, to save them, or to send what they mask. */
export const DOORS = ["test", "preview", "rules", "traces", "otlp"] as const;
/** What fills a body: one text, short texts, blanks, nested arrays, or records with almost nothing in them. */
const FILLINGS = ["text", "texts", "blanks", "nested", "records"] as const;
const METHODS = ["hash", "replace", "mask", "remove"] as const satisfies MaskingMethod[];
/** Unpacked, in KiB. More than 10 MiB is refused. */
const SIZES_KIB = [2, 16, 48, 200, 250, 1_000, 4_000, 10_000, 64_000] as const;
const MAX_TRIED_KIB = 48;
const MAX_RULES = 50;

/** All that is sent follows from it. */
export interface Attack {
  door: (typeof DOORS)[number];
  patterns: PatternTree[];
  /** How many rules have each of the patterns. */
  copies: number;
  method: (typeof METHODS)[number];
  /** Of what a match is replaced by. */
  tokenLength: number;
  text: HostileText;
  filling: (typeof FILLINGS)[number];
  sizeKib: number;
  isCompressed: boolean;
}

/** A random mix of letters, from its beginning again and again. */
export interface HostileText {
  letters: string;
  seed: number;
  unitLength: number;
}

const LETTERS = [
  "a",
  ..."bkzq019 -!@.\u00e9\u017f\u212a",
  ...["ab", "ORD-", "aA", "\n", "\u{1f600}", "[1]"],
] as const;
const UNIT_LENGTHS = [1, 2, 7, 100, 1_000, 50_000] as const;

export const randomText = (random: Random): HostileText => ({
  letters: Array.from({ length: random.between(1, 4) }, () => random.pick(LETTERS)).join(""),
  seed: random.between(1, 1_000_000),
  unitLength: random.pick(UNIT_LENGTHS),
});

export function mutateText(random: Random, text: HostileText): HostileText {
  const other = randomText(random);
  return random.pick([
    { ...text, letters: text.letters + random.pick(LETTERS) },
    { ...text, letters: other.letters },
    { ...text, seed: other.seed },
    { ...text, unitLength: other.unitLength },
  ]);
}

export function textOf({ letters, seed, unitLength }: HostileText, length: number): string {
  const random = new Random(seed);
  const all = [...letters] as [string];
  const unit = Array.from({ length: unitLength }, () => random.pick(all)).join("");
  return unit
    .repeat(Math.ceil(length / unit.length))
    .slice(0, length)
    .toWellFormed();
}

/** `patterns` are those that have been found to be costly. */
export function randomAttack(random: Random, door: Attack["door"], patterns: PatternTree[]): Attack {
  const isTried = door === "test";
  return {
    door,
    patterns: random.chance(0.7)
      ? [patterns.length > 0 ? random.pick(patterns as [PatternTree]) : randomPattern(random)]
      : [],
    copies: random.pick([1, 1, 3, MAX_RULES]),
    method: random.pick(METHODS),
    tokenLength: random.pick([1, 10, 100]),
    text: randomText(random),
    filling: isTried ? "text" : random.pick(FILLINGS),
    sizeKib: isTried ? MAX_TRIED_KIB : random.pick(SIZES_KIB),
    isCompressed: !isTried && random.chance(0.5),
  };
}

/** A copy in which one or two things are others. */
export function mutateAttack(random: Random, attack: Attack, patterns: PatternTree[]): Attack {
  const other = randomAttack(random, attack.door, patterns);
  let mutated = attack;
  for (let changes = random.between(1, 2); changes > 0; changes -= 1) {
    const field = random.pick(Object.keys(attack) as [keyof Attack]);
    mutated = { ...mutated, [field]: other[field] };
    if (field === "text") mutated.text = mutateText(random, attack.text);
    if (field === "patterns" && attack.patterns.length > 0 && random.chance(0.5))
      mutated.patterns = attack.patterns.map((pattern) => mutatePattern(random, pattern));
  }
  return mutated;
}

export const rulesOf = ({ patterns, copies, method, tokenLength }: Attack): MaskingRule[] =>
  patterns
    .flatMap((pattern) => Array.from({ length: copies }, () => patternText(pattern)))
    .slice(0, MAX_RULES)
    .map((pattern, index) => ({
      name: `hostile ${index}`,
      type: "pattern",
      method,
      source: "*",
      pattern,
      text: "x".repeat(tokenLength),
    }));

/** Attributes of a span that are stored as they are. */
const ATTRIBUTE = "gen_ai.tool.call.result";

/** What is sent, with its headers. */
export function bodyOf(attack: Attack, id: string): { body: Buffer; headers: Record<string, string> } {
  const isOtlp = attack.door === "otlp";
  const plain = isOtlp ? otlpBody(attack, id) : Buffer.from(jsonBody(attack, id));
  const type = isOtlp ? "application/x-protobuf" : "application/json";
  return {
    body: attack.isCompressed ? gzipSync(plain) : plain,
    headers: { "content-type": type, ...(attack.isCompressed && { "content-encoding": "gzip" }) },
  };
}

function jsonBody({ filling, sizeKib, text }: Attack, id: string): string {
  const length = sizeKib * 1_024 - 800;
  const inSpan = (json: string) => batchWith(id, ["span", "input"], json);
  switch (filling) {
    case "text":
      return inSpan(JSON.stringify(textOf(text, length)));
    case "texts":
      return inSpan(JSON.stringify(shortTexts(text, length)));
    case "blanks":
      return inSpan(`"a"${" ".repeat(length)}`);
    case "nested":
      return inSpan(`[${nested(length)}]`);
    case "records":
      return tinyTraces(id, Math.ceil(length / 130));
  }
}

function otlpBody({ filling, sizeKib, text }: Attack, id: string): Buffer {
  const length = sizeKib * 1_024;
  const traceId = Buffer.from(id.padEnd(16, "-").slice(-16)).toString("hex");
  const times = {
    startTimeUnixNano: otlpNanos(1_767_323_045_000),
    endTimeUnixNano: otlpNanos(1_767_323_046_000),
  };
  const spanOf = (index: number, attributes: object) => ({
    traceId,
    spanId: (index + 1).toString(16).padStart(16, "0"),
    name: "execute_tool",
    ...times,
    attributes: otlpAttributes({ "gen_ai.operation.name": "execute_tool", ...attributes }),
  });
  const values: Record<Attack["filling"], () => unknown> = {
    text: () => textOf(text, length),
    texts: () => shortTexts(text, length),
    blanks: () => " ".repeat(length),
    nested: () => `[${nested(length)}]`,
    records: () => "",
  };
  const count = filling === "records" ? Math.ceil(length / 100) : 1;
  const value = values[filling]();
  const spans = Array.from({ length: count }, (_, index) => spanOf(index, { [ATTRIBUTE]: value }));
  return encodeOtlp(otlpTraces(spans));
}

const shortTexts = (text: HostileText, length: number) =>
  Array.from({ length: Math.ceil(length / 12) }, (_, index) =>
    textOf({ ...text, seed: text.seed + (index % 50), unitLength: 8 }, 8),
  );

const DEPTH = 200;
/** Arrays in arrays, as deep as values may be. */
function nested(length: number): string {
  const one = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
  return Array.from({ length: Math.max(1, Math.floor(length / (2 * DEPTH + 1))) }, () => one).join(",");
}
