import { type FormEvent, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { FilterChip } from "../../ui/controls/filter-chip.tsx";
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
  const [from, setFrom] = useState(() => toLocalInput(value.dateFrom) || startOfToday());
  const [to, setTo] = useState(() => toLocalInput(value.dateTo));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply({ dateFrom: fromLocalInput(from), dateTo: fromLocalInput(to) });
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
          hint="Your local time. Leave empty for no limit."
          onChange={(event) => setTo(event.target.value)}
        />
        <Button type="submit" kind="primary">
          Apply
        </Button>
      </form>
    </div>
  );
}

const DATE_TIME = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

const labelOf = ({ received, dateFrom, dateTo }: Received) =>
  received ? RELATIVE_RANGES[received].label : formatTimeRange(dateFrom, dateTo);

/** Formats a time range in local time; either end may be open. */
export function formatTimeRange(
  fromInstant: string | undefined,
  toInstant: string | undefined,
): string | undefined {
  const [from, to] = [fromInstant, toInstant].map(
    (instant) => instant && DATE_TIME.format(Date.parse(instant)),
  );
  if (from && to) return `${from} – ${to}`;
  if (from) return `from ${from}`;
  return to && `until ${to}`;
}

/** Local time as `2026-01-02T03:04`, the format of a datetime-local input. */
function toLocalInput(instant: string | number | undefined): string {
  if (instant === undefined) return "";
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const startOfToday = () => toLocalInput(new Date().setHours(0, 0, 0, 0));
const fromLocalInput = (local: string) => (local ? new Date(local).toISOString() : undefined);
