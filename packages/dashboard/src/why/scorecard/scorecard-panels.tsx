import type { Scorecard, ScorecardOption } from "@whytrace/contract";
import { useIsReadOnly } from "../../client/use-role.ts";
import { HowCounted } from "../how-counted.tsx";
import { ChoicesByDay } from "./choices-by-day.tsx";
import { CompareRuns } from "./compare-runs.tsx";
import { DecisionFindings } from "./decision-findings.tsx";
import { OptionTable } from "./option-table.tsx";
import { ReasonsGiven } from "./reasons-given.tsx";
import { SameSituation } from "./same-situation.tsx";
import { ScoreMeans } from "./score-means.tsx";
import type { ScorecardSearch } from "./scorecard-search.ts";
import { SilenceReadings } from "./silence-readings.tsx";
import { JudgeNext } from "./verdicts/judge-next.tsx";
import { VerdictMatrix } from "./verdicts/verdict-matrix.tsx";

interface ScorecardPanelsProps {
  card: Scorecard;
  search: ScorecardSearch;
  selected: ScorecardOption | undefined;
  onShow: (change: ScorecardSearch) => void;
}

/** What is known of a decision, from one sentence down to single reasons. */
export function ScorecardPanels({ card, search, selected, onShow }: ScorecardPanelsProps) {
  const isReadOnly = useIsReadOnly();
  const select = (option: string) => onShow({ option });
  return (
    <>
      <div className="grid gap-2 px-4 pb-3">
        <DecisionFindings card={card} search={search} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {selected && <CompareRuns card={card} search={search} option={selected} />}
          <HowCounted>Association in the same situation, not cause ·</HowCounted>
        </div>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pb-3 xl:grid-cols-[minmax(0,1.06fr)_minmax(0,1fr)]">
        <div className="overflow-hidden rounded-md border border-line max-xl:-mx-4 max-xl:rounded-none max-xl:border-x-0 xl:col-span-2">
          <OptionTable card={card} search={search} selected={selected?.step} onSelect={select} />
        </div>
        <SilenceReadings card={card} />
        <ChoicesByDay card={card} />
        <SameSituation
          card={card}
          search={search}
          like={search.like ?? "before"}
          onLike={(like) => onShow({ like: like === "before" ? undefined : like })}
        />
        {selected && <ReasonsGiven card={card} search={search} option={selected} onSelect={select} />}
        <VerdictMatrix
          card={card}
          action={selected && !isReadOnly && <JudgeNext card={card} search={search} option={selected} />}
        />
        {/* Last, because nobody knows how high it is before it is there. */}
        <ScoreMeans card={card} search={search} />
      </div>
    </>
  );
}
