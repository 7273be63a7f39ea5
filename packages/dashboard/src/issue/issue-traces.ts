import type { Issue } from "@whytrace/contract";
import type { TracesSearch } from "../traces/filters/traces-search.ts";

const DAY_MS = 24 * 3_600_000;

/** Exactly the runs that an issue counts in its range. */
export function issueTraces({ number, trend }: Pick<Issue, "number" | "trend">): TracesSearch {
  const first = trend[0]?.day;
  const last = trend.at(-1)?.day;
  if (first === undefined || last === undefined) return { issue: String(number) };
  return {
    issue: String(number),
    startedFrom: `${first}T00:00:00.000Z`,
    startedTo: new Date(Date.parse(last) + DAY_MS).toISOString(),
  };
}
