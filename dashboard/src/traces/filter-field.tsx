import { type FormEvent, useEffect, useState } from "react";
import { inputStyle } from "../ui/field.tsx";

interface FilterFieldProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  type?: "text" | "date";
  placeholder?: string;
}

/** A filter that counts when one leaves it or presses Enter; a date counts at once. */
export function FilterField({
  label,
  value = "",
  onChange,
  type = "text",
  placeholder = label,
}: FilterFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (next = text) => next.trim() !== value && onChange(next.trim() || undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commit();
  };
  return (
    <form onSubmit={submit} className={`flex items-center gap-1.5 ${type === "date" ? "" : "w-32"}`}>
      {type === "date" && <span className="whitespace-nowrap text-xs text-muted">{label}</span>}
      <input
        aria-label={label}
        type={type}
        placeholder={placeholder}
        className={`${inputStyle} min-h-8 text-sm ${value ? "bg-sunken" : ""}`}
        value={text}
        onBlur={() => commit()}
        onChange={(event) => {
          setText(event.target.value);
          if (type === "date") commit(event.target.value);
        }}
      />
    </form>
  );
}
