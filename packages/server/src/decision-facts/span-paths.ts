import { hash53, maskText, NO_SPAN, type SignedInput, type SpanTree } from "@whytrace/contract";
import type { DecidedSpan } from "./decided-trace.ts";

/**
 * Names a place of an agent: the masked names of the agent and of the spans from the root to one of them. The same name
 * several times in a row counts once, so a step that calls itself is the same place at any depth. A path is a hash: in a
 * chain of spans, texts would take memory in the square of its length.
 */
export class SpanPaths {
  readonly #spans: readonly Pick<DecidedSpan, "name">[];
  readonly #tree: SpanTree;
  readonly #paths = new Map<number, { path: string; name: string }>();

  constructor(agent: string, spans: readonly Pick<DecidedSpan, "name">[], tree: SpanTree) {
    this.#spans = spans;
    this.#tree = tree;
    this.#paths.set(NO_SPAN, { path: agent, name: "" });
  }

  /** What a decision is compared by besides its options, given its scope. Empty if a program made it outside of all spans. */
  placeOf({ inference }: SignedInput, scope = NO_SPAN): string {
    return scope === NO_SPAN && !inference ? "" : this.pathOf(scope);
  }

  pathOf(span: number): string {
    const unknown: number[] = [];
    let above = span;
    let known = this.#paths.get(above);
    while (!known) {
      unknown.push(above);
      above = this.#tree.parent[above] ?? NO_SPAN;
      known = this.#paths.get(above);
    }
    for (const index of unknown.reverse()) {
      const name = maskText(this.#spans[index]?.name ?? "");
      if (name !== known.name) known = { path: `/${hash53(`${known.path}\n${name}`)}`, name };
      this.#paths.set(index, known);
    }
    return known.path;
  }
}
