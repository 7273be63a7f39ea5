import { type FormEvent, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { FilterChip } from "../../ui/controls/filter-chip.tsx";

export interface NumberRange {
  from?: string | undefined;
  to?: string | undefined;
}

interface RangeFilterProps {
  label: string;
  /** What the numbers are, for example "US dollars". */
  unit: string;
  value: NumberRange;
  format: (number: number) => string;
  /** Without it, the range has no upper end. */
  hasTo?: boolean;
  step: number | "any";
  isInitiallyOpen: boolean;
  onClosed: () => void;
  onChange: (value: NumberRange) => void;
}

/** A filter by a number: at least, at most, or both. */
export function RangeFilter({
  label,
  value,
  format,
  onChange,
  isInitiallyOpen,
  onClosed,
  ...rest
}: RangeFilterProps) {
  return (
    <FilterChip
      label={label}
      value={labelOf(value, format)}
      isInitiallyOpen={isInitiallyOpen}
      onClosed={onClosed}
      onClear={() => onChange({})}
    >
      {(close) => (
        <Panel
          {...rest}
          value={value}
          onApply={(next) => {
            close();
            onChange(next);
          }}
        />
      )}
    </FilterChip>
  );
}

interface PanelProps extends Pick<RangeFilterProps, "unit" | "value" | "hasTo" | "step"> {
  onApply: (value: NumberRange) => void;
}

function Panel({ unit, value, hasTo = true, step, onApply }: PanelProps) {
  const [from, setFrom] = useState(value.from ?? "");
  const [to, setTo] = useState(value.to ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply({ from: from || undefined, to: to || undefined });
  };
  const number = { type: "number", min: 0, step, inputMode: "decimal" } as const;
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Field
        {...number}
        label="At least"
        hint={unit}
        value={from}
        onChange={(event) => setFrom(event.target.value)}
      />
      {hasTo && (
        <Field
          {...number}
          label="At most"
          hint="Leave empty for no limit."
          min={from || 0}
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      )}
      <Button type="submit" kind="primary">
        Apply
      </Button>
    </form>
  );
}

function labelOf({ from, to }: NumberRange, format: (number: number) => string): string | undefined {
  if (from && to) return `${format(Number(from))} – ${format(Number(to))}`;
  if (from) return `≥ ${format(Number(from))}`;
  return to && `≤ ${format(Number(to))}`;
}
