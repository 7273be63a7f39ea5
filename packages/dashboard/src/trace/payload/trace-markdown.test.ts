import { expect, it } from "vitest";
import { outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { traceMarkdown } from "./trace-markdown.ts";

it("describes a trace with its decisions, reasoning, errors and truncated payloads", () => {
  const { spans, decisionPoints, ...rest } = outline(
    [
      span("root", [0, 5]),
      span("pay", [1, 4], "root", { status: "ERROR", statusMessage: "declined\nby the bank" }),
    ],
    [decision("card", 0.5, "root")],
  );
  const text = traceMarkdown({
    ...rest,
    metadata: null,
    spans: spans.map((one) => ({ ...one, input: { text: "x".repeat(5_000) }, output: null, metadata: null })),
    decisionPoints: decisionPoints.map((one) => ({ ...one, contextSnapshot: { turn: 3 } })),
    events: [],
  });
  expect(text).toContain("# Trace: run");
  expect(text).toContain("  - **Decision** ROUTING at +500 ms: chose `card`");
  expect(text).toContain("instead of: `other`");
  expect(text).toContain("because: why card");
  expect(text).toContain('context: {"turn":3}');
  expect(text).toContain("message: declined ⏎ by the bank");
  expect(text).toContain("(5011 characters)");
  expect(text.length).toBeLessThan(5_000);
});
