/** Keeps the first items in an order, and counts all that are added. */
export class FirstItems<Place, Item extends Place> {
  readonly items: Item[] = [];
  count = 0;
  readonly #maxItems: number;
  readonly #compare: (a: Place, b: Place) => number;

  constructor(maxItems: number, compare: (a: Place, b: Place) => number) {
    this.#maxItems = maxItems;
    this.#compare = compare;
  }

  /** Makes the item only if it is one of the first. */
  add(place: Place, makeItem: () => Item) {
    this.count += 1;
    const { items } = this;
    const last = items.at(-1);
    if (items.length >= this.#maxItems && (!last || this.#compare(place, last) >= 0)) return;
    let [from, to] = [0, items.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const item = items[middle];
      if (item && this.#compare(item, place) <= 0) from = middle + 1;
      else to = middle;
    }
    items.splice(from, 0, makeItem());
    if (items.length > this.#maxItems) items.pop();
  }
}
