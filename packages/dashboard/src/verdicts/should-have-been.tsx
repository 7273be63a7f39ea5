import type { Ref } from "react";
import { Kbd } from "../ui/badges.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";

interface ShouldHaveBeenProps {
  ref: Ref<HTMLSelectElement>;
  alternatives: string[];
  /** The option that was picked; null: none. */
  value: string | null;
  pressedStyle: string;
  hasKey: boolean;
  onChange: (option: string) => void;
}

/** A button with an invisible native select on top, so that phones show their own picker. */
export function ShouldHaveBeen({
  ref,
  alternatives,
  value,
  pressedStyle,
  hasKey,
  onChange,
}: ShouldHaveBeenProps) {
  const options = [...new Set(value === null ? alternatives : [...alternatives, value])];
  return (
    <span
      className={`${buttonStyle()} relative max-w-full has-[select:focus-visible]:outline-2 has-[select:focus-visible]:outline-offset-2 has-[select:focus-visible]:outline-ring ${value === null ? "" : pressedStyle}`}
    >
      <span aria-hidden="true" className="min-w-0 truncate">
        Should have been {value}
      </span>
      <span aria-hidden="true">▾</span>
      {hasKey && <Kbd>3</Kbd>}
      <select
        ref={ref}
        aria-label="Should have been"
        value={value ?? ""}
        onChange={(event) => event.target.value && onChange(event.target.value)}
        className="absolute inset-0 w-full opacity-0"
      >
        <option value="" disabled>
          Should have been…
        </option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </span>
  );
}
