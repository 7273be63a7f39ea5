import { type FormEvent, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { FilterChip } from "../../ui/controls/filter-chip.tsx";
import { formatTimeRange } from "./format-time-range.ts";
import { RELATIVE_RANGE_NAMES, RELATIVE_RANGES, type TracesSearch } from "./traces-search.ts";

type Received = Pick<TracesSearch, "received" | "dateFrom" | "dateTo">;
interface ReceivedFilterProps {
  value: Received;
  onChange: (value: Received) => void;
}

const NO_FILTER: Received = { received: undefined, dateFrom: undefined, dateTo: undefined };

/** Filters by when the server received the trace, or by another time: a relative time range, or a start and an end. */
export function ReceivedFilter({ value, onChange }: ReceivedFilterProps) {
  return (
    <FilterChip label="Time" value={labelOf(value)} onClear={() => onChange(NO_FILTER)}>
      {(close) => (
        <Panel
          value={value}
          onApply={(next) => {
            close();
            onChange({ ...NO_FILTER, ...next });
          }}
        />
      )}
    </FilterChip>
  );
}

function Panel({ value, onApply }: { value: Received; onApply: (value: Received) => void }) {
  const [from, setFrom] = useState(() => toInput(value.dateFrom) || startOfToday());
  const [to, setTo] = useState(() => toInput(value.dateTo));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply({ dateFrom: fromInput(from), dateTo: fromInput(to) });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <fieldset className="grid min-w-0 grid-cols-2 gap-1.5">
        <legend className="pb-1.5 text-xs text-muted">In the last</legend>
        {RELATIVE_RANGE_NAMES.map((name) => (
          <Button
            key={name}
            aria-pressed={value.received === name}
            className="aria-pressed:bg-sunken"
            onClick={() => onApply({ received: name })}
          >
            {RELATIVE_RANGES[name].label}
          </Button>
        ))}
      </fieldset>
      <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line pt-3">
        <Field
          label="From"
          type="datetime-local"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <Field
          label="To"
          type="datetime-local"
          value={to}
          min={from}
          hint="Both are UTC. Leave empty for no limit."
          onChange={(event) => setTo(event.target.value)}
        />
        <Button type="submit" kind="primary">
          Apply
        </Button>
      </form>
    </div>
  );
}

const labelOf = ({ received, dateFrom, dateTo }: Received) =>
  received ? RELATIVE_RANGES[received].label : formatTimeRange(dateFrom, dateTo);

/** In UTC as `2026-01-02T03:04`, the format of a datetime-local input. */
const toInput = (instant: string | number | undefined) =>
  instant === undefined ? "" : new Date(instant).toISOString().slice(0, 16);

const startOfToday = () => toInput(new Date().setUTCHours(0, 0, 0, 0));
const fromInput = (text: string) => (text ? new Date(`${text}Z`).toISOString() : undefined);
