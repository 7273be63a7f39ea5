import type { Call } from "./command.ts";
import type { CheckResult } from "./print/finding.ts";
import { formatCount } from "./print/format.ts";
import { printable } from "./print/output.ts";
import { readingApi } from "./target.ts";

/** An older run says nothing about the change that is being checked. */
const MAX_AGE_MINUTES = 10;

/** Whether the newest run has arrived with a decision, from the given server or else from the chosen one. */
export async function checkDecisions(call: Call, origin?: string): Promise<CheckResult> {
  const api = await readingApi(call, origin);
  const { traces } = await api.call("GET /api/traces", { query: { limit: 1 } });
  const [newest] = traces;
  if (!newest || Date.now() - Date.parse(newest.createdAt) > MAX_AGE_MINUTES * 60_000)
    return {
      status: "fail",
      text: `no run has arrived in the last ${MAX_AGE_MINUTES} minutes`,
      advice: "Run your agent. If it has run: did it end before its exporter sent?",
    };
  const { name, id, _count: counts } = newest;
  const run = `the newest run, ${printable(name)} (${printable(id)})`;
  if (counts.decisionPoints === 0)
    return {
      status: "fail",
      text: `${run}, has no decision`,
      advice: "See docs/opentelemetry.md, Decisions and Explicit decisions, or docs/sdk.md.",
    };
  return {
    status: "ok",
    text: `${formatCount(counts.decisionPoints, "decision")} and ${formatCount(counts.spans, "span")} in ${run}`,
  };
}
