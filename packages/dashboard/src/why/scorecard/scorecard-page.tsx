import { useQuery } from "@tanstack/react-query";
import { createLazyRoute, getRouteApi, Link } from "@tanstack/react-router";
import type { Scorecard } from "@whytrace/contract";
import { useCallback } from "react";
import { ApiError } from "../../client/api.ts";
import { omitEmpty } from "../../client/search-params.ts";
import { useIsReadOnly } from "../../client/use-role.ts";
import { paths } from "../../paths.ts";
import { Term } from "../../shell/term.tsx";
import { Kbd, Tag, TypeBadge } from "../../ui/badges.tsx";
import { Button, buttonStyle } from "../../ui/controls/button.tsx";
import { useShortcuts } from "../../ui/hooks/use-shortcuts.ts";
import { type KeyHint, KeyHints } from "../../ui/key-hints.tsx";
import { EmptyState, ErrorNotice } from "../../ui/notice.tsx";
import { PageFooter } from "../../ui/page-footer.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { CountedRange } from "../counted-range.tsx";
import { pickCounted } from "../counted-search.ts";
import { countedTraces } from "../counted-traces.ts";
import { scorecardQuery } from "../insights-query.ts";
import { OutcomeNotes } from "../outcome-notes.tsx";
import { ProgressNotice } from "../progress-notice.tsx";
import { unknownTraces } from "../unknown-traces.ts";
import { useLiveInsights } from "../use-live-insights.ts";
import { useSetAside } from "../use-set-aside.ts";
import { WatchDrift } from "./rules/watch-drift.tsx";
import { ScorecardPanels } from "./scorecard-panels.tsx";
import type { ScorecardSearch } from "./scorecard-search.ts";
import { ScorecardSkeleton } from "./scorecard-skeleton.tsx";
import { useNeighbours } from "./use-neighbours.ts";

const ROUTE = "/signed-in/why/$signature";
const route = getRouteApi(ROUTE);

export const scorecardPage = createLazyRoute(ROUTE)({ component: ScorecardPage });

const keysOf = (isReadOnly: boolean): KeyHint[] => [
  [["1", "–", "4"], "option"],
  [["f"], "its bad runs"],
  [["c"], "compare runs"],
  ...(isReadOnly ? [] : [[["v"], "judge"] satisfies KeyHint]),
  [["[", "]"], "decision"],
];

function ScorecardPage() {
  const { signature } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(scorecardQuery(signature, search));
  // The scorecard of another decision stays until this one is there, but must not be taken for it.
  const card = query.data?.signature === signature ? query.data : undefined;
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  const isReadOnly = useIsReadOnly();
  const setAside = useSetAside();
  const { previous, next } = useNeighbours(signature, search);
  useLiveInsights();
  const show = useCallback(
    (change: ScorecardSearch) => void navigate({ search: (before) => omitEmpty({ ...before, ...change }) }),
    [navigate],
  );
  const selected = card?.options.find(({ step }) => step === search.option) ?? card?.options[0];
  const goTo = (other: string | undefined) => {
    if (other)
      void navigate({
        to: paths.scorecard,
        params: { signature: other },
        search: pickCounted(search),
      });
  };
  const toggleAside = () =>
    card && !isReadOnly && setAside.mutate({ signature, isAside: !card.isAside, from: card.from });
  useShortcuts({
    ...Object.fromEntries(
      ["1", "2", "3", "4"].map((key, index) => [key, () => show({ option: card?.options[index]?.step })]),
    ),
    f: () => {
      if (!card || !selected) return;
      const traces = { step: selected.step, stepOutcome: "failed", about: selected.name } as const;
      void navigate({ to: paths.traces, search: omitEmpty({ ...countedTraces(card, search), ...traces }) });
    },
    m: () => toggleAside(),
    "[": () => goTo(previous),
    "]": () => goTo(next),
  });
  return (
    <div style={card && tintedStyle(card.type)} className="flex flex-1 flex-col">
      <header className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
        <Link
          to={paths.why}
          search={pickCounted(search)}
          className="text-muted hover:text-text hover:underline max-sm:w-full"
        >
          Why /
        </Link>
        <h1 className="min-w-0 text-lg font-semibold">{card ? titleOf(card) : "Decision"}</h1>
        {card && (
          <>
            <TypeBadge type={card.type} />
            {[...card.agents, ...(card.place ? [card.place] : [])].map((name) => (
              <Tag key={name}>{name}</Tag>
            ))}
          </>
        )}
        {/* With the title, whose lines would move them. */}
        {!query.isLoading && (
          <div className="flex flex-wrap items-center gap-2 max-sm:w-full md:ml-auto">
            {!isReadOnly && (
              <Button onClick={toggleAside} disabled={!card} aria-pressed={card?.isAside}>
                {card?.isAside ? "Count this decision again" : "Ignore this decision"} <Kbd>m</Kbd>
              </Button>
            )}
            {card && !isReadOnly && <WatchDrift card={card} selected={selected} />}
            <div className="max-sm:flex-1">
              <CountedRange range={search.range} onChange={(range) => show({ range })} />
            </div>
          </div>
        )}
      </header>
      <ProgressNotice progress={card?.progress} />
      <OutcomeNotes counted={card} tracesOf={card && unknownTraces(countedTraces(card, search))} />
      {setAside.error && (
        <div className="px-4 pb-3">
          <ErrorNotice error={setAside.error} />
        </div>
      )}
      {/* The key makes the panels take the place of the skeleton: the longer title would move both if they were one element. */}
      <div key={card?.signature} aria-busy={query.isFetching} className="flex-1">
        {isMissing ? (
          <NoDecisions search={search} />
        ) : (
          <QueryResult query={{ ...query, data: card }} skeleton={<ScorecardSkeleton />}>
            {(data) => <ScorecardPanels card={data} search={search} selected={selected} onShow={show} />}
          </QueryResult>
        )}
      </div>
      <PageFooter isSticky>
        <p>
          <Term word="signature">Signature</Term> <code>{signature}</code>
          {card?.place && (
            <>
              , <Term word="place">place</Term> {card.place}
            </>
          )}
          . Failed: an error or a bad score followed, and the run is bad. Recovered: an error followed, the
          run is not bad.
          {card &&
            card.open > 0 &&
            ` ${card.open.toLocaleString("en")} running ${card.open === 1 ? "decision is" : "decisions are"} not counted.`}
        </p>
        <KeyHints hints={keysOf(isReadOnly)} />
      </PageFooter>
    </div>
  );
}

const MAX_TITLE_OPTIONS = 4;

/** The options of the decision, those chosen first. */
function titleOf({ options, neverChosen }: Scorecard): string {
  const names = [...options.map(({ name }) => name), ...neverChosen];
  const rest = names.length - MAX_TITLE_OPTIONS;
  return names.slice(0, MAX_TITLE_OPTIONS).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function NoDecisions({ search }: { search: ScorecardSearch }) {
  return (
    <EmptyState title="Not decided in this time range">
      <p>Pick a longer time range, or another decision.</p>
      <Link to={paths.why} search={pickCounted(search)} className={buttonStyle()}>
        All decisions
      </Link>
    </EmptyState>
  );
}
