import type { CarriedScore } from "../../trace-store/scores/carried-score.ts";
import type { LogFacts, ScoreFacts } from "../map/span-facts.ts";
import { storableMs } from "../map/span-times.ts";
import type { SpanNode } from "./span-forest.ts";

/** A judgement, and the span that told it. Null: a log record told it about the run. */
interface ToldScore {
  spanId: string | null;
  score: ScoreFacts;
}

/** The judgements that the spans and log records of a trace tell, each once. `startedAt` is that of the trace. */
export function deriveScores(
  nodes: readonly SpanNode[],
  logs: readonly LogFacts[],
  startedAt: number,
): CarriedScore[] {
  const told: ToldScore[] = [];
  for (const { facts } of nodes)
    for (const score of facts.scores ?? []) told.push({ spanId: facts.id, score });
  for (const { spanId, score } of logs) if (score) told.push({ spanId, score });
  if (told.length === 0) return [];
  const placeOf = placesIn(nodes);
  const byKey = Map.groupBy(told, keyOf);
  return [...byKey].map(([key, versions]) => {
    const one = latest(versions);
    const { name, value, label, comment, source, author, timeMs, metadata } = one.score;
    return {
      key,
      spanId: placeOf(one),
      name,
      value,
      label: label ?? null,
      source,
      author: author ?? null,
      comment: comment ?? null,
      timestamp: storableMs(timeMs) || startedAt,
      metadata: metadata ?? null,
    };
  });
}

/** The same for a judgement that is sent again. */
const keyOf = ({ spanId, score: { name, author, timeMs, responseId } }: ToldScore) =>
  JSON.stringify([spanId, name, author ?? null, timeMs, ...(responseId === undefined ? [] : [responseId])]);

/** One of several that contradict each other, whichever came first. */
function latest(versions: readonly ToldScore[]): ToldScore {
  const [first, ...others] = versions.map((told) => ({ told, json: JSON.stringify(told) }));
  if (!first) throw new Error("no version of a score");
  return others.reduce((last, one) => (one.json > last.json ? one : last), first).told;
}

/** Finds what a judgement is about: the id of a span, which need not have come, or null for the run. */
function placesIn(nodes: readonly SpanNode[]): (told: ToldScore) => string | null {
  const byId = new Map(nodes.map((node) => [node.facts.id, node]));
  const byResponse = Map.groupBy(nodes, ({ facts }) => facts.responseId);
  return ({ spanId, score: { responseId, about } }) => {
    const teller = spanId === null ? undefined : byId.get(spanId);
    if (responseId !== undefined && teller?.facts.responseId !== responseId) {
      const answers = byResponse.get(responseId) ?? [];
      const answer = answers.find(({ facts }) => facts.type === "LLM_CALL") ?? answers[0];
      if (answer) return answer.facts.id;
    }
    const isAboutParent = about === "parent" || (about === undefined && teller?.facts.isEvaluator);
    return teller && isAboutParent ? (teller.facts.parentId ?? null) : spanId;
  };
}
