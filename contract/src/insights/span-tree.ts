/** No span: a span at the top has this parent, and so has what belongs to the whole trace. */
export const NO_SPAN = -1;

/**
 * The tree of a trace's spans, by their indexes. Numbers them from above, so that the spans inside of span `i`, itself
 * included, are those with numbers from `enter[i]` to before `exit[i]`. A span whose parent is missing is at the top. Of
 * spans that have no top, because their ancestors form a ring, the first one is at the top.
 */
export class SpanTree<Id = string> {
  readonly #indexes = new Map<Id, number>();
  readonly parent: Int32Array;
  readonly enter: Int32Array;
  readonly exit: Int32Array;

  constructor(spans: readonly { id: Id; parentSpanId: Id | null }[]) {
    const count = spans.length;
    this.parent = new Int32Array(count).fill(NO_SPAN);
    this.enter = new Int32Array(count).fill(-1);
    this.exit = new Int32Array(count);
    // Iterating over entries would take three times as long.
    let index = 0;
    for (const { id } of spans) this.#indexes.set(id, index++);
    index = 0;
    for (const { parentSpanId } of spans) this.parent[index++] = this.find(parentSpanId);
    this.#number(this.#children());
  }

  /** The index of the span with this id. */
  find(id: Id | null): number {
    return id === null ? NO_SPAN : (this.#indexes.get(id) ?? NO_SPAN);
  }

  /** The children of every span as linked lists. */
  #children() {
    const { parent } = this;
    const first = new Int32Array(parent.length).fill(NO_SPAN);
    const next = new Int32Array(parent.length).fill(NO_SPAN);
    for (let index = parent.length - 1; index >= 0; index--) {
      const above = parent[index] ?? NO_SPAN;
      if (above === NO_SPAN) continue;
      next[index] = first[above] ?? NO_SPAN;
      first[above] = index;
    }
    return { first, next };
  }

  #number({ first, next }: { first: Int32Array; next: Int32Array }) {
    const { parent, enter, exit } = this;
    let number = 0;
    const visit = (root: number) => {
      enter[root] = number++;
      for (let index = root; ; ) {
        const child = first[index] ?? NO_SPAN;
        if (child !== NO_SPAN) {
          first[index] = next[child] ?? NO_SPAN;
          // In a ring, the child is the root.
          if (enter[child] !== -1) continue;
          enter[child] = number++;
          index = child;
          continue;
        }
        exit[index] = number;
        if (index === root) return;
        index = parent[index] ?? root;
      }
    };
    for (let index = 0; index < parent.length; index++) if (parent[index] === NO_SPAN) visit(index);
    for (let index = 0; index < parent.length; index++)
      if (enter[index] === -1) {
        parent[index] = NO_SPAN;
        visit(index);
      }
  }
}
