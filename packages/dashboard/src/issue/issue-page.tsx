import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi } from "@tanstack/react-router";
import type { IssueDetail } from "@whytrace/contract";
import type { RangeName } from "../client/time-ranges.ts";
import { issueQuery } from "../issues/issues-query.ts";
import { type IssueChanges, useIssueChanges } from "../issues/use-issue-changes.ts";
import { useLiveIssues } from "../issues/use-live-issues.ts";
import { Notice } from "../ui/notice.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { UndoBar } from "../ui/undo-bar.tsx";
import { CountedRange } from "../why/counted-range.tsx";
import { ByModel } from "./by-model.tsx";
import { ByRelease } from "./by-release.tsx";
import { GroupingPanel } from "./grouping-panel.tsx";
import { IssueActions } from "./issue-actions.tsx";
import { IssueFigures } from "./issue-figures.tsx";
import { IssueHeading } from "./issue-heading.tsx";
import { LikelyPanel } from "./likely-panel.tsx";
import { NearestRun } from "./nearest-run.tsx";
import { RunExamples } from "./run-examples.tsx";
import { TimelinePanel } from "./timeline-panel.tsx";

const ROUTE = "/signed-in/issues/$number";
const route = getRouteApi(ROUTE);

export const issuePage = createLazyRoute(ROUTE)({ component: IssuePage });

function IssuePage() {
  const { number } = route.useParams();
  const { range } = route.useSearch();
  const navigate = route.useNavigate();
  const issue = useQuery(issueQuery(number, range));
  // Here, because splitting an issue may show another one at the same address.
  const changes = useIssueChanges();
  useLiveIssues();
  return (
    <div aria-busy={issue.isLoading} className="flex-1">
      <QueryResult query={issue} skeleton={<SkeletonRows count={10} height="h-16" />}>
        {(data) => (
          <>
            {String(data.number) !== number && (
              <div className="px-4 pt-3">
                <Notice tone="completed">
                  #{number} was merged into #{data.number}, which is shown here.
                </Notice>
              </div>
            )}
            <Issue
              key={data.number}
              issue={data}
              range={range}
              changes={changes}
              onRange={(next) => void navigate({ search: next ? { range: next } : {}, resetScroll: false })}
            />
          </>
        )}
      </QueryResult>
      <UndoBar changes={changes} />
    </div>
  );
}

interface IssueProps {
  issue: IssueDetail;
  range: RangeName | undefined;
  changes: IssueChanges;
  onRange: (range: RangeName | undefined) => void;
}

const COLUMN = "grid grid-cols-[minmax(0,1fr)] content-start gap-4";

function Issue({ issue, range, changes, onRange }: IssueProps) {
  return (
    <>
      <header className="grid grid-cols-[minmax(0,1fr)] gap-2.5 px-4 py-3">
        <IssueHeading issue={issue}>
          <CountedRange range={range} onChange={onRange} />
        </IssueHeading>
        <IssueActions issue={issue} changes={changes} />
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className={COLUMN}>
          <LikelyPanel issue={issue} range={range} />
          <NearestRun issue={issue} />
          <RunExamples issue={issue} range={range} />
          <GroupingPanel issue={issue} changes={changes} />
        </div>
        <div className={COLUMN}>
          <IssueFigures issue={issue} range={range} />
          <ByRelease issue={issue} />
          <ByModel issue={issue} />
          <TimelinePanel issue={issue} />
        </div>
      </div>
    </>
  );
}
