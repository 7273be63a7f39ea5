import { NO_SPAN, SpanTree } from "@whytrace/contract";
import { type DecidedPoint, type DecidedSpan, endOf } from "./decided-trace.ts";

/** What the order of a trace's decisions depends on. */
export interface WalkedTrace {
  spans: readonly Pick<
    DecidedSpan,
    "id" | "parentSpanId" | "name" | "startedAt" | "endedAt" | "durationMs"
  >[];
  decisionPoints: readonly Pick<DecidedPoint, "parentSpanId" | "timestamp">[];
}

/** A decision or a span that contains decisions. */
interface Step {
  start: number;
  end: number;
  /** Undefined for a decision. */
  name: string | undefined;
  id: string;
  index: number;
}

/**
 * The indexes of a trace's decisions in an order that does not depend on how parallel branches happened to interleave: the
 * tree of spans from above, in the order of time. A span with everything in it counts as one step; spans beside each other
 * that overlap in time are sorted by name.
 */
export function walkDecisions({ spans, decisionPoints }: WalkedTrace, tree = new SpanTree(spans)): number[] {
  const steps = new Map<number, Step[]>();
  const isAdded = new Uint8Array(spans.length);
  const add = (scope: number, step: Step) => {
    const list = steps.get(scope);
    if (list) list.push(step);
    else steps.set(scope, [step]);
  };
  for (const [index, { parentSpanId, timestamp }] of decisionPoints.entries()) {
    let scope = tree.find(parentSpanId);
    add(scope, { start: timestamp, end: timestamp, name: undefined, id: "", index });
    for (let span = spans[scope]; span && !isAdded[scope]; span = spans[scope]) {
      isAdded[scope] = 1;
      const step = { start: span.startedAt, end: endOf(span) ?? Infinity, name: span.name, id: span.id };
      const parent = tree.parent[scope] ?? NO_SPAN;
      add(parent, { ...step, index: scope });
      scope = parent;
    }
  }

  const walked: number[] = [];
  const open = [sortSteps(steps.get(NO_SPAN) ?? []).values()];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { value: step } = top.next();
    if (!step) open.pop();
    else if (step.name === undefined) walked.push(step.index);
    else open.push(sortSteps(steps.get(step.index) ?? []).values());
  }
  return walked;
}

/** Sorts steps by time, and spans that overlap, with no decision between them, by name. */
function sortSteps(steps: Step[]): Step[] {
  if (steps.length === 1) return steps;
  steps.sort(byTime);
  const sorted: Step[] = [];
  for (let from = 0; from < steps.length; ) {
    let to = from + 1;
    let end = steps[from]?.name === undefined ? -Infinity : (steps[from]?.end ?? 0);
    for (let next = steps[to]; next && next.name !== undefined && next.start < end; next = steps[++to])
      end = Math.max(end, next.end);
    const group = steps.slice(from, to);
    for (const step of group.length > 1 ? group.sort(byName) : group) sorted.push(step);
    from = to;
  }
  return sorted;
}

/** Decisions come before spans that begin in the same millisecond, in the order in which they were sent. */
function byTime(a: Step, b: Step): number {
  if (a.start !== b.start) return a.start - b.start;
  if (a.name === undefined && b.name === undefined) return a.index - b.index;
  if (a.name === undefined || b.name === undefined) return a.name === undefined ? -1 : 1;
  return byName(a, b);
}

/** The order in which spans were sent makes no difference. */
function byName(a: Step, b: Step): number {
  return compare(a.name ?? "", b.name ?? "") || a.start - b.start || compare(a.id, b.id);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
