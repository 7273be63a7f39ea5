import { Link } from "@tanstack/react-router";
import type { IssueList } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { type IssuesSearch, type IssueTab, TABS } from "../issues/issues-search.ts";
import { paths } from "../paths.ts";

interface IssueTabsProps {
  search: IssuesSearch;
  counts: IssueList["counts"] | undefined;
}

export const openCount = ({ new: fresh, ongoing, regressed }: IssueList["counts"]) =>
  fresh + ongoing + regressed;

const LABELS: Record<IssueTab, string> = {
  open: "Open",
  regressed: "Regressed",
  new: "New",
  resolved: "Resolved",
  ignored: "Ignored",
};

/** The states as links, each with its number of issues. */
export function IssueTabs({ search, counts }: IssueTabsProps) {
  const { state: current = "open" } = search;
  return (
    <nav
      aria-label="States"
      className="flex gap-5 overflow-x-auto border-b border-line px-4 [scrollbar-width:none]"
    >
      {TABS.map((state) => (
        <Link
          key={state}
          to={paths.issues}
          search={omitEmpty({ ...search, state: state === "open" ? undefined : state, page: undefined })}
          resetScroll={false}
          aria-current={state === current ? "page" : undefined}
          activeOptions={{ exact: true }}
          className="flex h-10 shrink-0 items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent font-medium text-muted -outline-offset-2 hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text max-sm:h-11"
        >
          {LABELS[state]}
          {counts && (
            <span className="text-xs tabular-nums">
              {(state === "open" ? openCount(counts) : counts[state]).toLocaleString("en")}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
