import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { IssueLink } from "../issues/issue-link.tsx";
import { IssueState } from "../issues/issue-state.tsx";
import { issuesQuery } from "../issues/issues-query.ts";
import { paths } from "../paths.ts";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";

const MAX_ROWS = 5;

/** The first issues of the inbox. */
export function OpenIssues() {
  const issues = useQuery(issuesQuery({}));
  return (
    <Panel
      title="Open issues"
      className="lg:col-span-2"
      legend={
        <Link to={paths.issues} className="text-accent underline">
          Inbox
        </Link>
      }
    >
      <QueryResult query={issues} skeleton={<SkeletonRows count={3} />}>
        {(data) =>
          data.issues.length === 0 ? (
            <p className="p-3 text-muted">Nothing is open.</p>
          ) : (
            <ul>
              {data.issues.slice(0, MAX_ROWS).map((issue) => (
                <li
                  key={issue.number}
                  className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line/60 px-3 py-1.5 last:border-0"
                >
                  <span className="w-24 text-xs">
                    <IssueState state={issue.state} />
                  </span>
                  <IssueLink issue={issue} className="min-w-0 flex-1 truncate font-medium" />
                  <span className="text-xs text-muted max-sm:hidden">{issue.agent}</span>
                  <span className="w-20 text-right text-xs tabular-nums text-muted">
                    {issue.runs.toLocaleString("en")} {issue.runs === 1 ? "run" : "runs"}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  );
}
