import { useNavigate } from "@tanstack/react-router";
import type { Issue, IssueList } from "@whytrace/contract";
import { useEffect, useRef, useState } from "react";
import { parsePage } from "../client/search-params.ts";
import { useUser } from "../client/session.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { issueTraces } from "../issue/issue-traces.ts";
import {
  assignIssues,
  defaultResolution,
  ignoreIssues,
  mergeIssues,
  reopenIssues,
  resolveIssues,
} from "../issues/change-issues.ts";
import type { IssuesSearch } from "../issues/issues-search.ts";
import type { Assignee } from "../issues/use-assignees.ts";
import { useIssueChanges } from "../issues/use-issue-changes.ts";
import { paths } from "../paths.ts";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import type { DoneChange } from "../ui/hooks/use-undoable-changes.ts";
import { NewRowsButton } from "../ui/new-rows-button.tsx";
import { Pager } from "../ui/pager.tsx";
import { UndoBar } from "../ui/undo-bar.tsx";
import { EmptyInbox } from "./empty-inbox.tsx";
import { IssueRows } from "./issue-rows.tsx";
import { SelectedBar } from "./selected-bar.tsx";
import { useHeldRows } from "./use-held-rows.ts";

interface InboxListProps {
  data: IssueList;
  /** The list that was shown before, until the one that is asked for arrives. */
  isPlaceholder: boolean;
  search: IssuesSearch;
  isFiltered: boolean;
  onClear: () => void;
  onPage: (page: number | undefined) => void;
}

const MAX_SELECTED = 100;

/** The number of the issue whose row has the focus. */
const focusedNumber = (): number =>
  Number(document.activeElement?.closest<HTMLElement>("[data-issue]")?.dataset.issue);

/** A page of issues, and what can be done with them by pointer and by keyboard. */
export function InboxList({ data, isPlaceholder, search, isFiltered, onClear, onPage }: InboxListProps) {
  const { state = "open", range, page = 1 } = search;
  const { id: userId } = useUser();
  const isReadOnly = useIsReadOnly();
  const navigate = useNavigate();
  const [changed] = useState(() => new Set<number>());
  const { rows, newCount, release, handlers } = useHeldRows(
    data.issues,
    JSON.stringify([search, isPlaceholder]),
    changed,
  );
  const [selected, setSelected] = useState<readonly number[]>([]);
  const changes = useIssueChanges(() => {
    release();
    setSelected([]);
  });
  const frame = useRef<HTMLDivElement>(null);
  const lastFocused = useRef<number>(undefined);
  useEffect(() => {
    // The row that had the focus is gone: the next one gets it, so that keys continue there.
    if (lastFocused.current === undefined || document.activeElement !== document.body) return;
    const links = frame.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [];
    links[Math.min(lastFocused.current, links.length - 1)]?.focus();
    lastFocused.current = undefined;
  });

  const chosen = rows.filter(({ number }) => selected.includes(number));
  /** The selected issues, or the one whose row has the focus. */
  const targets = (): readonly Issue[] => {
    const focused = focusedNumber();
    return chosen.length > 0 ? chosen : rows.filter(({ number }) => number === focused);
  };
  const change = (make: (issues: readonly Issue[]) => Promise<DoneChange>) => {
    const issues = targets();
    if (isReadOnly || issues.length === 0 || changes.isPending) return;
    const at = rows.findIndex(({ number }) => number === focusedNumber());
    lastFocused.current = at < 0 ? undefined : at;
    for (const { number } of issues) changed.add(number);
    changes.make(() => make(issues));
  };
  const resolve = () => change((issues) => resolveIssues(issues, defaultResolution(issues)));
  const ignore = () => change((issues) => ignoreIssues(issues, {}));
  const reopen = () => change(reopenIssues);
  const assign = (assignee: Assignee | null) => change((issues) => assignIssues(issues, assignee));
  const merge = () => {
    // The oldest issue keeps its number: links to it are the most.
    if (chosen.length > 1) change((issues) => mergeIssues(issues.toSorted((a, b) => a.number - b.number)));
  };
  const toggle = (number: number) =>
    setSelected((now) =>
      now.includes(number)
        ? now.filter((other) => other !== number)
        : [...now, number].slice(0, MAX_SELECTED),
    );
  useShortcuts({
    x: () => {
      const number = focusedNumber();
      if (number && !isReadOnly) toggle(number);
    },
    e: resolve,
    i: ignore,
    a: () => assign({ id: userId, words: "you" }),
    m: merge,
    f: () => {
      const [issue] = targets();
      if (issue) void navigate({ to: paths.traces, search: issueTraces(issue) });
    },
  });
  return (
    <>
      <NewRowsButton newCount={newCount} onShow={release} />
      <div ref={frame} className="flex-1" {...handlers}>
        {rows.length > 0 ? (
          <IssueRows
            issues={rows}
            range={range}
            selected={selected}
            onToggle={isReadOnly ? undefined : toggle}
          />
        ) : (
          <EmptyInbox state={state} counts={data.counts} isFiltered={isFiltered} onClear={onClear} />
        )}
      </div>
      {data.total > data.limit && (
        <Pager page={page} limit={data.limit} total={data.total} onPage={(next) => onPage(parsePage(next))} />
      )}
      <SelectedBar
        count={chosen.length}
        isClosed={state === "resolved" || state === "ignored"}
        onResolve={resolve}
        onIgnore={ignore}
        onReopen={reopen}
        onAssign={assign}
        onMerge={merge}
        onClear={() => setSelected([])}
      />
      <UndoBar changes={changes} />
    </>
  );
}
