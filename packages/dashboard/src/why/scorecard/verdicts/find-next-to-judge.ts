import { type ListedVerdict, optionKey, type Scorecard, type ScorecardOption } from "@whytrace/contract";
import { api, queryString } from "../../../client/api.ts";
import type { Outline } from "../../../trace/model/outline.ts";
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
  const judged = await api<{ verdicts: ListedVerdict[] }>(
    `/api/insights/verdicts${queryString({ signature, limit: MAX_VERDICTS })}`,
  );
  const isJudged = (traceId: string, id: string) =>
    judged.verdicts.some((one) => one.traceId === traceId && one.decisionPointId === id);
  for (const stepOutcome of ["failed", undefined]) {
    const { traces } = await api<{ traces: { id: string }[] }>(
      `/api/traces${queryString({ ...counted, step, stepOutcome, limit: MAX_TRACES })}`,
    );
    for (const { id: traceId } of traces) {
      const outline = await api<Outline>(`/api/traces/${encodeURIComponent(traceId)}/outline`);
      const found = outline.decisionPoints.find(
        (decision) =>
          decision.type === type && optionKey(decision.chosen) === name && !isJudged(traceId, decision.id),
      );
      if (found) return { traceId, decisionId: found.id };
    }
  }
  return undefined;
}
