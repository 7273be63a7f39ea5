import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { IssueDetail, IssueGrouping } from "@whytrace/contract";
import { type ReactNode, useState } from "react";
import { api } from "../client/api.ts";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { splitIssue } from "../issues/change-issues.ts";
import type { IssueChanges } from "../issues/use-issue-changes.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/controls/button.tsx";
import { Dialog } from "../ui/controls/dialog.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { MergeForm } from "./merge-form.tsx";

type Problem = IssueGrouping["problems"][number];

interface GroupingPanelProps {
  issue: IssueDetail;
  changes: IssueChanges;
}

/** Why runs are one issue: the text in common, and the parts of messages that are masked. */
export function GroupingPanel({ issue, changes }: GroupingPanelProps) {
  const { number } = issue;
  const isReadOnly = useIsReadOnly();
  const [isMerging, setIsMerging] = useState(false);
  const grouping = useQuery({
    queryKey: [ISSUES_KEY, "grouping", number],
    queryFn: ({ signal }) => api("GET /api/issues/:number/grouping", { params: { number }, signal }),
  });
  return (
    <Panel title="Why these runs are one issue" note="same agent, same text once changing parts are masked">
      <QueryResult query={grouping} skeleton={<SkeletonRows count={4} />}>
        {({ problems }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-3">
            {problems.length === 0 && <p className="text-muted">There is no run left to explain.</p>}
            {problems.map((problem) => (
              <ProblemTexts key={problem.id} problem={problem}>
                {problems.length > 1 && !isReadOnly && (
                  <Button
                    disabled={changes.isPending}
                    title="Its runs get an issue of their own again"
                    onClick={() => changes.make(() => splitIssue(issue, problem.id))}
                  >
                    Split off
                  </Button>
                )}
              </ProblemTexts>
            ))}
            {!isReadOnly && (
              <div>
                <Button onClick={() => setIsMerging(true)}>Merge with another issue</Button>
              </div>
            )}
          </div>
        )}
      </QueryResult>
      <Dialog title={`Merge into #${number}`} isOpen={isMerging} onClose={() => setIsMerging(false)}>
        <MergeForm issue={issue} changes={changes} onDone={() => setIsMerging(false)} />
      </Dialog>
    </Panel>
  );
}

const BOX = "block break-words rounded-md border border-line px-2.5 py-1.5 font-mono text-xs";

function ProblemTexts({ problem, children }: { problem: Problem; children: ReactNode }) {
  const { kind, text, runs, examples } = problem;
  const isMasked = examples.some(({ parts }) => parts.some((part) => part.isMasked));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <div className="flex items-center gap-2">
        <code className={`${BOX} min-w-0 flex-1`}>{text}</code>
        {children}
      </div>
      <p className="text-xs text-muted">
        {isMasked
          ? `${examples.length} of ${runs.toLocaleString("en")} messages, masked parts underlined`
          : kind === "error"
            ? `${runs.toLocaleString("en")} ${runs === 1 ? "run has" : "runs have"} exactly this message`
            : `${runs.toLocaleString("en")} ${runs === 1 ? "run is" : "runs are"} bad for this reason`}
      </p>
      {isMasked &&
        examples.map(({ traceId, spanId, parts }) => (
          <Link
            key={`${traceId} ${spanId}`}
            to={paths.trace}
            params={{ id: traceId }}
            search={spanId === null ? {} : { span: spanId }}
            className={`${BOX} hover:bg-panel`}
          >
            {parts.map((part, index) =>
              part.isMasked ? (
                <u
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
                  key={index}
                  className="rounded-sm bg-[color-mix(in_oklab,var(--color-tool)_14%,var(--color-bg))] decoration-tool underline-offset-3"
                >
                  {part.text}
                </u>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
                <span key={index}>{part.text}</span>
              ),
            )}
          </Link>
        ))}
    </div>
  );
}
