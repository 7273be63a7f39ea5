import { useQuery } from "@tanstack/react-query";
import type { IssueDetail } from "@whytrace/contract";
import { useState } from "react";
import { mergeIssues } from "../issues/change-issues.ts";
import { issuesQuery } from "../issues/issues-query.ts";
import type { IssueChanges } from "../issues/use-issue-changes.ts";
import { Button } from "../ui/controls/button.tsx";
import { inputStyle } from "../ui/controls/field.tsx";
import { useDebounced } from "../ui/hooks/use-debounced.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";

interface MergeFormProps {
  issue: IssueDetail;
  changes: IssueChanges;
  onDone: () => void;
}

const MAX_SHOWN = 8;

/** Finds open issues by their text, and merges one into this issue. */
export function MergeForm({ issue, changes, onDone }: MergeFormProps) {
  const [text, setText] = useState("");
  const search = useDebounced(text, 200);
  const found = useQuery(issuesQuery({ search: search || undefined, range: "90d" }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-muted">
        Runs of both are then counted here. #{issue.number} keeps its number, title and state; splitting takes
        it back.
      </p>
      <input
        type="search"
        // biome-ignore lint/a11y/noAutofocus: users open the dialog to type into it
        autoFocus
        aria-label="Text of the other issue"
        placeholder="Text of the other issue"
        className={inputStyle}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <QueryResult query={found} skeleton={<SkeletonRows count={3} />}>
        {({ issues }) => {
          const others = issues.filter(({ number }) => number !== issue.number).slice(0, MAX_SHOWN);
          if (others.length === 0) return <p className="text-muted">No other open issue has this text.</p>;
          return (
            <ul className="rounded-md border border-line">
              {others.map((other) => (
                <li
                  key={other.number}
                  className="flex items-center gap-2 border-b border-line px-2.5 py-1.5 last:border-0"
                >
                  <span className="min-w-0 flex-1">
                    <span className="block truncate font-medium" title={other.title}>
                      {other.title}
                    </span>
                    <span className="block truncate text-xs text-muted">
                      #{other.number} {other.agent}
                    </span>
                  </span>
                  <Button
                    aria-label={`Merge #${other.number}`}
                    disabled={changes.isPending}
                    onClick={() => {
                      onDone();
                      changes.make(() => mergeIssues([issue, other]));
                    }}
                  >
                    Merge
                  </Button>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryResult>
    </div>
  );
}
