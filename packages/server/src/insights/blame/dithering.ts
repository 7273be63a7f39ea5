import type { DecisionPointType, Dithering } from "@whytrace/contract";
import { sortedJson } from "@whytrace/contract";
import { namedOtherOption } from "./named-other-option.ts";

/** A decision, as dithering is looked for in it. */
export interface DitheringInput {
  type: DecisionPointType;
  signature: number;
  /** The key of the chosen option. */
  option: string;
  /** The keys of all options. */
  options: readonly string[];
  reasoning: string | null;
  /** Parsed; null if none was sent. */
  context: unknown;
}

/**
 * Why each decision of a run looks undecided, or null: a RETRY that does the same again although nothing changed, a ROUTING
 * that returns to where it came from, or a reasoning that speaks for an option that was not chosen. Decisions are in walking order.
 */
export function findDithering(decisions: readonly DitheringInput[]): (Dithering | null)[] {
  const previous = new Map<number, DitheringInput[]>();
  return decisions.map((decision, i) => {
    const earlier = previous.get(decision.signature) ?? [];
    previous.set(decision.signature, [...earlier.slice(-1), decision]);
    if (isRepeatedRetry(decision, earlier)) return { kind: "repeated-retry" };
    const isDirect = decisions.slice(Math.max(0, i - 2), i).every((one) => earlier.includes(one));
    if (isBackAndForth(decision, earlier, isDirect)) return { kind: "back-and-forth" };
    const option = namedOtherOption(decision);
    return option === null ? null : { kind: "named-other-option", option };
  });
}

function isRepeatedRetry(decision: DitheringInput, earlier: readonly DitheringInput[]): boolean {
  const before = earlier.at(-1);
  return (
    decision.type === "RETRY" &&
    before?.option === decision.option &&
    decision.context !== null &&
    isSameContext(decision, before)
  );
}

/** Without a context, only decisions directly after each other count: others may be about something else. */
function isBackAndForth(
  decision: DitheringInput,
  earlier: readonly DitheringInput[],
  isDirect: boolean,
): boolean {
  const [first, second] = earlier;
  if (decision.type !== "ROUTING" || first === undefined || second === undefined) return false;
  if (decision.option !== first.option || decision.option === second.option) return false;
  return isSameContext(decision, first) && (decision.context !== null || isDirect);
}

/** Fields that only count or time the attempts. */
const COUNTER =
  /attempt|retr(?:y|ies)|tries|elapsed|duration|delay|backoff|timestamp|(?:^|_)(?:at|time|ms|seconds)$|Ms$|At$/i;

const isSameContext = (one: DitheringInput, other: DitheringInput) =>
  one === other || comparable(one.context) === comparable(other.context);

function comparable(context: unknown): string {
  if (typeof context !== "object" || context === null || Array.isArray(context)) return sortedJson(context);
  return sortedJson(Object.fromEntries(Object.entries(context).filter(([key]) => !COUNTER.test(key))));
}
