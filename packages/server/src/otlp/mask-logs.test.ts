import { countPauses } from "@whytrace/testing/count-pauses.ts";
import { expect, it } from "vitest";
import { compileRules } from "../masking/compile-rules.ts";
import type { OtlpLogRecord } from "./decode/otlp-span.ts";
import { maskLogs } from "./mask-logs.ts";

const RECORDS = 20;
const masking = compileRules({
  version: 1,
  level: "personal",
  floor: "off",
  rules: [],
  key: Buffer.alloc(32, 7),
});
const record = (eventName: string): OtlpLogRecord => ({
  traceId: "1".repeat(32),
  spanId: "2".repeat(16),
  timeMs: 1,
  eventName,
  body: { content: "ask ann@example.com" },
  attributes: new Map(),
  scope: { name: "", version: "" },
});

it("masks the records of a trace, counts what it masks, may pause after each, and leaves out traces of which none is kept", () => {
  const records = Array.from({ length: RECORDS }, () => record("gen_ai.user.message"));
  const { value, pauses } = countPauses(
    maskLogs(
      new Map([
        ["kept", records],
        ["not kept", [record("another")]],
      ]),
      masking,
    ),
  );
  expect(pauses).toBe(RECORDS + 1);
  expect([...value.keys()]).toEqual(["kept"]);
  const { logs, counts } = value.get("kept") ?? {};
  expect(counts).toEqual({ email: RECORDS });
  expect(JSON.stringify(logs)).not.toContain("example.com");
  expect(logs).toHaveLength(RECORDS);
});
