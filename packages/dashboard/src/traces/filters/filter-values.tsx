import { useQuery } from "@tanstack/react-query";
import type { FilterField } from "@whytrace/contract";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import { filterValuesQuery } from "./filter-values-query.ts";

interface FilterValuesProps {
  field: FilterField;
  /** What the user typed: values that contain it are shown. */
  typed: string;
  chosen: readonly string[];
  onPick: (value: string) => void;
}

const MAX_SHOWN = 8;

/** Values to pick from. If they cannot be loaded, the user can still type one. */
export function FilterValues({ field, typed, chosen, onPick }: FilterValuesProps) {
  const { data, isPending } = useQuery(filterValuesQuery(field));
  if (isPending) return <SkeletonBar className="w-2/3" />;
  const values = data?.values ?? [];
  const part = values.includes(typed) ? "" : typed.trim().toLowerCase();
  const shown = values.filter((value) => value.toLowerCase().includes(part)).slice(0, MAX_SHOWN);
  if (shown.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1.5">
      <legend className="pb-1.5 text-xs text-muted">In recent traces</legend>
      {shown.map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen.includes(value)}
          className="min-h-7 max-w-full truncate rounded-[5px] border border-line px-2 text-xs text-muted hover:text-text aria-pressed:bg-sunken aria-pressed:text-text max-sm:min-h-11"
          onClick={() => onPick(value)}
        >
          {value}
        </button>
      ))}
    </fieldset>
  );
}
