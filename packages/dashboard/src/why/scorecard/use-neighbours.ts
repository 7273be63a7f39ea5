import { useQuery } from "@tanstack/react-query";
import type { CountedSearch } from "../counted-search.ts";
import { whyQuery } from "../insights-query.ts";
import { sortRows } from "../sort-rows.ts";

/** The signatures before and after this one in the list of decisions, as it is sorted at first. */
export function useNeighbours(signature: string, search: CountedSearch) {
  const { data } = useQuery(whyQuery(search));
  const signatures = [false, true].flatMap((isAside) =>
    sortRows(data?.rows.filter((row) => row.isAside === isAside) ?? [], "decided").map(
      (row) => row.signature,
    ),
  );
  const at = signatures.indexOf(signature);
  return { previous: signatures[at - 1], next: at < 0 ? undefined : signatures[at + 1] };
}
