import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { isSample } from "../client/base-path.ts";
import { omitEmpty } from "../client/search-params.ts";
import { useUser } from "../client/session.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { paths } from "../paths.ts";
import { useGivenReviews, useSaveReview } from "../scores/use-save-review.ts";
import { RoleNote } from "../shell/role-note.tsx";
import { outlineQuery } from "../trace/model/outline.ts";
import { Kbd } from "../ui/badges.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { EmptyState, Notice } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { ThumbIcon } from "../ui/thumb-icon.tsx";
import { AgentPicker } from "../why/agent-picker.tsx";
import { reviewQueueQuery } from "./review-queue-query.ts";
import type { ReviewRunsSearch } from "./review-runs-search.ts";
import { ReviewedRun } from "./reviewed-run.tsx";

const ROUTE = "/signed-in/scores/review";
const route = getRouteApi(ROUTE);

export const reviewRunsPage = createLazyRoute(ROUTE)({ component: ReviewRunsPage });

/** Shows runs one after another, without what others said about them, until each is called good or bad, or skipped. */
function ReviewRunsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { id: userId } = useUser();
  const [batch, setBatch] = useState(0);
  const queue = useQuery(reviewQueueQuery(search, userId, batch));
  return (
    <>
      <PageHeader title="Review runs" count={queue.data && leftWords(queue.data.left)}>
        {search.judge === undefined ? (
          <AgentPicker
            search={search}
            onChange={(agent) => void navigate({ search: omitEmpty({ agent }) })}
          />
        ) : (
          <span className="min-w-0 break-words text-muted">
            To check the judge {search.judgeAuthor ?? search.judge}; what it said is hidden
          </span>
        )}
        <Link
          to={paths.scores}
          search={omitEmpty({ agent: search.agent, name: search.judge })}
          className={`${buttonStyle()} ml-auto max-sm:ml-0`}
        >
          Scores
        </Link>
      </PageHeader>
      <QueryResult query={queue} skeleton={<SkeletonRows />}>
        {({ traces }) =>
          traces.length === 0 ? (
            <NothingLeft search={search} />
          ) : (
            <Batch
              key={`${batch} ${traces[0]}`}
              traces={traces}
              search={search}
              onNextBatch={() => setBatch(batch + 1)}
            />
          )
        }
      </QueryResult>
    </>
  );
}

const leftWords = (left: number) =>
  `${left.toLocaleString("en")} ${left === 1 ? "run is" : "runs are"} without your review`;

const NothingLeft = ({ search }: { search: ReviewRunsSearch }) => (
  <EmptyState title="No run is left to review">
    <p>
      You reviewed all runs{search.agent === undefined ? "" : ` of ${search.agent}`}
      {search.judge === undefined ? "" : " that this judge scored"}, or none has ended yet.
    </p>
    <Link to={paths.traces} className={buttonStyle()}>
      All traces
    </Link>
  </EmptyState>
);

interface BatchProps {
  traces: string[];
  search: ReviewRunsSearch;
  onNextBatch: () => void;
}

function Batch({ traces, search, onNextBatch }: BatchProps) {
  const [at, setAt] = useState(0);
  const [given, setGiven] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isReadOnly = useIsReadOnly();
  const save = useSaveReview();
  const client = useQueryClient();
  const traceId = traces[at];
  const reviews = useGivenReviews();
  const failed = traces
    .map((id) => reviews.findLast((review) => review.traceId === id))
    .find((last) => last?.status === "failed");
  useEffect(() => {
    const next = traces[at + 1];
    if (next !== undefined) void client.prefetchQuery(outlineQuery(next));
  }, [client, traces, at]);
  const step = (by: 1 | -1) => setAt(Math.max(0, Math.min(traces.length, at + by)));
  const give = (value: boolean) => {
    if (traceId === undefined || isReadOnly) return;
    save({ traceId, value });
    setGiven(new Map(given).set(traceId, value));
    step(1);
  };
  const takeBack = () => {
    if (traceId === undefined || !given.has(traceId)) return;
    save({ traceId, value: null });
    setGiven(new Map([...given].filter(([id]) => id !== traceId)));
  };
  useShortcuts({
    "+": () => give(true),
    "-": () => give(false),
    "0": takeBack,
    n: () => step(1),
    p: () => step(-1),
  });
  const current = traceId === undefined ? undefined : given.get(traceId);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 pb-2.5">
        <p role="status" className="tabular-nums text-muted">
          {Math.min(at + 1, traces.length)} of {traces.length} · {given.size} reviewed
        </p>
        <span aria-hidden="true" className="block h-1 w-32 overflow-hidden rounded bg-sunken max-sm:hidden">
          <span className="block h-full bg-accent" style={{ width: `${(100 * at) / traces.length}%` }} />
        </span>
        {traceId !== undefined && (
          <Link
            to={paths.trace}
            params={{ id: traceId }}
            className="ml-auto text-xs font-medium text-accent hover:underline max-sm:ml-0 max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
          >
            Open the trace, with what others said
          </Link>
        )}
      </div>
      {failed && (
        <div className="px-4 pt-3">
          <Notice tone="error">A review was not saved: {failed.error?.message}</Notice>
        </div>
      )}
      {traceId === undefined ? (
        <BatchDone
          reviewed={given.size}
          skipped={traces.length - given.size}
          search={search}
          onNextBatch={onNextBatch}
        />
      ) : (
        <ReviewedRun key={traceId} traceId={traceId} />
      )}
      <div className="sticky bottom-0 z-[2] flex flex-wrap items-center gap-2 border-t border-line bg-bg px-4 py-2.5 max-sm:[&>*]:flex-1">
        <Button disabled={at === 0} onClick={() => step(-1)}>
          Back <Key>p</Key>
        </Button>
        <span aria-hidden="true" className="ml-auto max-sm:hidden" />
        <RoleNote needed="member" act="Reviewing runs" />
        {isSample && (
          <span className="text-muted">
            The sample is read-only: in a workspace of your own you judge runs here.
          </span>
        )}
        <Button
          disabled={traceId === undefined || isReadOnly}
          aria-pressed={current === true}
          onClick={() => give(true)}
          aria-label="The run was good"
        >
          <ThumbIcon isUp /> Good <Key>+</Key>
        </Button>
        <Button
          disabled={traceId === undefined || isReadOnly}
          aria-pressed={current === false}
          onClick={() => give(false)}
          aria-label="The run was bad"
        >
          <ThumbIcon isUp={false} /> Bad <Key>−</Key>
        </Button>
        <Button disabled={traceId === undefined} onClick={() => step(1)}>
          {current === undefined ? "Skip" : "Next"} <Key>n</Key>
        </Button>
        {current !== undefined && (
          <Button onClick={takeBack}>
            Take back <Key>0</Key>
          </Button>
        )}
      </div>
    </>
  );
}

const Key = ({ children }: { children: string }) => (
  <span className="max-sm:hidden">
    <Kbd>{children}</Kbd>
  </span>
);

interface BatchDoneProps {
  reviewed: number;
  skipped: number;
  search: ReviewRunsSearch;
  onNextBatch: () => void;
}

function BatchDone({ reviewed, skipped, search, onNextBatch }: BatchDoneProps) {
  return (
    <div className="flex-1">
      <EmptyState title={`You reviewed ${reviewed} ${reviewed === 1 ? "run" : "runs"}`}>
        <p>
          {skipped > 0 && `You skipped ${skipped}. `}
          Your reviews decide whether these runs are good or bad, whatever else is known.
        </p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button kind="primary" onClick={onNextBatch}>
            Review more
          </Button>
          <Link
            to={paths.scores}
            search={omitEmpty({ agent: search.agent, name: search.judge })}
            className={buttonStyle()}
          >
            {search.judge === undefined ? "See the scores" : "Can the judge be trusted?"}
          </Link>
        </div>
      </EmptyState>
    </div>
  );
}
