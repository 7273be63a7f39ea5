import type { Convention } from "./convention.ts";

/** What applications can say outright. `whytrace.decision` events are read in `written-decisions.ts`. */
export const whytrace: Convention = {
  attributes: { "whytrace.span.type": "writtenType" },
};
