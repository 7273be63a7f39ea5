import type { Slot } from "./slots.ts";

/** What the attributes of one instrumentation, or of a family of them, say. */
export interface Convention {
  /** The slot that each attribute fills. Of several attributes for one slot, the first listed wins. */
  attributes: Readonly<Record<string, Slot>>;
  /** Attributes that hold a whole list in the names of their keys (`PREFIX.0.x`), and the slot of that list. */
  flattened?: Readonly<Record<string, "input" | "output" | "offered">>;
}
