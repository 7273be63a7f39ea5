import type { ComparedDecision, ComparedLine, Comparison, Rate } from "@whytrace/contract";

/** What followed a choice, as a model reads it most easily. */
export const describeRate = ({ decisions, failed, recovered, low, high }: Rate) => ({
  decisions,
  failed,
  recovered,
  failureRate95: [Number(low.toFixed(3)), Number(high.toFixed(3))],
});

const describeCompared = (decision: ComparedDecision | null) =>
  decision && {
    id: decision.id,
    type: decision.type,
    chose: decision.option,
    not: decision.options.slice(1),
    because: decision.reasoning,
    atMs: decision.atMs,
    signature: decision.signature,
    step: decision.step,
  };

export const describeLine = ({ relation, a, b, context }: ComparedLine, line: number) => ({
  line,
  relation,
  a: describeCompared(a),
  b: describeCompared(b),
  ...(context && { contextKeysThatDiffer: context.differing }),
  ...(context?.isTruncated && { note: "A context is too large to be compared completely" }),
});

const MAX_CONTEXT_KEYS = 15;

/** Where two runs part: the first decision that differs, or else the first whose context does. */
export function describeDivergence({ lines, divergence, contextDivergence }: Comparison) {
  const found = divergence ?? contextDivergence;
  const line = found && lines[found.line];
  if (!line) return null;
  const rates = divergence?.rates;
  return {
    ...describeLine(line, found.line),
    context: found.context
      .filter(({ isEqual, namedIn }) => !isEqual || namedIn !== null)
      .slice(0, MAX_CONTEXT_KEYS)
      .map(({ key, a, b }) => ({ key, a, b })),
    ...(rates && { followedBy: { a: describeRate(rates.a), b: describeRate(rates.b) } }),
  };
}
