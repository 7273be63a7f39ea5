import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { ScoreSummary } from "@whytrace/contract";
import { omitEmpty } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import { scoreNamesQuery } from "../scores/scores-query.ts";
import { Kbd } from "../ui/badges.tsx";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { useListShortcuts } from "../ui/hooks/use-list-shortcuts.ts";
import { useShortcuts } from "../ui/hooks/use-shortcuts.ts";
import { type KeyHint, KeyHints } from "../ui/key-hints.tsx";
import { EmptyState } from "../ui/notice.tsx";
import { PageFooter } from "../ui/page-footer.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { AgentPicker } from "../why/agent-picker.tsx";
import { CountedRange } from "../why/counted-range.tsx";
import { FirstScore } from "./first-score.tsx";
import { NameDetails } from "./name-details.tsx";
import { NamesTable } from "./names-table.tsx";
import { scoreSummaryQuery } from "./score-queries.ts";
import type { ScoresSearch } from "./scores-search.ts";
import { useLiveScores } from "./use-live-scores.ts";

const ROUTE = "/signed-in/scores";
const route = getRouteApi(ROUTE);

export const scoresPage = createLazyRoute(ROUTE)({ component: ScoresPage });

const KEYS: KeyHint[] = [
  [["j", "k"], "name"],
  [["↵"], "open"],
  [["r"], "review"],
];

function ScoresPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const summary = useQuery(scoreSummaryQuery(search));
  const { list } = useListShortcuts();
  useLiveScores();
  const reviewSearch = omitEmpty({ agent: search.agent });
  useShortcuts({ r: () => void navigate({ to: paths.reviewRuns, search: reviewSearch }) });
  const show = (change: ScoresSearch) =>
    void navigate({ search: (before) => omitEmpty({ ...before, ...change }), resetScroll: false });
  return (
    <>
      <PageHeader title="Scores" count={summary.data && countWords(summary.data)}>
        {/* On phones a line of its own: the count would push it there when it arrives. */}
        <div className="max-sm:w-full">
          <AgentPicker search={search} onChange={(agent) => show({ agent, name: undefined })} />
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-2 max-md:ml-0 max-sm:w-full max-sm:[&>*]:flex-1">
          <Link to={paths.outcomes} search={omitEmpty({ agent: search.agent })} className={buttonStyle()}>
            What counts as bad
          </Link>
          <Link to={paths.reviewRuns} search={reviewSearch} className={buttonStyle()}>
            Review runs
            <span className="max-sm:hidden">
              <Kbd>r</Kbd>
            </span>
          </Link>
          <CountedRange range={search.range} onChange={(range) => show({ range })} />
        </div>
      </PageHeader>
      <div ref={list} aria-busy={summary.isFetching} className="flex-1">
        <QueryResult query={summary} skeleton={<SkeletonRows count={5} />}>
          {(data) =>
            data.names.length === 0 ? (
              <NoNames search={search} onShow={show} />
            ) : (
              <Names summary={data} search={search} />
            )
          }
        </QueryResult>
      </div>
      <PageFooter>
        <span>Each number is a link to its runs.</span>
        <KeyHints hints={KEYS} />
      </PageFooter>
    </>
  );
}

const countWords = ({ runs, scoredRuns }: ScoreSummary) =>
  `${runs.toLocaleString("en")} ${runs === 1 ? "run" : "runs"} · ${scoredRuns.toLocaleString("en")} scored`;

function Names({ summary, search }: { summary: ScoreSummary; search: ScoresSearch }) {
  // Without a name in the address, the first one that users or judges gave is open.
  const opened =
    summary.names.find(({ name }) => name === search.name) ??
    summary.names.find(({ sources }) => sources.includes("judge") || sources.includes("user")) ??
    summary.names[0];
  return (
    <>
      <NamesTable summary={summary} search={search} opened={opened?.name} />
      {summary.isTruncated && (
        <p className="px-4 py-2 text-xs text-muted">
          There are more names; only the first {summary.names.length} are shown. Names with ids in them make
          many.
        </p>
      )}
      {opened && <NameDetails key={opened.name} opened={opened} summary={summary} search={search} />}
    </>
  );
}

/** In this range there is nothing: perhaps there is in another one, or nothing has come at all. */
function NoNames({ search, onShow }: { search: ScoresSearch; onShow: (change: ScoresSearch) => void }) {
  const { data } = useQuery(scoreNamesQuery);
  if (!data) return <SkeletonRows count={5} />;
  if (data.names.length === 0) return <FirstScore />;
  return (
    <EmptyState title="No run has a score in this time range">
      <p>
        Scores count on the day on which their run started
        {search.agent === undefined ? "." : `, and only those of ${search.agent} are shown.`}
      </p>
      <Button onClick={() => onShow({ agent: undefined, range: "90d" })}>Show 90 days of all agents</Button>
    </EmptyState>
  );
}
