import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import type { CountedSearch } from "./counted-search.ts";

const LINK =
  "flex min-h-8 items-center px-2.5 text-xs font-medium text-muted hover:text-text aria-[current=page]:bg-sunken aria-[current=page]:text-text max-sm:min-h-11";

/** The map and the rules are below the list in the address, so the list is not the current page there. */
const EXACT = { exact: true, includeSearch: false };

/** Switches between the list of options and the map, of the same runs, and the rules for options. */
export function WhySwitch({ search: { agent, range } }: { search: CountedSearch }) {
  const search = { ...(agent && { agent }), ...(range && { range }) };
  return (
    <nav aria-label="View of decisions" className="flex overflow-hidden rounded-md border border-line">
      <Link to={paths.why} search={search} activeOptions={EXACT} className={LINK}>
        Options
      </Link>
      <Link to={paths.decisionMap} search={search} activeOptions={EXACT} className={LINK}>
        Map
      </Link>
      <Link to={paths.rules} search={search} activeOptions={EXACT} className={LINK}>
        Rules
      </Link>
    </nav>
  );
}
