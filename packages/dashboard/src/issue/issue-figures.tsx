import { Link } from "@tanstack/react-router";
import type { IssueDetail } from "@whytrace/contract";
import type { ReactNode } from "react";
import { RANGES, type RangeName } from "../client/time-ranges.ts";
import { TrendBars } from "../issues/trend-bars.tsx";
import { paths } from "../paths.ts";
import { formatDate } from "../ui/format/format.ts";
import { formatPercent } from "../ui/format/format-percent.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { issueTraces } from "./issue-traces.ts";

interface IssueFiguresProps {
  issue: IssueDetail;
  range: RangeName | undefined;
}

/** Runs, share, people, first and last seen, and runs by day with a mark where a release was first seen. */
export function IssueFigures({ issue, range }: IssueFiguresProps) {
  const { runs, share, people, firstSeen, lastSeen, firstRelease, lastRelease, trend } = issue;
  const marked = trend.findLast(({ release }) => release !== null);
  return (
    <section aria-label="Figures" className="grid gap-4 rounded-md border border-line p-3">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        <Figure label={`Runs in ${RANGES[range ?? "30d"].label}`}>
          <Link
            to={paths.traces}
            search={issueTraces(issue)}
            className="text-xl font-semibold hover:underline"
          >
            {runs.toLocaleString("en")}
          </Link>
        </Figure>
        <Figure label="Share of the agent's runs">
          <span className="text-xl font-semibold">{share ? formatPercent(share.value) : "—"}</span>
          {share && (
            <span className="block text-xs text-muted">
              {formatPercent(share.low).replace(" %", "")} to {formatPercent(share.high)} of{" "}
              {share.of.toLocaleString("en")}
            </span>
          )}
        </Figure>
        <Figure label="People">
          {people === null ? (
            <>
              <span className="text-xl font-semibold">–</span>
              <span className="block text-xs text-muted">runs have no userId in their metadata</span>
            </>
          ) : (
            <span className="text-xl font-semibold">{people.toLocaleString("en")}</span>
          )}
        </Figure>
        <Figure label="Problems">
          <span className="text-xl font-semibold">{issue.problems}</span>
          {issue.problems > 1 && <span className="block text-xs text-muted">merged by hand</span>}
        </Figure>
        {firstSeen !== null && (
          <Figure label="First seen">
            <time dateTime={firstSeen} title={firstSeen}>
              {formatDate(Date.parse(firstSeen))}
            </time>
            <InRelease release={firstRelease} />
          </Figure>
        )}
        {lastSeen !== null && (
          <Figure label="Last seen">
            <RelativeTime instant={lastSeen} />
            <InRelease release={lastRelease} />
          </Figure>
        )}
      </dl>
      {trend.length > 0 && (
        <figure className="grid gap-1">
          <TrendBars issue={issue} className="h-16 w-full" />
          <figcaption className="flex justify-between text-xs text-muted">
            <span>{trend[0]?.day}</span>
            {marked && <span>┆ {marked.release} first ran</span>}
            <span>today</span>
          </figcaption>
        </figure>
      )}
    </section>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const InRelease = ({ release }: { release: string | null }) =>
  release !== null && (
    <>
      {" "}
      in <b className="font-semibold">{release}</b>
    </>
  );
