import type { ScoreSummary } from "@whytrace/contract";

const KINDS = { boolean: "true / false", label: "text" } as const;

/** `true / false`, `number 0.1 to 0.9`. */
export function kindWords({
  kinds,
  min,
  max,
}: Pick<ScoreSummary["names"][number], "kinds" | "min" | "max">): string {
  return kinds
    .map((kind) => {
      if (kind !== "number") return KINDS[kind];
      return min === null || max === null ? "number" : `number ${shortValue(min)} to ${shortValue(max)}`;
    })
    .join(", ");
}

/** Three digits are enough to compare means: `0.784`, `3.4`, `1,230`. */
export const shortValue = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
