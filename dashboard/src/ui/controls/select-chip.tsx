import { ClearButton, chipPartStyle, chipStyle } from "./filter-chip.tsx";

interface SelectChipProps<T extends string> {
  label: string;
  /** Shown instead of the label when an option is selected. */
  text?: string | undefined;
  value: T | "";
  options: readonly { value: T | ""; label: string }[];
  onChange: (value: string) => void;
  onClear?: (() => void) | undefined;
}

/** A chip with an invisible native select on top, so that phones show their own picker. */
export function SelectChip<T extends string>({
  label,
  text = label,
  value,
  options,
  onChange,
  onClear,
}: SelectChipProps<T>) {
  return (
    <span
      className={`${chipStyle(onClear !== undefined)} has-[select:focus-visible]:outline-2 has-[select:focus-visible]:outline-offset-2 has-[select:focus-visible]:outline-ring`}
    >
      <span className={`${chipPartStyle} relative`}>
        <span aria-hidden="true" className="whitespace-nowrap">
          {text}
        </span>
        <select
          aria-label={label}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="absolute inset-0 w-full opacity-0"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      </span>
      {onClear && <ClearButton label={label} onClear={onClear} />}
    </span>
  );
}
