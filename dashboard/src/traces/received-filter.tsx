import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FilterChip } from "../ui/filter-chip.tsx";
import { RELATIVE_RANGE_NAMES, RELATIVE_RANGES, type TracesSearch } from "./traces-search.ts";

type Received = Pick<TracesSearch, "received" | "dateFrom" | "dateTo">;
interface ReceivedFilterProps {
  value: Received;
  onChange: (value: Received) => void;
}

const NOTHING: Received = { received: undefined, dateFrom: undefined, dateTo: undefined };

/** When the server took the trace in: the last hours or days, or from one moment to another. */
export function ReceivedFilter({ value, onChange }: ReceivedFilterProps) {
  return (
    <FilterChip label="Received" value={wordsOf(value)} onClear={() => onChange(NOTHING)}>
      {(close) => (
        <Panel
          value={value}
          onApply={(next) => {
            close();
            onChange({ ...NOTHING, ...next });
          }}
        />
      )}
    </FilterChip>
  );
}

function Panel({ value, onApply }: { value: Received; onApply: (value: Received) => void }) {
  const [from, setFrom] = useState(() => localText(value.dateFrom) || startOfToday());
  const [to, setTo] = useState(() => localText(value.dateTo));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply({ dateFrom: instantText(from), dateTo: instantText(to) });
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
          hint="In your time zone. Empty is open."
          onChange={(event) => setTo(event.target.value)}
        />
        <Button type="submit" kind="primary">
          Apply
        </Button>
      </form>
    </div>
  );
}

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

const wordsOf = ({ received, dateFrom, dateTo }: Received) =>
  received ? RELATIVE_RANGES[received].label : formatTimeRange(dateFrom, dateTo);

/** From one instant to another, either of which may be open, on the clock of whoever looks. */
export function formatTimeRange(
  fromInstant: string | undefined,
  toInstant: string | undefined,
): string | undefined {
  const [from, to] = [fromInstant, toInstant].map((instant) => instant && DAY.format(Date.parse(instant)));
  if (from && to) return `${from} – ${to}`;
  if (from) return `from ${from}`;
  return to && `until ${to}`;
}

/** `2026-01-02T03:04` on the clock of whoever looks, as the browser's field wants it. */
function localText(instant: string | number | undefined): string {
  if (instant === undefined) return "";
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const startOfToday = () => localText(new Date().setHours(0, 0, 0, 0));
const instantText = (local: string) => (local ? new Date(local).toISOString() : undefined);
