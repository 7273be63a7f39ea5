interface SegmentedControlProps<T extends string> {
  label: string;
  options: readonly T[];
  /** Undefined: none is chosen. */
  value: T | undefined;
  onChange: (value: T) => void;
}

const capitalize = (option: string) => option.charAt(0).toUpperCase() + option.slice(1);

/** A row of radio buttons that looks like one control. */
export function SegmentedControl<T extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedControlProps<T>) {
  return (
    <fieldset className="flex overflow-hidden rounded-md border border-line">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option}
          className={`relative flex min-h-8 whitespace-nowrap cursor-pointer items-center justify-center px-2.5 text-xs font-medium text-muted has-checked:bg-sunken has-checked:text-text has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-ring max-sm:min-h-11 max-sm:flex-1 ${options.length > 3 ? "max-sm:px-1" : ""}`}
        >
          <input
            type="radio"
            className="sr-only"
            name={label}
            checked={value === option}
            onChange={() => onChange(option)}
          />
          {capitalize(option)}
        </label>
      ))}
    </fieldset>
  );
}
