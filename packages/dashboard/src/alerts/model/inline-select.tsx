interface InlineSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** A select inside a sentence: as wide as its value, so that the sentence does not break differently when more options arrive. */
export function InlineSelect({ label, value, options, onChange }: InlineSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="field-sizing-content min-h-9 max-w-full rounded-md border border-line bg-bg px-2 text-base font-semibold max-sm:min-h-11"
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
