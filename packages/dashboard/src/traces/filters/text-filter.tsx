import type { FilterField } from "@whytrace/contract";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { FilterChip } from "../../ui/controls/filter-chip.tsx";
import { FilterValues } from "./filter-values.tsx";

interface TextFilterProps {
  label: string;
  field: string;
  hint: string;
  value: string | undefined;
  /** What the chip shows, if it is more than the value. */
  shown?: string | undefined;
  /** Suggests the values that the newest traces have. */
  values?: FilterField | undefined;
  /** Several values, separated by commas. */
  isList?: boolean;
  isInitiallyOpen?: boolean;
  onClosed?: (() => void) | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter whose value is typed, or picked from the values that there are. */
export function TextFilter({
  label,
  value,
  shown = value,
  isInitiallyOpen = false,
  onClosed,
  onChange,
  ...rest
}: TextFilterProps) {
  return (
    <FilterChip
      label={label}
      isInitiallyOpen={isInitiallyOpen}
      onClosed={onClosed}
      value={rest.isList ? value?.replaceAll(",", ", ") : shown}
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

interface PanelProps
  extends Omit<TextFilterProps, "label" | "shown" | "onChange" | "isInitiallyOpen" | "onClosed"> {
  onApply: (value: string | undefined) => void;
}

function Panel({ field, hint, value = "", values, isList = false, onApply }: PanelProps) {
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
      {values && (
        <FilterValues
          field={values}
          typed={isList ? (splitList(text).at(-1) ?? "") : text}
          chosen={chosen}
          onPick={pick}
        />
      )}
      <Button type="submit" kind="primary">
        Apply
      </Button>
    </form>
  );
}
