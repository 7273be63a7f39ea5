import { Link } from "@tanstack/react-router";
import type { IssueDetail } from "@whytrace/contract";
import type { ReactNode } from "react";
import { IssueState } from "../issues/issue-state.tsx";
import { paths } from "../paths.ts";
import { Tag } from "../ui/badges.tsx";
import { formatDate } from "../ui/format/format.ts";
import { RelativeTime } from "../ui/relative-time.tsx";

interface IssueHeadingProps {
  issue: IssueDetail;
  /** Beside the title. */
  children: ReactNode;
}

/** Number, agent, state in words and title of an issue. */
export function IssueHeading({ issue, children }: IssueHeadingProps) {
  const { number, agent, state, title, kind } = issue;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-muted">
        <Link to={paths.issues} className="text-accent hover:underline">
          Inbox
        </Link>
        <span aria-hidden="true">/</span>
        <span>#{number}</span>
        <Link to={paths.agent} params={{ agent }} className="hover:underline">
          <Tag>{agent}</Tag>
        </Link>
        {kind !== "error" && <Tag>{kind}</Tag>}
        <IssueState state={state} />
        <StateWords issue={issue} />
      </p>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h1 className="min-w-0 flex-1 basis-64 break-words text-xl font-semibold">{title}</h1>
        {children}
      </div>
    </div>
  );
}

/** What the state means for this issue. */
function StateWords({ issue }: { issue: IssueDetail }) {
  const { state, resolution, regression, ignored, lastSeen } = issue;
  if (lastSeen === null) return <span>All runs deleted</span>;
  if (state === "regressed" && regression)
    return (
      <span>
        {regression.release === null ? "in a run" : `in ${regression.release},`}{" "}
        <RelativeTime instant={regression.at} />
      </span>
    );
  if (resolution) {
    const isQuiet = Date.parse(lastSeen) < Date.parse(resolution.at);
    return (
      <span>
        {resolution.in === "next"
          ? "in the next release"
          : resolution.in === "release"
            ? `in ${resolution.release}`
            : ""}{" "}
        <RelativeTime instant={resolution.at} />
        {resolution.isPending
          ? ": that release has not been seen yet"
          : isQuiet
            ? ", and quiet since"
            : ", runs without the fix still come"}
        {resolution.url !== null && (
          <>
            {" · "}
            <a href={resolution.url} rel="noreferrer" target="_blank" className="text-accent hover:underline">
              the fix
            </a>
          </>
        )}
      </span>
    );
  }
  if (ignored)
    return (
      <span>
        {ignored.untilDate !== null
          ? `until ${formatDate(Date.parse(ignored.untilDate))}`
          : ignored.runsLeft !== null
            ? `until ${ignored.runsLeft.toLocaleString("en")} more runs came`
            : "for ever"}
      </span>
    );
  return null;
}
