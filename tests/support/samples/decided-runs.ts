import { hash32ToHex, signatureToHex, signDecision } from "@whytrace/contract";
import { decision, trace } from "./sample-traces.ts";

const HOUR_MS = 3_600_000;

/** What the decisions of `decidedRuns` are called on the wire. */
export function signatureOf(options: readonly string[], chosen: string) {
  const alternatives = options.filter((option) => option !== chosen);
  const { signature, step } = signDecision({ type: "TOOL_SELECTION", chosen, alternatives });
  return { signature: signatureToHex(signature), step: hash32ToHex(step) };
}

/**
 * Traces of an agent that chose between the same options, each option so many times, one decision a trace. They started so many days
 * ago, a few seconds apart.
 */
export function decidedRuns(
  counts: Readonly<Record<string, number>>,
  {
    name = "support agent",
    tags = [] as string[],
    daysAgo = 0,
    status = "COMPLETED",
    options = Object.keys(counts),
  } = {},
) {
  const noonMs =
    Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS - daysAgo * 24 * HOUR_MS + 12 * HOUR_MS;
  let index = 0;
  return Object.entries(counts).flatMap(([chosen, count]) =>
    Array.from({ length: count }, () => {
      const startedAt = new Date(noonMs + 1_000 * index++).toISOString();
      const alternatives = options.filter((option) => option !== chosen);
      const decisionPoints = [decision({ chosen, alternatives, timestamp: startedAt })];
      return trace({ name, tags, status, startedAt, decisionPoints });
    }),
  );
}
