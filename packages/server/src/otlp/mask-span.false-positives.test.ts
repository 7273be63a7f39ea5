import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import { expect, it } from "vitest";
import { compileRules } from "../masking/compile-rules.ts";
import { Masker, type MaskingCounts } from "../masking/masker.ts";
import { readLogs, readTraces } from "./decode/read-otlp.ts";
import { maskLog, SharedMasking, SpanMasking } from "./mask-span.ts";

/** Requests of real instrumentations, in which nothing is secret. They are not part of the repository. */
const FIXTURES = new URL("../../../../../shared/otlp/fixtures/", import.meta.url);
const hasFixtures = existsSync(FIXTURES);

const files = (pattern: RegExp) =>
  readdirSync(FIXTURES).flatMap((name) =>
    readdirSync(new URL(`${name}/`, FIXTURES))
      .filter((file) => pattern.test(file))
      .map((file) => new URL(`${name}/${file}`, FIXTURES)),
  );

const maskingAt = (level: MaskingLevel) =>
  compileRules({ version: 1, level, floor: "off", rules: [], key: new Uint8Array(32) });

/** What is masked in all requests, by type. */
async function countMasked(level: MaskingLevel): Promise<MaskingCounts | null> {
  const masking = maskingAt(level);
  const masker = new Masker(masking);
  const spans = new SpanMasking(masker, new SharedMasking(masking));
  for (const file of files(/^request-\d+\.json$/))
    for (const span of (await readTraces(readFileSync(file), "json")).spans) spans.span(span);
  for (const file of files(/^logs-\d+\.json$/))
    for (const record of (await readLogs(readFileSync(file), "json")).records) maskLog(record, masker);
  return masker.counts;
}

it.skipIf(!hasFixtures)(
  "masks nothing in what instrumentations send, in which nothing is personal either",
  async () => {
    expect(files(/^request-\d+\.json$/).length).toBeGreaterThan(60);
    expect(await countMasked("secrets")).toBeNull();
    expect(await countMasked("personal")).toBeNull();
  },
);
