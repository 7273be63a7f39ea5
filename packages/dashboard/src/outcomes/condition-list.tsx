import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { scoreNamesQuery } from "../scores/scores-query.ts";
import { Button } from "../ui/controls/button.tsx";
import { formatPercent } from "../ui/format/format-percent.ts";
import { Panel } from "../ui/panel.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { conditionWords } from "./condition-words.ts";
import { type DraftCondition, toDraft } from "./draft.ts";
import { NEW_CONDITIONS } from "./new-conditions.ts";
import { UnusedNumbers } from "./unused-numbers.tsx";

interface ConditionListProps {
  agent: string | undefined;
  draft: readonly DraftCondition[];
  /** In how many of the previewed runs each condition is true. */
  matched: { counts: readonly number[]; runs: number } | undefined;
  onChange: (draft: readonly DraftCondition[]) => void;
}

const MAX_CONDITIONS = 20;

/** The conditions as sentences, and what can be added. */
export function ConditionList({ agent, draft, matched, onChange }: ConditionListProps) {
  const { data } = useQuery(scoreNamesQuery);
  const list = useRef<HTMLUListElement>(null);
  const add = (condition: DraftCondition["condition"]) => {
    onChange([...draft, toDraft(condition)]);
    // The fields of the new condition are there after the next frame.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>("li:last-child :is(input, select)")?.focus(),
    );
  };
  const offered = NEW_CONDITIONS.filter(
    ({ isSingle, condition }) => !isSingle || !draft.some((one) => one.condition.kind === condition.kind),
  );
  return (
    <Panel title="Bad if" note={`any of ${draft.length} ${draft.length === 1 ? "condition" : "conditions"}`}>
      <ul ref={list} aria-label="Conditions">
        {draft.map(({ key, condition }, index) => (
          <li key={key} className="flex items-start gap-3 border-b border-line px-3 py-2.5">
            <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-1.5 gap-y-1.5 break-words">
              <ConditionFields
                condition={condition}
                names={data?.names.map(({ name }) => name) ?? []}
                onChange={(next) =>
                  onChange(draft.map((one) => (one.key === key ? { key, condition: next } : one)))
                }
              />
            </div>
            {matched && (
              <p className="shrink-0 text-right tabular-nums">
                <b className="font-semibold">{matched.counts[index]?.toLocaleString("en")}</b>{" "}
                {matched.counts[index] === 1 ? "run" : "runs"}
                <span className="block text-xs text-muted">
                  {formatPercent((matched.counts[index] ?? 0) / Math.max(1, matched.runs))} of all
                </span>
              </p>
            )}
            <Button
              aria-label={`Remove: ${conditionWords(condition)}`}
              className="shrink-0 px-2!"
              onClick={() => onChange(draft.filter((one) => one.key !== key))}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
      {draft.length < MAX_CONDITIONS && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot stand in the row of its buttons
        <div role="group" aria-label="Add a condition" className="flex flex-wrap items-center gap-1.5 p-3">
          <span aria-hidden="true" className="text-xs text-muted">
            Add
          </span>
          {offered.map(({ label, condition }) => (
            <Button
              key={label}
              className="min-h-7! px-2! text-xs max-sm:min-h-11!"
              onClick={() => add(condition)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <UnusedNumbers agent={agent} draft={draft} onAdd={add} />
    </Panel>
  );
}
