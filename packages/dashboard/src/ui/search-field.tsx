import { type Ref, useCallback, useEffect, useRef, useState } from "react";
import { Kbd } from "./badges.tsx";
import { inputStyle } from "./controls/field.tsx";

interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string | undefined;
  /** How long to wait for the next letter. Enter searches at once. */
  debounceMs?: number | undefined;
  maxLength?: number | undefined;
  /** `isContinued`: the text was edited since the field got the focus, so its history entry is replaced. */
  onSearch: (text: string | undefined, isContinued: boolean) => void;
  ref?: Ref<HTMLInputElement>;
}

const DEBOUNCE_MS = 150;

/** Searches while the user types. Edits until the field loses the focus share one history entry. */
export function SearchField({
  label,
  placeholder = label,
  value = "",
  debounceMs = DEBOUNCE_MS,
  maxLength,
  onSearch,
  ref,
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const isContinued = useRef(false);
  // Take a value from the URL only if it is not the one this field sent: the user may have typed on since.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    isContinued.current = false;
    setText(value);
  }, [value]);
  const send = useCallback(() => {
    if (text === sent.current) return;
    sent.current = text;
    onSearch(text || undefined, isContinued.current);
    isContinued.current = true;
  }, [text, onSearch]);
  useEffect(() => {
    const timer = setTimeout(send, debounceMs);
    return () => clearTimeout(timer);
  }, [send, debounceMs]);
  return (
    <div className="relative w-72 min-w-0 max-w-full max-sm:w-full">
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-muted"
      >
        <svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" strokeWidth="1.5">
          <title>Search</title>
          <circle cx="6" cy="6" r="4" />
          <path d="m9 9 3.5 3.5" strokeLinecap="round" />
        </svg>
      </span>
      <input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        className={`${inputStyle} min-h-8 px-8 text-sm`}
        value={text}
        // Search at once: a delayed search would navigate back to the list after a click on a row.
        onBlur={() => {
          send();
          isContinued.current = false;
        }}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && send()}
      />
      {!text && (
        <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center max-sm:hidden">
          <Kbd>/</Kbd>
        </span>
      )}
    </div>
  );
}
