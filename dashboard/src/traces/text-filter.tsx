import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { FilterChip } from "../ui/filter-chip.tsx";

interface TextFilterProps {
  label: string;
  field: string;
  hint: string;
  value: string | undefined;
  /** Values in the visible rows, most frequent first. */
  suggestions: string[];
  /** Several values, separated by commas. */
  isList?: boolean;
  onChange: (value: string | undefined) => void;
}

/** A filter whose value is typed, or picked from values in the visible rows. */
export function TextFilter({ label, value, onChange, ...rest }: TextFilterProps) {
  return (
    <FilterChip
      label={label}
      value={rest.isList ? value?.replaceAll(",", ", ") : value}
      onClear={() => onChange(undefined)}
    >
      {(close) => (
        <Panel
          {...rest}
          value={value}
          onApply={(next) => {
            close();
            if (next !== value) onChange(next);
          }}
        />
      )}
    </FilterChip>
  );
}

const splitList = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

interface PanelProps extends Omit<TextFilterProps, "label" | "onChange"> {
  onApply: (value: string | undefined) => void;
}

function Panel({ field, hint, value = "", suggestions, isList = false, onApply }: PanelProps) {
  const [text, setText] = useState(value);
  const chosen = isList ? splitList(text) : [text.trim()];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply(chosen.join(",") || undefined);
  };
  const pick = (one: string) => {
    if (!isList) return onApply(one);
    setText((chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]).join(", "));
  };
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Field
        label={field}
        hint={hint}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {suggestions.length > 0 && (
        <fieldset className="flex min-w-0 flex-wrap gap-1.5">
          <legend className="pb-1.5 text-xs text-muted">On this page</legend>
          {suggestions.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={chosen.includes(one)}
              className="min-h-7 max-w-full truncate rounded-[5px] border border-line px-2 text-xs text-muted hover:text-text aria-pressed:bg-sunken aria-pressed:text-text max-sm:min-h-11"
              onClick={() => pick(one)}
            >
              {one}
            </button>
          ))}
        </fieldset>
      )}
      <Button type="submit" kind="primary">
        Apply
      </Button>
    </form>
  );
}
