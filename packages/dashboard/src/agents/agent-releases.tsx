import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AgentRelease, ReleaseComparison, ReleaseHistory } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import type { RangeName } from "../client/time-ranges.ts";
import { paths } from "../paths.ts";
import { formatDate, formatExact } from "../ui/format/format.ts";
import { formatPercent } from "../ui/format/format-percent.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonBar, SkeletonRows } from "../ui/skeleton.tsx";
import { comparisonQuery, releasesQuery } from "./agents-queries.ts";
import { VerdictIcon } from "./verdict-icon.tsx";

/** Of so many of the newest releases the page says how they compare with the one before; of others a click does. */
const MAX_SENTENCES = 3;
/** More releases are folded to their minor versions. */
const MAX_UNGROUPED = 8;

interface AgentReleasesProps {
  agent: string;
  range: RangeName | undefined;
}

/** The releases of an agent, the newest first, each with the sentence that compares it with the one before. */
export function AgentReleases({ agent, range }: AgentReleasesProps) {
  const history = useQuery(releasesQuery(agent, range));
  return (
    <QueryResult query={history} skeleton={<SkeletonRows count={4} />}>
      {(found) => <Releases agent={agent} range={range} history={found} />}
    </QueryResult>
  );
}

interface Rolled extends AgentRelease {
  name: string;
  /** The release before it. */
  base: string | undefined;
}

function Releases({ agent, range, history }: AgentReleasesProps & { history: ReleaseHistory }) {
  const named = history.releases.flatMap((release) =>
    release.name === null ? [] : [{ ...release, name: release.name }],
  );
  const releases: Rolled[] = named
    .map((release, index) => ({ ...release, base: named[index - 1]?.name }))
    .reverse();
  const sentences = useQueries({
    queries: releases
      .slice(0, MAX_SENTENCES)
      .flatMap(({ name, base }) =>
        base === undefined ? [] : [comparisonQuery(agent, { range, releases: { current: name, base } })],
      ),
  });
  if (releases.length === 0) return <p className="p-3 text-muted">{NO_RELEASES}</p>;
  const shown = releases.slice(0, MAX_UNGROUPED);
  const rest = releases.slice(MAX_UNGROUPED);
  return (
    <>
      <ul>
        {shown.map((release, index) => (
          <Release
            key={release.name}
            agent={agent}
            range={range}
            release={release}
            comparison={sentences[index]?.data}
            isLoading={sentences[index]?.isPending ?? false}
          />
        ))}
      </ul>
      {groupsOf(rest).map(([group, members]) => (
        <details key={group} className="border-t border-line/60">
          <summary className="cursor-pointer px-3 py-2 text-muted">
            {group}: {members.length === 1 ? "1 release" : `${members.length} releases`},{" "}
            {formatExact(sumOf(members))} runs
          </summary>
          <ul>
            {members.map((release) => (
              <Release key={release.name} agent={agent} range={range} release={release} />
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

const NO_RELEASES =
  "No run names its release. Tag traces with, for example, release:2026-11-02 or v2.3.1, or set service.version of OpenTelemetry.";

const sumOf = (releases: readonly Rolled[]) => releases.reduce((sum, { runs }) => sum + runs, 0);

/** Releases that differ only in their patch version, in the order of time. */
function groupsOf(releases: readonly Rolled[]): [group: string, members: Rolled[]][] {
  const groups = new Map<string, Rolled[]>();
  for (const release of releases) {
    const group = release.group === null ? "Earlier releases" : `${release.group}.x`;
    groups.set(group, [...(groups.get(group) ?? []), release]);
  }
  return [...groups];
}

interface ReleaseProps extends AgentReleasesProps {
  release: Rolled;
  comparison?: ReleaseComparison | undefined;
  isLoading?: boolean;
}

function Release({ agent, range, release, comparison, isLoading = false }: ReleaseProps) {
  const { name, base, firstAt, runs, badRuns } = release;
  return (
    <li
      aria-busy={isLoading}
      className="grid grid-cols-[minmax(0,11rem)_minmax(0,1fr)] items-start gap-x-4 gap-y-1 border-b border-line/60 px-3 py-2.5 last:border-0 max-md:grid-cols-[minmax(0,1fr)]"
    >
      <div className="min-w-0">
        <p className="truncate font-medium" title={name}>
          {name}
        </p>
        <p className="text-xs text-muted tabular-nums">
          since {formatDate(Date.parse(firstAt))} · {formatExact(runs)} {runs === 1 ? "run" : "runs"},{" "}
          {formatPercent(badRuns / Math.max(1, runs))} bad
        </p>
      </div>
      <div className="flex min-w-0 items-start gap-2">
        {base === undefined ? (
          <span className="text-muted">The first release of this time range.</span>
        ) : isLoading ? (
          <SkeletonBar className="mt-1.5 w-2/3" />
        ) : (
          <>
            {comparison && <VerdictIcon verdict={comparison.verdict} />}
            <Link
              to={paths.releases}
              params={{ agent }}
              search={omitEmpty({ release: name, base, range })}
              className="min-w-0 max-w-[80ch] break-words hover:underline"
            >
              {comparison ? (
                comparison.sentence.replaceAll(" %", "\u00a0%")
              ) : (
                <span className="text-accent">Compare with {base}</span>
              )}
            </Link>
          </>
        )}
      </div>
    </li>
  );
}
