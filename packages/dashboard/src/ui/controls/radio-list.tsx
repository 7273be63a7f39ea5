import { useId } from "react";

interface RadioListProps {
  label: string;
  name: string;
  options: readonly { value: string; label: string; hint: string }[];
}

/** Radio buttons of a form, one below the other, each with a hint. The first is selected. */
export function RadioList({ label, name, options }: RadioListProps) {
  const id = useId();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      {options.map((option, index) => (
        <label
          key={option.value}
          className="grid min-h-9 cursor-pointer grid-cols-[auto_1fr] items-baseline gap-x-2.5 rounded-md border border-line px-2.5 py-1.5 has-checked:border-accent has-checked:bg-panel has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring max-sm:min-h-11"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            defaultChecked={index === 0}
            aria-describedby={`${id}-${option.value}`}
            className="accent-accent outline-none"
          />
          <span className="font-medium">{option.label}</span>
          <span id={`${id}-${option.value}`} className="col-start-2 text-xs text-muted">
            {option.hint}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
