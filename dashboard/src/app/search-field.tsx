import { type Ref, useEffect, useState } from "react";
import { Kbd } from "../ui/badges.tsx";
import { inputStyle } from "../ui/field.tsx";

interface SearchFieldProps {
  label: string;
  value: string | undefined;
  onSearch: (text: string | undefined) => void;
  ref?: Ref<HTMLInputElement>;
}

const PAUSE_MS = 150;

/** Searches as one types, once the typing pauses. */
export function SearchField({ label, value = "", onSearch, ref }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onSearch(text || undefined), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <div className="relative w-72 max-w-full">
      <input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={label}
        className={`${inputStyle} min-h-8 pr-8 text-sm`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!text && (
        <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center">
          <Kbd>/</Kbd>
        </span>
      )}
    </div>
  );
}
