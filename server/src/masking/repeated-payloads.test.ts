import type { MaskingLevel, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { Random } from "@whytrace/demo";
import { describe, expect, it } from "vitest";
import { compileRules } from "./compile-rules.ts";
import { Masker } from "./masker.ts";

const KEY = Buffer.alloc(32, 7);
const SEQUENCES = 400;
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
  const tail = random.chance(0.5) ? { tools: [{ name: "refund", secret: FILLER }, "bob@example.com"] } : {};
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
});
