import { NO_SPAN } from "@whytrace/contract";
import { errorFingerprint } from "./error-fingerprint.ts";
import { LatestInScope } from "./latest-in-scope.ts";
import type { SignedTrace } from "./sign-trace.ts";

interface TurnErrors {
  /** By the decision's index: the kind of the first error after it and before the next decision; 0 if none came. */
  kinds: Uint32Array;
  /** The kind of the message that the failed run ended with; 0 if there is none. */
  messageKind: number;
}

/** Shorter names may be part of any word. */
const MIN_NAME_LENGTH = 3;
const NO_DECISION = -1;

/**
 * Which decision an error came after: the latest one in whose scope it came. A span that contains decisions is not a call that a
 * decision made but a run of its own, which fails because of what is in it. If nothing in it says why it failed, the error counts
 * for its last decision. If all decisions are in it, it is the whole run: its error counts for no decision.
 */
export function turnErrors({ trace, tree, ranges, scopes, signed, line }: SignedTrace): TurnErrors {
  const { spans, decisionPoints, events } = trace;
  const { entries, firstEvent, firstDecision } = line;
  const kinds = new Uint32Array(decisionPoints.length);
  // The line has no other events than errors. Most runs have none.
  const isError = (entry: number) =>
    entry < firstEvent ? spans[entry]?.status === "ERROR" : entry < firstDecision;
  if (!entries.some(isError)) return { kinds, messageKind: 0 };
  const bottomUp = ranges.topDown.toReversed();
  const decisionsIn = new Int32Array(spans.length);
  for (const scope of scopes) if (scope !== NO_SPAN) decisionsIn[scope] = (decisionsIn[scope] ?? 0) + 1;
  const parentOf = (span: number) => tree.parent[span] ?? NO_SPAN;
  for (const span of bottomUp) {
    const parent = parentOf(span);
    if (parent !== NO_SPAN) decisionsIn[parent] = (decisionsIn[parent] ?? 0) + (decisionsIn[span] ?? 0);
  }
  const isFailed = (span: number) => spans[span]?.status === "ERROR";
  const isRun = (span: number) => (decisionsIn[span] ?? 0) > 0;

  const setKind = (decision: number | undefined, name: string, message: string | null) => {
    if (decision === undefined || kinds[decision]) return;
    const option = signed[decision]?.option ?? "";
    const isNamed = option.length >= MIN_NAME_LENGTH;
    const withoutOption = (text: string) => (isNamed ? text.replaceAll(option, "@") : text);
    kinds[decision] = errorFingerprint(withoutOption(name), message === null ? null : withoutOption(message));
  };
  /** Decisions in the order of time. */
  const made: number[] = [];
  const hasErrorIn = new Uint8Array(spans.length);
  const lastIn = new Int32Array(spans.length).fill(NO_DECISION);
  const latest = new LatestInScope(ranges);
  for (const entry of entries) {
    const span = spans[entry];
    const event = events[entry - firstEvent];
    if (span) {
      if (!isFailed(entry) || isRun(entry)) continue;
      setKind(made[latest.around(entry)], span.name, span.statusMessage);
      hasErrorIn[entry] = 1;
    } else if (event) {
      const scope = tree.find(event.spanId);
      // It says why the run failed, not what a call in it did.
      if (isFailed(scope) && isRun(scope)) continue;
      setKind(made[latest.within(scope)], event.name, null);
      if (scope !== NO_SPAN) hasErrorIn[scope] = 1;
    } else {
      const index = entry - firstDecision;
      const scope = scopes[index] ?? NO_SPAN;
      latest.set(scope, made.length);
      if (scope !== NO_SPAN) lastIn[scope] = made.length;
      made.push(index);
    }
  }

  let wholeRun: number | undefined;
  for (const span of bottomUp) {
    if (isFailed(span) && isRun(span)) {
      const { name = "", statusMessage = null } = spans[span] ?? {};
      if (decisionsIn[span] === decisionPoints.length) wholeRun = span;
      else if (!hasErrorIn[span]) setKind(made[lastIn[span] ?? NO_DECISION], name, statusMessage);
      hasErrorIn[span] = 1;
    }
    const parent = parentOf(span);
    if (parent === NO_SPAN) continue;
    hasErrorIn[parent] ||= hasErrorIn[span] ?? 0;
    lastIn[parent] = Math.max(lastIn[parent] ?? NO_DECISION, lastIn[span] ?? NO_DECISION);
  }
  const failed = wholeRun === undefined ? undefined : spans[wholeRun];
  return { kinds, messageKind: failed ? errorFingerprint(failed.name, failed.statusMessage) : 0 };
}
