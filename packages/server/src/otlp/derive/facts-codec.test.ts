import { countPauses } from "@whytrace/testing/count-pauses.ts";
import { expect, it } from "vitest";
import { compileRules } from "../../masking/compile-rules.ts";
import { Masker } from "../../masking/masker.ts";
import type { LogFacts, SpanFacts } from "../map/span-facts.ts";
import { encodeFacts, SPAN_FACTS_CODEC } from "./facts-codec.ts";

const SPAN: SpanFacts = {
  id: "s",
  name: "chat",
  type: "LLM_CALL",
  status: "COMPLETED",
  startMs: 0,
  endMs: 9,
};

it("counts a log record once, however long it is", () => {
  const log = (end: string): LogFacts => ({ spanId: "s", timeMs: 1, message: "x".repeat(17_000) + end });
  const parts = [
    encodeFacts({ spans: [SPAN], logs: [log("a"), log("b")] }),
    encodeFacts({ logs: [log("a")] }),
  ];
  expect(SPAN_FACTS_CODEC.derive(parts).completions.get("s")?.input).toHaveLength(2);
});

const personal = () =>
  compileRules({ version: 1, level: "personal", floor: "off", rules: [], key: new Uint8Array(32) });

it("masks a part with many log records in many steps, and reads and writes it in others", () => {
  const masking = personal();
  const logs = Array.from(
    { length: 20 },
    (_, index): LogFacts => ({
      spanId: "s",
      timeMs: index,
      message: "ask ann@example.com",
    }),
  );
  const part = encodeFacts({ spans: [SPAN], logs });
  const { value, pauses } = countPauses(SPAN_FACTS_CODEC.mask(part, masking, new Masker(masking)));
  expect(pauses).toBe(23);
  expect(Buffer.from(value).toString()).not.toContain("example.com");
});

it("returns the same part if nothing in it is masked", () => {
  const masking = personal();
  const part = encodeFacts({
    spans: [SPAN],
    logs: [{ spanId: "s", timeMs: 1, message: "ask Ann" }],
    maskingVersion: 1,
  });
  expect(countPauses(SPAN_FACTS_CODEC.mask(part, masking, new Masker(masking))).value).toBe(part);
});
