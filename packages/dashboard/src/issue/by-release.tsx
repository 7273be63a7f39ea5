import { Link } from "@tanstack/react-router";
import { type IssueDetail, MAX_RELEASED_RUNS } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { formatPercent } from "../ui/format/format-percent.ts";
import { IntervalMark } from "../ui/intervals/interval-mark.tsx";
import { rateScale } from "../ui/intervals/interval-scale.ts";
import { Panel } from "../ui/panel.tsx";
import { issueTraces } from "./issue-traces.ts";

const MAX_SHOWN = 10;

/** Runs of an issue by release, the one that was first seen last first. */
export function ByRelease({ issue }: { issue: IssueDetail }) {
  const { byRelease } = issue;
  const scale = rateScale(byRelease.map(({ share }) => share?.high ?? 0));
  if (byRelease.length === 0) return null;
  if (byRelease.every(({ release }) => release === null))
    return (
      <Panel title="By release">
        <p className="p-3 text-muted">
          No run says its release. Tag runs with <code className="font-mono">release:2.3</code>, and you can
          resolve in the next release.
        </p>
      </Panel>
    );
  return (
    <Panel title="By release" note="in the order of first sight">
      <ul>
        {byRelease.slice(0, MAX_SHOWN).map(({ release, runs, share }) => (
          <li
            key={release ?? ""}
            className="grid grid-cols-[minmax(0,6rem)_minmax(0,1fr)_auto] items-center gap-3 border-b border-line/60 px-3 py-1.5 last:border-0"
          >
            <span title={release ?? undefined} className="truncate font-semibold">
              {release ?? <span className="font-normal text-muted">no release</span>}
            </span>
            {share ? (
              <IntervalMark
                {...share}
                scale={scale}
                label={`${formatPercent(share.value)} of ${share.of} runs of ${release ?? "no release"}, ${formatPercent(share.low)} to ${formatPercent(share.high)}`}
              />
            ) : (
              <span />
            )}
            <span className="text-right tabular-nums">
              {share && <b className="font-semibold">{formatPercent(share.value)} </b>}
              <Link
                to={paths.traces}
                search={{
                  ...issueTraces(issue),
                  ...(release !== null && { agent: issue.agent, release, decided: "any" as const }),
                }}
                className="text-muted hover:underline"
              >
                {runs.toLocaleString("en")}{" "}
                {share ? `of ${share.of.toLocaleString("en")}` : runs === 1 ? "run" : "runs"}
              </Link>
            </span>
          </li>
        ))}
      </ul>
      {issue.share && byRelease.every(({ share }) => share === null) && (
        <p className="px-3 py-2 text-xs text-muted">
          Shares by release are counted for up to {MAX_RELEASED_RUNS.toLocaleString("en")} runs of the agent.
          Choose a shorter time range to see them.
        </p>
      )}
      {byRelease.length > MAX_SHOWN && (
        <p className="px-3 py-2 text-xs text-muted">and {byRelease.length - MAX_SHOWN} older releases</p>
      )}
    </Panel>
  );
}
