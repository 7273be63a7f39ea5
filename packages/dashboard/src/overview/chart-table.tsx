import { Link } from "@tanstack/react-router";
import type { TraceStats } from "@whytrace/contract";
import { paths } from "../paths.ts";
import type { ChartSpec } from "./chart-specs.ts";
import { longBucketLabel, startedInBucket } from "./time-bucket.ts";

/** A chart's data as a table, newest first. */
export function ChartTable({ spec, stats: { buckets, interval } }: { spec: ChartSpec; stats: TraceStats }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section aria-label={`${spec.title}, table`} tabIndex={0} className="max-h-80 overflow-auto px-3 pb-2">
      <table className="w-full text-right">
        <thead className="sticky top-0 z-10 bg-bg text-xs text-muted">
          <tr>
            <th scope="col" className="py-1 text-left font-medium">
              {interval === "hour" ? "Hour (UTC)" : "Day (UTC)"}
            </th>
            {spec.series.map(({ label }) => (
              <th key={label} scope="col" className="py-1 pl-3 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.toReversed().map((bucket) => (
            <tr key={bucket.start} className="border-t border-line/60">
              <th scope="row" className="whitespace-nowrap py-1 text-left font-normal">
                <Link
                  to={paths.traces}
                  search={{ ...startedInBucket(bucket.start, interval), sort: spec.sort }}
                  className="text-accent hover:underline"
                >
                  {longBucketLabel(bucket.start, interval)}
                </Link>
              </th>
              {spec.series.map(({ label, value, status }) => (
                <td key={label} className="whitespace-nowrap py-1 pl-3">
                  {status && value(bucket) ? (
                    <Link
                      to={paths.traces}
                      search={{ ...startedInBucket(bucket.start, interval), status }}
                      className="text-accent hover:underline"
                    >
                      {spec.format(value(bucket))}
                    </Link>
                  ) : (
                    spec.format(value(bucket))
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
