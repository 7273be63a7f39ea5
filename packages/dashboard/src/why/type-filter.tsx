import { DECISION_POINT_TYPES, type DecisionPointType } from "@whytrace/contract";
import { typeLabel } from "../ui/badges.tsx";
import { tintedStyle } from "../ui/tinted-style.ts";

interface TypeFilterProps {
  value: DecisionPointType | undefined;
  onChange: (type: DecisionPointType | undefined) => void;
}

/** Each badge is a toggle button that shows only decisions of its type. */
export function TypeFilter({ value, onChange }: TypeFilterProps) {
  return (
    <fieldset className="flex min-w-0 gap-x-1.5 max-sm:w-full max-sm:overflow-x-auto max-sm:whitespace-nowrap sm:flex-wrap">
      <legend className="sr-only">Type</legend>
      {DECISION_POINT_TYPES.map((type) => (
        <button
          key={type}
          type="button"
          aria-pressed={type === value}
          className="group flex min-h-8 items-center rounded-[5px] max-sm:min-h-11"
          onClick={() => onChange(type === value ? undefined : type)}
        >
          <span
            className="tinted inline-flex items-center gap-1 rounded-[5px] border border-transparent px-2 text-xs font-semibold leading-5 hover:border-current group-aria-pressed:border-current"
            style={tintedStyle(type)}
          >
            {typeLabel(type)}
            {type === value && <span aria-hidden="true">✕</span>}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
