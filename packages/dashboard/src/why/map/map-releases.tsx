import type { DecisionMap, MapNode, PathRelease } from "@whytrace/contract";
import { TraceCount } from "../../traces/trace-count.tsx";
import { formatExact } from "../../ui/format/format.ts";
import { formatPercent } from "../../ui/format/format-percent.ts";
import { failedTraces } from "./failed-traces.ts";
import { failedShareOfMap } from "./known-share.ts";
import { ShareMark } from "./map-table.tsx";
import { PANEL_ROW } from "./panel-row.ts";

interface MapReleasesProps {
  map: DecisionMap;
  node: MapNode;
  after: string | undefined;
  releases: PathRelease[];
}

/** The traces that made a choice, or took a path, by release: how many, and how many of them are bad. One release tells nothing. */
export function MapReleases({ map, node, after, releases }: MapReleasesProps) {
  if (releases.length < 2) return null;
  const all = failedShareOfMap(map);
  return (
    <section aria-label="By release">
      <h2 className="pb-1 text-xs text-muted">By release, the newest first</h2>
      <ul className="pb-4">
        {releases.map(({ name, runs, failedRuns, low, high }) => (
          <li key={name} className={PANEL_ROW}>
            <span
              className={`truncate ${name === null ? "italic text-muted" : ""}`}
              title={name ?? undefined}
            >
              {name ?? "no release"}
            </span>
            <span className="text-right text-muted">{formatExact(runs)}</span>
            <ShareMark value={failedRuns / runs} low={low} high={high} times={runs} all={all} />
            <span className="whitespace-nowrap text-right tabular-nums">
              {formatPercent(failedRuns / runs)}
              {name !== null && failedRuns > 0 && (
                <>
                  {", "}
                  <TraceCount
                    traces={{ ...failedTraces(map, node, after), release: name }}
                    label={`${formatExact(failedRuns)} bad traces of ${name}`}
                    className="text-accent hover:underline"
                  >
                    {formatExact(failedRuns)} bad
                  </TraceCount>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
