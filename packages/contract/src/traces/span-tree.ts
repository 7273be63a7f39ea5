import { finishSteps } from "../finish-steps.ts";

/** No span: the parent of a root, and what belongs to the whole trace. */
export const NO_SPAN = -1;

export interface TreeSpan<Id = string> {
  id: Id;
  parentSpanId: Id | null;
  /** An ISO 8601 date, or milliseconds since 1970. */
  startedAt: string | number;
}

/**
 * The tree of a trace's spans, by their indexes. A span whose parent is missing is a root. Of spans that contain each other in a
 * cycle, the one that started first is a root; of several, the one that was sent first. If spans have the same id, what names
 * it as parent is inside the last one.
 */
export class SpanTree<Id = string> {
  readonly #indexes = new Map<Id, number>();
  /** The index of each span's parent; `NO_SPAN` for a root. */
  readonly parent: Int32Array;

  constructor(spans: readonly TreeSpan<Id>[]) {
    this.parent = new Int32Array(spans.length);
    // Iterating over entries would take three times as long.
    let index = 0;
    for (const { id } of spans) this.#indexes.set(id, index++);
    index = 0;
    for (const { parentSpanId } of spans) this.parent[index++] = this.find(parentSpanId);
    finishSteps(breakCycles(this.parent, (span) => new Date(spans[span]?.startedAt ?? 0).getTime()));
  }

  /** The index of the span with this id. */
  find(id: Id | null): number {
    return id === null ? NO_SPAN : (this.#indexes.get(id) ?? NO_SPAN);
  }

  /** All spans, each followed by those inside it; roots, and spans inside the same one, in the order sent. */
  topDown(): Int32Array {
    const { parent } = this;
    const first = new Int32Array(parent.length).fill(NO_SPAN);
    const next = new Int32Array(parent.length).fill(NO_SPAN);
    let span = NO_SPAN;
    for (let index = parent.length - 1; index >= 0; index--) {
      const above = parent[index] ?? NO_SPAN;
      next[index] = above === NO_SPAN ? span : (first[above] ?? NO_SPAN);
      if (above === NO_SPAN) span = index;
      else first[above] = index;
    }
    const order = new Int32Array(parent.length);
    for (let place = 0; span !== NO_SPAN; place++) {
      order[place] = span;
      const inside = first[span] ?? NO_SPAN;
      if (inside !== NO_SPAN) {
        span = inside;
        continue;
      }
      while (span !== NO_SPAN && next[span] === NO_SPAN) span = parent[span] ?? NO_SPAN;
      if (span !== NO_SPAN) span = next[span] ?? NO_SPAN;
    }
    return order;
  }
}

const SPANS_PER_STEP = 2_000;

/**
 * Makes one span of each cycle of parents a root: the one that started first; of several, the one with the lowest index. Other
 * work can run between steps.
 */
export function* breakCycles(
  parent: Int32Array,
  startOf: (span: number) => number,
): Generator<undefined, void> {
  /** The walk from a span to its root, or into a cycle, that first reached a span; 0 for none. */
  const walks = new Int32Array(parent.length);
  for (let walk = 1; walk <= parent.length; walk++) {
    let span = walk - 1;
    while (span !== NO_SPAN && walks[span] === 0) {
      walks[span] = walk;
      span = parent[span] ?? NO_SPAN;
    }
    if (span !== NO_SPAN && walks[span] === walk) parent[firstOfCycle(span, parent, startOf)] = NO_SPAN;
    if (walk % SPANS_PER_STEP === 0) yield;
  }
}

function firstOfCycle(start: number, parent: Int32Array, startOf: (span: number) => number): number {
  let first = start;
  let firstStart = startOf(start);
  for (let span = parent[start] ?? start; span !== start; span = parent[span] ?? start) {
    const spanStart = startOf(span);
    if (spanStart > firstStart || (spanStart === firstStart && span > first)) continue;
    first = span;
    firstStart = spanStart;
  }
  return first;
}
