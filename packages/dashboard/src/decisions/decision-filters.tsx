import { DECISION_OUTCOMES, TRACE_FILTERS } from "@whytrace/contract";
import { parseOneOf } from "../client/search-params.ts";
import { ReceivedFilter } from "../traces/filters/received-filter.tsx";
import { TextFilter } from "../traces/filters/text-filter.tsx";
import { SelectChip } from "../ui/controls/select-chip.tsx";
import { type DecisionsSearch, INFERRED } from "./decisions-search.ts";

interface DecisionFiltersProps {
  search: DecisionsSearch;
  onFilter: (change: DecisionsSearch) => void;
}

const OUTCOME_LABELS = {
  failed: "failed after",
  recovered: "recovered",
  fine: "went well",
  open: "still running",
} as const;
const INFERRED_LABELS = { true: "inferred", false: "written down" } as const;

export function DecisionFilters({ search, onFilter }: DecisionFiltersProps) {
  const { agent, choice, outcome, inferred, last, from, to } = search;
  return (
    <>
      <TextFilter
        {...TRACE_FILTERS.agent.chip}
        value={agent}
        onChange={(next) => onFilter({ agent: next })}
      />
      <TextFilter
        label="Choice"
        field="Name of the option"
        hint="Exact match"
        value={choice}
        values="choice"
        onChange={(next) => onFilter({ choice: next })}
      />
      <SelectChip
        label="Outcome"
        text={outcome && `Outcome: ${OUTCOME_LABELS[outcome]}`}
        value={outcome ?? ""}
        options={[
          { value: "", label: "Any outcome" },
          ...DECISION_OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value] })),
        ]}
        onChange={(value) => onFilter({ outcome: parseOneOf(DECISION_OUTCOMES, value) })}
        onClear={outcome && (() => onFilter({ outcome: undefined }))}
      />
      <SelectChip
        label="Source"
        text={inferred && `Source: ${INFERRED_LABELS[inferred]}`}
        value={inferred ?? ""}
        options={[
          { value: "", label: "Any source" },
          ...INFERRED.map((value) => ({ value, label: INFERRED_LABELS[value] })),
        ]}
        onChange={(value) => onFilter({ inferred: parseOneOf(INFERRED, value) })}
        onClear={inferred && (() => onFilter({ inferred: undefined }))}
      />
      <ReceivedFilter
        value={{ received: last, dateFrom: from, dateTo: to }}
        onChange={({ received, dateFrom, dateTo }) =>
          onFilter({ last: received, from: dateFrom, to: dateTo })
        }
      />
    </>
  );
}
