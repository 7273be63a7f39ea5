import type { ReactNode } from "react";

interface OptionLineProps {
  name: ReactNode;
  /** Filled: the chosen option. Outlined: an alternative. */
  isChosen?: boolean;
  /** How many other options there are. */
  others?: number;
  className?: string;
}

/** A diamond and the name of an option. */
export function OptionLine({
  name,
  isChosen = false,
  others = 0,
  className = "text-muted",
}: OptionLineProps) {
  return (
    <span className={`flex min-w-0 items-center gap-1.5 leading-5 ${className}`}>
      <span
        aria-hidden="true"
        className={`mx-0.5 size-2 shrink-0 rotate-45 rounded-[1px] border-2 border-current ${isChosen ? "bg-current" : ""}`}
      />
      <span data-name className="truncate">
        {name}
      </span>
      {others > 0 && (
        <span className="whitespace-nowrap text-muted" title={`${others} more`}>
          +{others}
        </span>
      )}
    </span>
  );
}
