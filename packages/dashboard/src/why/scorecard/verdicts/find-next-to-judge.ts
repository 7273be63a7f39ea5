import { optionKey, type Scorecard, type ScorecardOption } from "@whytrace/contract";
import { api } from "../../../client/api.ts";
import type { CountedTraces } from "../../../traces/trace-count.tsx";

interface FoundDecision {
  traceId: string;
  decisionId: string;
}

const MAX_TRACES = 10;
const MAX_VERDICTS = 100;

/** The newest decision for an option that nobody has judged yet, in failed traces first; undefined if there is none. */
export async function findNextToJudge(
  { signature, type }: Pick<Scorecard, "signature" | "type">,
  { step, name }: Pick<ScorecardOption, "step" | "name">,
  { about: _, ...counted }: CountedTraces,
): Promise<FoundDecision | undefined> {
  const judged = await api("GET /api/insights/verdicts", { query: { signature, limit: MAX_VERDICTS } });
  const isJudged = (traceId: string, id: string) =>
    judged.verdicts.some((one) => one.traceId === traceId && one.decisionPointId === id);
  for (const stepOutcome of ["failed", undefined] as const) {
    const { traces } = await api("GET /api/traces", {
      query: { ...counted, step, stepOutcome, limit: MAX_TRACES },
    });
    for (const { id: traceId } of traces) {
      const outline = await api("GET /api/traces/:id/outline", { params: { id: traceId } });
      const found = outline.decisionPoints.find(
        (decision) =>
          decision.type === type && optionKey(decision.chosen) === name && !isJudged(traceId, decision.id),
      );
      if (found) return { traceId, decisionId: found.id };
    }
  }
  return undefined;
}
