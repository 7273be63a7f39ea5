import { Link } from "@tanstack/react-router";
import type { IssueList } from "@whytrace/contract";
import type { IssueTab } from "../issues/issues-search.ts";
import { paths } from "../paths.ts";
import { FirstSteps } from "../shell/first-steps.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/notice.tsx";

interface EmptyInboxProps {
  state: IssueTab;
  counts: IssueList["counts"];
  isFiltered: boolean;
  onClear: () => void;
}

/** Says why the list is empty: nothing ever went wrong, all is resolved, or the filters find nothing. */
export function EmptyInbox({ state, counts, isFiltered, onClear }: EmptyInboxProps) {
  if (isFiltered)
    return (
      <EmptyState title="No issue matches these filters">
        <Button onClick={onClear}>Clear filters</Button>
      </EmptyState>
    );
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0)
    return (
      <EmptyState title="No issue yet">
        <p>
          When runs of an agent end with the same error, or get the same bad score, they become one issue
          here, within seconds. There is nothing to set up.
        </p>
        <FirstSteps path={paths.issues}>
          <Link to={paths.outcomes} className={buttonStyle()}>
            What counts as bad
          </Link>
        </FirstSteps>
      </EmptyState>
    );
  if (state === "open")
    return (
      <EmptyState title="Nothing is open">
        <p>
          Good news: {words(counts.resolved, "resolved")} and {words(counts.ignored, "ignored")}. An issue
          comes back here if a run breaks its resolution.
        </p>
        <Link to={paths.issues} search={{ state: "resolved" }} className={buttonStyle()}>
          See what was resolved
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState title={TITLES[state]}>
      <Link to={paths.issues} className={buttonStyle()}>
        Open issues
      </Link>
    </EmptyState>
  );
}

const TITLES: Record<Exclude<IssueTab, "open">, string> = {
  regressed: "Nothing has come back after it was resolved",
  new: "Nothing new: somebody has looked at every issue",
  resolved: "Nothing is resolved yet",
  ignored: "Nothing is ignored",
};

const words = (count: number, state: string) =>
  `${count.toLocaleString("en")} ${count === 1 ? "issue is" : "issues are"} ${state}`;
