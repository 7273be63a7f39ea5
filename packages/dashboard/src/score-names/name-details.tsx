import { useQuery } from "@tanstack/react-query";
import type { ScoreSummary } from "@whytrace/contract";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { countedRuns, type NamedSummary } from "./counted-runs.ts";
import { DayChart, DayChartSkeleton } from "./day-chart.tsx";
import { JUDGE_TITLE, JudgePanel } from "./judge-panel.tsx";
import { LatestScores } from "./latest-scores.tsx";
import { scoreSeriesQuery, scoreValuesQuery } from "./score-queries.ts";
import { ScoreValuesList } from "./score-values-list.tsx";
import type { ScoresSearch } from "./scores-search.ts";
import { Votes } from "./votes.tsx";

interface NameDetailsProps {
  opened: NamedSummary;
  summary: ScoreSummary;
  search: ScoresSearch;
}

const COLUMN = "grid grid-cols-[minmax(0,1fr)] gap-3";

/** One name: by day, its values, who votes, and whether its judges can be trusted. */
export function NameDetails({ opened, summary, search }: NameDetailsProps) {
  const { name } = opened;
  const named = { name, agent: search.agent, range: search.range };
  const series = useQuery(scoreSeriesQuery(named));
  const values = useQuery(scoreValuesQuery(named));
  const counted = countedRuns(summary, search);
  return (
    <section
      aria-label={`Scores of ${name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4 xl:grid-cols-2 xl:items-start"
    >
      <Panel title={`${name} by day`} note="UTC, the day on which the run started" className="xl:col-span-2">
        <QueryResult query={series} skeleton={<DayChartSkeleton opened={opened} />}>
          {({ days }) => <DayChart opened={opened} days={days} counted={counted} />}
        </QueryResult>
      </Panel>
      <div className={COLUMN}>
        {(values.data?.judges ?? []).map(({ author }) => (
          <JudgePanel key={author ?? ""} name={name} author={author} search={search} />
        ))}
        {values.isLoading && opened.sources.includes("judge") && (
          <Panel title={JUDGE_TITLE}>
            <SkeletonRows count={4} />
          </Panel>
        )}
        {opened.sources.includes("user") && (
          <Panel title="Who votes" note={`${name}, by users`}>
            <QueryResult query={series} skeleton={<SkeletonRows count={4} />}>
              {({ days }) => <Votes opened={opened} days={days} counted={counted} summary={summary} />}
            </QueryResult>
          </Panel>
        )}
        <Panel title="Values" note={name}>
          <QueryResult query={values} skeleton={<SkeletonRows count={3} />}>
            {(data) => <ScoreValuesList name={name} values={data} counted={counted} agent={search.agent} />}
          </QueryResult>
        </Panel>
      </div>
      <div className={COLUMN}>
        <LatestScores name={name} agent={search.agent} />
      </div>
    </section>
  );
}
