import type { DecisionMap } from "@whytrace/contract";
import { formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { failedShareOfMap } from "./known-share.ts";

/** How many runs the map shows, and how many of them are bad. */
export function MapTotals({ map }: { map: DecisionMap }) {
  const { runs, failedRuns } = map;
  return (
    <p aria-live="polite" className="text-muted tabular-nums">
      {formatExact(runs)} {runs === 1 ? "run" : "runs"}
      {runs > 0 && (
        <>
          {" "}
          · <span className={failedRuns > 0 ? "text-error" : ""}>{formatExact(failedRuns)} bad</span> (
          {formatPercent(failedShareOfMap(map))})
        </>
      )}
    </p>
  );
}
