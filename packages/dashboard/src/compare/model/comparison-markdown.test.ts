import type { ComparedDecision, ComparedRun, Comparison, Rate } from "@whytrace/contract";
import { expect, it } from "vitest";
import { comparisonMarkdown } from "./comparison-markdown.ts";

const run = (id: string, overrides: Partial<ComparedRun>): ComparedRun => ({
  id,
  name: "refund",
  status: "COMPLETED",
  release: "v2.3",
  tags: [],
  startedAt: "2026-03-01T00:00:00.000Z",
  durationMs: 2_000,
  costUsd: 0.5,
  tokens: 100,
  spans: 3,
  decisions: 2,
  errors: 0,
  error: null,
  ...overrides,
});
const decision = (option: string, reasoning: string | null): ComparedDecision => ({
  id: option,
  type: "TOOL_SELECTION",
  signature: "0",
  step: "0",
  option,
  options: [option, "wait"],
  reasoning,
  atMs: 5,
});
const rate = (failed: number, decisions: number): Rate => ({
  decisions,
  failed,
  recovered: 0,
  runs: decisions,
  failedRuns: failed,
  recoveredRuns: 0,
  low: 0,
  high: 1,
});
const read = decision("read_order", null);
const comparison: Comparison = {
  a: run("a/1", { status: "ERROR", error: "HTTP 409" }),
  b: run("b", { durationMs: 4_000 }),
  lines: [
    { relation: "same", a: read, b: read, context: { differing: 1, keys: 2, isTruncated: false } },
    {
      relation: "flipped",
      a: decision("refund_api", "It is\n| direct"),
      b: decision("ask_human", null),
      context: null,
    },
  ],
  isTruncated: false,
  divergence: {
    line: 1,
    context: [
      { key: "order.id", a: '"A-1"', b: null, isEqual: false, namedIn: null },
      { key: "order.state", a: '"paid"', b: '"paid"', isEqual: true, namedIn: "b" },
      { key: "other", a: "1", b: "1", isEqual: true, namedIn: null },
    ],
    rates: {
      a: rate(107, 214),
      b: rate(9, 94),
      after: { step: "0", option: "read_order" },
      from: "2026-02-01T00:00:00.000Z",
      to: "2026-03-02T00:00:00.000Z",
    },
  },
  contextDivergence: null,
};

it("names both runs, all decisions and the first divergence with its rates and context; sent text cannot break a table", () => {
  expect(comparisonMarkdown(comparison, "https://whytrace.example")).toBe(`# Compare: refund

- A: [refund](https://whytrace.example/traces/a%2F1), ERROR, v2.3, 2026-03-01T00:00:00.000Z, HTTP 409
- B: [refund](https://whytrace.example/traces/b), COMPLETED, v2.3, 2026-03-01T00:00:00.000Z

|  | A | B |
| --- | --- | --- |
| Duration | 2.00 s | 4.00 s |
| Cost | $0.5000 | $0.5000 |
| Tokens | 100 | 100 |
| Spans | 3 | 3 |
| Decisions | 2 | 2 |
| Errors | 0 | 0 |

## Decisions

|  | A |  | B |
| --- | --- | --- | --- |
| 1 | Tool selection: read\\_order | same, 1 of 2 keys differ | Tool selection: read\\_order |
| 2 | Tool selection: refund\\_api | flipped | Tool selection: ask\\_human |

## First divergence, decision 2: choice flipped

same 2 options, other choice.

- A chose **refund\\_api** of refund\\_api, wait: “It is \\| direct”
- B chose **ask\\_human** of ask\\_human, wait

Failed elsewhere after read\\_order: A 107 of 214 (50 %), B 9 of 94 (10 %). This is association, not cause.

Context at decision 2:

| Key | A | B |  |
| --- | --- | --- | --- |
| order.id | "A-1" | absent |  |
| order.state | "paid" | "paid" | equal, and named in B’s reasoning |
`);
});
