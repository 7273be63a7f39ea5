import { expect, it } from "vitest";
import type { SpanFacts } from "../map/span-facts.ts";
import { deriveTrace } from "./derive-trace.ts";
import { postedFacts } from "./posted-facts.ts";

const posted = {
  id: "root",
  parentSpanId: null,
  type: "AGENT",
  status: "COMPLETED",
  startedAt: 1_000,
  endedAt: 2_000,
  tokenCount: null,
  costUsd: null,
} as const;
const later: SpanFacts = {
  id: "call",
  parentId: "root",
  name: "chat",
  type: "LLM_CALL",
  status: "ERROR",
  startMs: 1_500,
  endMs: 2_500,
  tokens: 478,
  session: "s-9",
};

it("lets a posted span take part in the totals and bounds of its trace", () => {
  expect(deriveTrace([later, postedFacts(posted)], [])).toMatchObject({
    status: "COMPLETED",
    sessionId: "s-9",
    totalTokens: 478,
    startedAt: 1_000,
    endedAt: 2_500,
  });
  expect(deriveTrace([later, postedFacts({ ...posted, tokenCount: 1_000, costUsd: 0.5 })], [])).toMatchObject(
    { totalTokens: 1_000, totalCost: 0.5 },
  );
});

it("leaves what is unknown out, and a running span without length", () => {
  expect(postedFacts({ ...posted, status: "RUNNING", endedAt: null })).toEqual({
    id: "root",
    name: "span",
    type: "AGENT",
    status: "RUNNING",
    startMs: 1_000,
    endMs: 1_000,
    hasInput: true,
    hasOutput: true,
  });
});
