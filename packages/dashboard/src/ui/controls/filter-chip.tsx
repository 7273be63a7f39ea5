import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { keepInViewport } from "../hooks/keep-in-viewport.ts";

interface FilterChipProps {
  label: string;
  /** The filter's value as shown to the user. */
  value: string | undefined;
  onClear: () => void;
  /** Whether the panel is open from the start. */
  isInitiallyOpen?: boolean;
  onClosed?: (() => void) | undefined;
  children: (close: () => void) => ReactNode;
}

/** The chip's frame. The buttons inside it use `chipPartStyle`. */
export const chipStyle = (isSet: boolean) =>
  `inline-flex max-w-full rounded-md border border-line text-xs font-medium ${isSet ? "bg-sunken text-text" : "bg-bg text-muted hover:text-text"}`;
export const chipPartStyle =
  "flex min-h-8 min-w-0 items-center rounded-md px-2.5 max-sm:min-h-11 max-sm:px-3 focus-visible:-outline-offset-2";

/** Shows a filter's value and opens a panel to change it. Escape, a click outside or losing focus closes the panel. */
export function FilterChip({
  label,
  value,
  onClear,
  isInitiallyOpen = false,
  onClosed,
  children,
}: FilterChipProps) {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  const setIsOpen = (next: boolean) => {
    setOpen(next);
    if (!next) onClosed?.();
  };
  const closed = useRef(() => {});
  closed.current = () => setIsOpen(false);
  const chip = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = () => {
    opener.current?.focus();
    setIsOpen(false);
  };
  useEffect(() => {
    if (!isOpen || !panel.current) return;
    keepInViewport(panel.current);
    panel.current.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
    const onPointer = ({ target }: PointerEvent) => {
      if (target instanceof Node && !chip.current?.contains(target)) closed.current();
    };
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    event.preventDefault();
    close();
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !chip.current?.contains(relatedTarget)) setIsOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key events come from the buttons and fields inside
    <div ref={chip} className="relative flex max-w-full" onKeyDown={onKeyDown} onBlur={onBlur}>
      <span className={chipStyle(value !== undefined)}>
        <button
          ref={opener}
          type="button"
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          title={value && `${label}: ${value}`}
          className={chipPartStyle}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className="max-w-56 truncate">{value === undefined ? label : `${label}: ${value}`}</span>
        </button>
        {value !== undefined && (
          <ClearButton
            label={label}
            onClear={() => {
              onClear();
              close();
            }}
          />
        )}
      </span>
      {isOpen && (
        <div
          ref={panel}
          role="dialog"
          aria-label={label}
          className="absolute left-0 top-full z-20 mt-1 w-72 max-w-[calc(100vw-1rem)] rounded-md border border-line bg-bg p-3 text-text shadow-lg max-sm:fixed max-sm:inset-x-2 max-sm:bottom-2 max-sm:top-auto max-sm:w-auto"
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}

export function ClearButton({ label, onClear }: { label: string; onClear: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Clear ${label}`}
      className={`${chipPartStyle} -ml-2.5 justify-center pl-1.5! max-sm:min-w-11`}
      onClick={onClear}
    >
      <span aria-hidden="true">✕</span>
    </button>
  );
}
