import type { LineRelation } from "@whytrace/contract";

interface RelationWords {
  /** In a line. */
  short: string;
  /** In the title of the first divergence. */
  title: string;
  /** What that means. */
  explanation: (options: number) => string;
}

const PATH_CHANGED = "path changed";

export const RELATION_WORDS: Record<Exclude<LineRelation, "same">, RelationWords> = {
  flipped: {
    short: "flipped",
    title: "choice flipped",
    explanation: (options) => `same ${options} options, other choice`,
  },
  changed: {
    short: "other options",
    title: PATH_CHANGED,
    explanation: () => "other options at this step, so the choices are not the same question",
  },
  a: { short: "only in A", title: PATH_CHANGED, explanation: () => "only A decides here" },
  b: { short: "only in B", title: PATH_CHANGED, explanation: () => "only B decides here" },
};
