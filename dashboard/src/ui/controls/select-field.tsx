import { useId } from "react";
import { inputStyle } from "./field.tsx";

interface SelectFieldProps {
  label: string;
  name: string;
  defaultValue?: string;
  options: readonly { value: string; label: string }[];
}

/** A labelled native select. */
export function SelectField({ label, name, defaultValue, options }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select id={id} name={name} defaultValue={defaultValue} className={inputStyle}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
