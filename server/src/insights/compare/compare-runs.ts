import {
  type ComparedContextKey,
  type ComparedDecision,
  type ComparedLine,
  type Comparison,
  compareContexts,
  compareDecisions,
  type DecisionLine,
  hash32ToHex,
  type LinedDecision,
  signatureToHex,
} from "@whytrace/contract";
import { optionNames } from "./option-names.ts";
import type { StoredDecision } from "./read-decisions.ts";
import type { ReadRun } from "./read-run.ts";

type Line = DecisionLine<LinedDecision<StoredDecision>>;

/** More keys of one context are not listed; those that differ come first. */
const MAX_KEYS = 200;

/** Puts two runs side by side. What followed the options elsewhere is not known here. */
export function compareRuns(a: ReadRun, b: ReadRun): Comparison {
  const lines = compareDecisions(a.line, b.line);
  const contexts = lines.map(compareLineContexts);
  const first = lines.findIndex(({ relation }) => relation !== "same");
  const firstContext = contexts.findIndex((keys) => keys?.some(({ isEqual }) => !isEqual));
  return {
    a: a.run,
    b: b.run,
    lines: lines.map((line, index) => ({
      relation: line.relation,
      a: line.a && describe(line.a, a.startedAtMs),
      b: line.b && describe(line.b, b.startedAtMs),
      context: countKeys(contexts[index]),
    })),
    isTruncated: a.isTruncated || b.isTruncated,
    divergence: first < 0 ? null : { line: first, context: listKeys(contexts[first]), rates: null },
    contextDivergence:
      first < 0 && firstContext >= 0
        ? { line: firstContext, context: listKeys(contexts[firstContext]) }
        : null,
  };
}

/** Undefined if only one of the runs decided here, or neither recorded a context. */
function compareLineContexts({ a, b }: Line): ComparedContextKey[] | undefined {
  if (!a || !b || (a.point.context === null && b.point.context === null)) return undefined;
  return compareContexts(a.point, b.point);
}

const countKeys = (keys: ComparedContextKey[] | undefined): ComparedLine["context"] =>
  keys ? { differing: keys.filter(({ isEqual }) => !isEqual).length, keys: keys.length } : null;

const listKeys = (keys: ComparedContextKey[] = []): ComparedContextKey[] =>
  keys.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_KEYS);

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
