import { useQuery } from "@tanstack/react-query";
import { healthQuery } from "../../agents/agents-queries.ts";
import { scoreNamesQuery } from "../../scores/scores-query.ts";
import { InlineSelect } from "../model/inline-select.tsx";
import { minutesWords } from "../model/rule-words.ts";
import { hasLimit, type RuleDraft, WINDOWED } from "./rule-draft.ts";

interface RuleSentenceProps {
  draft: RuleDraft;
  onChange: (change: Partial<RuleDraft>) => void;
}

const WINDOWS = [5, 15, 30, 60, 120, 360, 720, 1_440];
const FOR = [0, 5, 10, 15, 30, 60, 120, 360, 720, 1_440];

const minutes = (all: readonly number[], current: number) =>
  [...new Set([...all, current])]
    .toSorted((a, b) => a - b)
    .map((value) => ({ value: String(value), label: value === 0 ? "a moment" : minutesWords(value) }));

/** The condition of a rule as a sentence in which parts can be chosen. */
export function RuleSentence({ draft, onChange }: RuleSentenceProps) {
  const { kind } = draft;
  const agent = <AgentSelect draft={draft} onChange={onChange} />;
  const limit = <Limit draft={draft} onChange={onChange} />;
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2 text-lg leading-9">
      {kind === "failure_rate" && (
        <>
          If runs of {agent} are bad
          <InlineSelect
            label="Compared with"
            value={draft.isComparedWithPast ? "past" : "limit"}
            options={[
              { value: "past", label: "more often than in its last 14 days" },
              { value: "limit", label: "more often than a limit" },
            ]}
            onChange={(value) => onChange({ isComparedWithPast: value === "past" })}
          />
          {hasLimit(draft) && limit}
        </>
      )}
      {kind === "score_mean" && (
        <>
          If the mean of <ScoreSelect draft={draft} onChange={onChange} /> of {agent} is below {limit}
        </>
      )}
      {kind === "cost_per_run" && (
        <>
          If a run of {agent} costs more than {limit} on average
        </>
      )}
      {kind === "cost_per_day" && (
        <>
          If {agent} cost more than {limit} since midnight UTC
        </>
      )}
      {kind === "duration_p95" && (
        <>
          If 1 in 20 runs of {agent} takes longer than {limit}
        </>
      )}
      {kind === "drift" && <>If the newest release of {agent} chooses differently from the one before</>}
      {kind === "decision_rule" && <>If the newest release of {agent} breaks a decision rule</>}
      {kind === "no_runs" && <>If no run of {agent} starts</>}
      {WINDOWED.includes(kind) && (
        <>
          in
          <InlineSelect
            label="Window"
            value={String(draft.windowMinutes)}
            options={minutes(WINDOWS, draft.windowMinutes)}
            onChange={(value) => onChange({ windowMinutes: Number(value) })}
          />
        </>
      )}
      {kind !== "drift" && kind !== "decision_rule" && (
        <>
          for
          <InlineSelect
            label="For"
            value={String(draft.forMinutes)}
            options={minutes(FOR, draft.forMinutes)}
            onChange={(value) => onChange({ forMinutes: Number(value) })}
          />
        </>
      )}
    </div>
  );
}

function AgentSelect({ draft: { kind, agent }, onChange }: RuleSentenceProps) {
  const { data } = useQuery(healthQuery(undefined));
  const names = new Set([...(data?.agents ?? []).map(({ name }) => name), ...(agent === "" ? [] : [agent])]);
  const none =
    kind === "cost_per_day" ? { value: "", label: "all agents" } : { value: "", label: "choose an agent" };
  return (
    <InlineSelect
      label="Agent"
      value={agent}
      options={[none, ...[...names].map((name) => ({ value: name, label: name }))]}
      onChange={(value) => onChange({ agent: value })}
    />
  );
}

function ScoreSelect({ draft: { score }, onChange }: RuleSentenceProps) {
  const { data } = useQuery(scoreNamesQuery);
  const names = new Set([...(data?.names ?? []).map(({ name }) => name), ...(score === "" ? [] : [score])]);
  return (
    <InlineSelect
      label="Score"
      value={score}
      options={[
        { value: "", label: "choose a score" },
        ...[...names].map((name) => ({ value: name, label: name })),
      ]}
      onChange={(value) => onChange({ score: value })}
    />
  );
}

const UNITS: Partial<Record<RuleDraft["kind"], string>> = { failure_rate: "%", duration_p95: "s" };

function Limit({ draft: { kind, limit }, onChange }: RuleSentenceProps) {
  const isCost = kind === "cost_per_run" || kind === "cost_per_day";
  return (
    <span className="inline-flex items-center gap-1">
      {isCost && "$"}
      <input
        type="number"
        inputMode="decimal"
        step="any"
        min={kind === "score_mean" ? undefined : 0}
        max={kind === "failure_rate" ? 100 : undefined}
        required
        aria-label="Limit"
        value={limit}
        onChange={(event) => onChange({ limit: event.target.value })}
        className="min-h-9 w-24 rounded-md border border-control bg-bg px-2 text-base font-semibold max-sm:min-h-11"
      />
      {UNITS[kind]}
    </span>
  );
}
