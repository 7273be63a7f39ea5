import { constants, zstdCompressSync } from "node:zlib";
import type { ParsedTrace } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { expect, test } from "vitest";
import { writeBatch } from "../write-batch.ts";
import { generateTraces } from "./generate.ts";
import { generateCode } from "./generate-code.ts";
import { STEP_COUNTS } from "./generate-conversation.ts";
import { generateDocument } from "./generate-document.ts";
import { generateProse } from "./generate-prose.ts";
import { generateTopic } from "./topic.ts";

const generate = (seed: number) =>
  generateTraces(new Random(seed), {
    count: STEP_COUNTS.length,
    size: "conversation",
    ids: new Random(2),
    fromMs: 0,
    toMs: 86_400_000,
  });

const stepsOf = (trace: ParsedTrace) => trace.spans.filter(({ type }) => type === "LLM_CALL").length;

const packedBytes = (text: string) =>
  zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }).length;

const payloadsOf = ({ spans, events }: ParsedTrace) =>
  [
    ...spans.flatMap(({ input, output, metadata }) => [input, output, metadata]),
    ...events.map((e) => e.metadata),
  ]
    .filter((payload) => payload !== null)
    .map((payload) => JSON.stringify(payload))
    .join("");

test("generates the same conversations from the same seed, and others from another", () => {
  expect(writeBatch(generate(1)).equals(writeBatch(generate(1)))).toBe(true);
  expect(writeBatch(generate(1)).equals(writeBatch(generate(3)))).toBe(false);
});

test("gives any 40 traces in a row the same numbers of steps: 4 to 40, 10.7 on average", () => {
  const traces = generateTraces(new Random(1), {
    count: STEP_COUNTS.length,
    size: "conversation",
    firstNumber: 7,
    ids: new Random(2),
    fromMs: 0,
    toMs: 1,
  });
  expect(traces.map(stepsOf).sort((a, b) => a - b)).toEqual([...STEP_COUNTS]);
});

test("sends the whole conversation so far with every model call", () => {
  const [trace] = generate(1);
  const calls = trace?.spans.filter(({ type }) => type === "LLM_CALL") ?? [];
  const inputs = calls.map(({ input }) => JSON.stringify(input));
  for (const [index, input] of inputs.slice(1).entries()) {
    const { messages } = JSON.parse(inputs[index] ?? "");
    expect(JSON.parse(input).messages.slice(0, messages.length)).toEqual(messages);
    expect(input.length).toBeGreaterThan(inputs[index]?.length ?? 0);
  }
});

test("has the sizes and no more repetition than the README states", () => {
  const traces = generate(5);
  const totals = { raw: 0, packed: 0, body: 0 };
  for (const trace of traces) {
    const payloads = payloadsOf(trace);
    totals.raw += payloads.length;
    totals.packed += packedBytes(payloads);
    totals.body += writeBatch([trace]).length;
  }
  expect(totals.body / traces.length).toBeGreaterThan(230_000);
  expect(totals.body / traces.length).toBeLessThan(370_000);
  expect(totals.raw / totals.packed).toBeGreaterThan(14);
  expect(totals.raw / totals.packed).toBeLessThan(20);
});

test("writes prose, code and JSON that compress as little as real texts when each stands alone", () => {
  const random = new Random(9);
  const ratioOf = (write: () => string) => {
    const texts = Array.from({ length: 50 }, write);
    const bytes = texts.reduce((sum, text) => sum + text.length, 0);
    return bytes / texts.reduce((sum, text) => sum + packedBytes(text), 0);
  };
  expect(ratioOf(() => generateProse(random, generateTopic(random), 2_000))).toBeCloseTo(1.8, 1);
  expect(ratioOf(() => generateCode(random, generateTopic(random), 2_000))).toBeCloseTo(2.05, 1);
  expect(ratioOf(() => JSON.stringify(generateDocument(random, generateTopic(random), 2_000)))).toBeCloseTo(
    2.5,
    0,
  );
});
