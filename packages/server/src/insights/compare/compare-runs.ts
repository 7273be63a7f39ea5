import {
  type ComparedContextKey,
  type ComparedDecision,
  type ComparedLine,
  type Comparison,
  hash32ToHex,
  signatureToHex,
} from "@whytrace/contract";
import { compareContexts, countContextKeys } from "./compare-contexts.ts";
import { compareDecisions, type DecisionLine } from "./compare-decisions.ts";
import { decisionLine, type LinedDecision } from "./decision-line.ts";
import { optionNames } from "./option-names.ts";
import type { StoredDecision } from "./read-decisions.ts";
import type { ReadRun } from "./read-run.ts";

type Line = DecisionLine<LinedDecision<StoredDecision>>;

/** More keys of one context are not listed; those that differ come first. */
const MAX_KEYS = 200;

/** Puts two runs side by side. What followed the options elsewhere is not known here. Other work can run between steps. */
export function* compareRuns(a: ReadRun, b: ReadRun): Generator<undefined, Comparison> {
  const aLine = yield* decisionLine(a.run.name, a.spans, a.decisions);
  const bLine = yield* decisionLine(b.run.name, b.spans, b.decisions);
  const decisions = yield* compareDecisions(aLine, bLine);
  const lines: ComparedLine[] = [];
  for (const line of decisions) {
    lines.push({
      relation: line.relation,
      a: line.a && describe(line.a, a.startedAtMs),
      b: line.b && describe(line.b, b.startedAtMs),
      context: countKeys(line),
    });
    yield;
  }
  const first = lines.findIndex(({ relation }) => relation !== "same");
  const firstContext = lines.findIndex(({ context }) => context && context.differing > 0);
  return {
    a: a.run,
    b: b.run,
    lines,
    isTruncated: a.isTruncated || b.isTruncated,
    divergence: first < 0 ? null : { line: first, context: listKeys(decisions[first]), rates: null },
    contextDivergence:
      first < 0 && firstContext >= 0
        ? { line: firstContext, context: listKeys(decisions[firstContext]) }
        : null,
  };
}

/** Null if only one of the runs decided here, or neither recorded a context. */
function countKeys({ a, b }: Line): ComparedLine["context"] {
  if (!a || !b) return null;
  if (isTooLarge(a, b)) return { differing: 0, keys: 0, isTruncated: true };
  if (a.point.context === null && b.point.context === null) return null;
  return countContextKeys(a.point, b.point);
}

const isTooLarge = (...sides: LinedDecision<StoredDecision>[]) =>
  sides.some(({ point }) => point.isContextTooLarge);

function listKeys({ a, b }: Partial<Line> = {}): ComparedContextKey[] {
  if (!a || !b || isTooLarge(a, b)) return [];
  const { keys } = compareContexts(a.point, b.point);
  return keys.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_KEYS);
}

const rank = ({ isEqual, namedIn }: ComparedContextKey) => (isEqual ? (namedIn ? 1 : 2) : 0);

function describe(
  { point, signature, step }: LinedDecision<StoredDecision>,
  startedAtMs: number,
): ComparedDecision {
  const options = optionNames(point);
  return {
    id: point.id,
    type: point.type,
    signature: signatureToHex(signature),
    step: hash32ToHex(step),
    option: options[0] ?? "",
    options,
    reasoning: point.reasoning,
    atMs: point.timestamp - startedAtMs,
  };
}
