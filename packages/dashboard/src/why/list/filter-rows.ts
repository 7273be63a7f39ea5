import type { WhyRow } from "@whytrace/contract";
import type { WhySearch } from "./why-search.ts";

/** The rows of a type, with a text in an option or place, and with drift, as far as the search asks for it. */
export function filterRows(
  rows: readonly WhyRow[],
  { type, search, drifting }: Pick<WhySearch, "type" | "search" | "drifting">,
): WhyRow[] {
  const text = search?.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (type === undefined || row.type === type) &&
      (drifting === undefined || row.drift !== null) &&
      (!text || namesOf(row).some((name) => name.toLowerCase().includes(text))),
  );
}

const namesOf = ({ place, options, neverChosen }: WhyRow) => [
  ...(place === null ? [] : [place]),
  ...options.map(({ name }) => name),
  ...neverChosen,
];
