import { Link } from "@tanstack/react-router";
import type { TimelineEntry } from "@whytrace/contract";
import type { ReactNode } from "react";
import { parseText } from "../client/search-params.ts";
import { Avatar } from "../issues/avatar.tsx";
import { paths } from "../paths.ts";
import { Author } from "../shell/author.tsx";
import { formatDate } from "../ui/format/format.ts";
import { RelativeTime } from "../ui/relative-time.tsx";

interface TimelineItemProps {
  entry: TimelineEntry;
  onDelete: (() => void) | undefined;
}

/** One thing that happened to an issue. */
export function TimelineItem({ entry, onDelete }: TimelineItemProps) {
  const { kind, by, at, text } = entry;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5">
      {kind === "regressed" ? (
        <span
          aria-hidden="true"
          className="grid size-5.5 place-items-center rounded-full bg-error text-xs font-bold text-bg"
        >
          !
        </span>
      ) : (
        <span aria-hidden="true">
          <Avatar person={by} />
        </span>
      )}
      <div className="min-w-0">
        <p className="break-words">
          {by && <b className="font-semibold">{by.name ?? "Former member"} </b>}
          <Words entry={entry} />
        </p>
        {text !== undefined && (
          <p className="mt-1 whitespace-pre-wrap break-words rounded-md border border-line bg-panel px-2.5 py-1.5">
            {text}
          </p>
        )}
        {parseText(entry.details.note) !== undefined && (
          <p className="mt-1 whitespace-pre-wrap break-words text-muted">“{parseText(entry.details.note)}”</p>
        )}
        {onDelete && (
          <button type="button" className="text-xs text-muted hover:underline" onClick={onDelete}>
            Delete this comment
          </button>
        )}
      </div>
      <span className="text-xs text-muted">
        <RelativeTime instant={at} />
      </span>
    </li>
  );
}

function Words({ entry: { kind, by, details } }: { entry: TimelineEntry }): ReactNode {
  const release = parseText(details.release);
  const traceId = parseText(details.traceId);
  const url = parseText(details.url);
  const untilDate = parseText(details.untilDate);
  const untilRuns = parseText(details.untilRuns);
  switch (kind) {
    case "created":
      return <>New{release && ` in ${release}`}</>;
    case "assigned": {
      const id = parseText(details.assigneeId);
      if (id === undefined) return by ? "left it to nobody" : "Left to nobody";
      if (id === by?.id) return "took it on";
      return (
        <>
          {by ? "assigned it to" : "Assigned to"} <Author person={{ id }} />
        </>
      );
    }
    case "commented":
      return by ? "" : "A comment by an API key";
    case "linked":
      return parseText(details.externalUrl) === undefined
        ? "removed the link to a tracker"
        : "linked a tracker";
    case "acknowledged":
      return "has seen it";
    case "resolved":
      return (
        <>
          {by ? "resolved it" : "Resolved"}
          {details.in === "next" ? " in the next release" : release ? ` in ${release}` : ""}
          {parseText(details.exceptRelease) !== undefined && `, except in ${details.exceptRelease}`}
          {url && (
            <>
              {" · "}
              <a href={url} target="_blank" rel="noreferrer" className="text-accent underline">
                the fix
              </a>
            </>
          )}
        </>
      );
    case "regressed":
      return (
        <>
          <b className="font-semibold">Regressed</b>
          {release && ` in ${release}`}
          {traceId && (
            <>
              , run{" "}
              <Link to={paths.trace} params={{ id: traceId }} className="text-accent underline">
                {traceId.slice(0, 8)}
              </Link>
            </>
          )}
        </>
      );
    case "ignored":
      return (
        <>
          {by ? "ignored it" : "Ignored"}
          {untilRuns
            ? ` until ${untilRuns} more runs came`
            : untilDate
              ? ` until ${formatDate(Date.parse(untilDate))}`
              : " for ever"}
        </>
      );
    case "reopened":
      return by ? "reopened it" : `Open again: ${parseText(details.reason) ?? "its time is over"}`;
    case "merged":
      return (
        <>
          {by ? "merged" : "Merged"} into <NumberLink number={details.into} />
        </>
      );
    case "split":
      return (
        <>
          {by ? "split" : "Split"} <NumberLink number={details.into} /> off{" "}
          <NumberLink number={details.from} />
        </>
      );
  }
}

function NumberLink({ number }: { number: unknown }) {
  const text = parseText(number) ?? "?";
  return (
    <Link to={paths.issue} params={{ number: text }} className="text-accent underline">
      #{text}
    </Link>
  );
}
