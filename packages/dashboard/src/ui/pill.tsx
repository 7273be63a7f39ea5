import { Kbd } from "./badges.tsx";

interface PillProps {
  children: string;
  onClick: () => void;
  label?: string;
  isPressed?: boolean;
  isDisabled?: boolean;
  hotkey?: string;
}

/** A small button in a toolbar. */
export function Pill({ children, onClick, label, isPressed, isDisabled = false, hotkey }: PillProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
      className="inline-flex min-h-7 items-center gap-1.5 whitespace-nowrap rounded-md border border-line px-2 text-xs font-medium text-muted hover:text-text aria-pressed:bg-sunken aria-pressed:text-text max-sm:min-h-11"
    >
      {children}
      {hotkey && !isDisabled && (
        <span className="max-sm:hidden">
          <Kbd>{hotkey}</Kbd>
        </span>
      )}
    </button>
  );
}
