import { DECISION_POINT_TYPES, type DecisionPointType } from "@whytrace/contract";
import { typeLabel, typeTint } from "../ui/badges.tsx";

interface TypeFilterProps {
  value: DecisionPointType | undefined;
  onChange: (type: DecisionPointType | undefined) => void;
}

/** The badges themselves filter: one pressed shows only its type, pressed again all. */
export function TypeFilter({ value, onChange }: TypeFilterProps) {
  return (
    <fieldset className="flex flex-wrap gap-x-1.5">
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
            className={`tinted inline-flex items-center gap-1 rounded-[5px] border border-transparent px-2 text-xs font-semibold leading-5 hover:border-current group-aria-pressed:border-current ${typeTint[type]}`}
          >
            {typeLabel(type)}
            {type === value && <span aria-hidden="true">✕</span>}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
