import type { TracesSearch } from "./traces-search.ts";

/** `helpful false`, `correct below 0.5`, `helpful, asked, missing`. Undefined without a name. */
export function scoreFilterWords({
  scoreName,
  scoreIs,
  scoreAbove,
  scoreBelow,
  scoreMissing,
  scoreAsked,
}: TracesSearch): string | undefined {
  if (scoreName === undefined) return undefined;
  const value = [
    scoreIs,
    scoreAbove !== undefined && `above ${scoreAbove}`,
    scoreBelow !== undefined && `below ${scoreBelow}`,
  ].filter(Boolean);
  const asked = { yes: "asked", no: "not asked" };
  return [
    [scoreName, ...value].join(" "),
    scoreAsked && asked[scoreAsked],
    scoreMissing && (scoreAsked === "yes" ? "no answer" : "missing"),
  ]
    .filter(Boolean)
    .join(", ");
}
