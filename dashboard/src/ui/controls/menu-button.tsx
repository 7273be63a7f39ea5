import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { keepInViewport } from "../hooks/keep-in-viewport.ts";

export interface MenuItem {
  /** Without it, the label is unique. */
  key?: string;
  label: string;
  note?: string | undefined;
  /** Shown at the end of the item. */
  detail?: ReactNode;
  /** Of items with this property, one is chosen. */
  isChosen?: boolean;
  onSelect: () => void;
}

interface MenuButtonProps {
  /** The name of the menu. */
  label: string;
  items: readonly MenuItem[];
  className: string;
  /** Where the menu opens, and how wide it is. */
  menuClassName: string;
  /** The text of the button. */
  children: ReactNode;
}

/** A button that opens a menu. Arrow keys move between its items, Escape closes it. */
export function MenuButton({ label, items, className, menuClassName, children }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    if (menu.current) keepInViewport(menu.current);
    menu.current?.querySelector("button")?.focus({ preventScroll: true });
    const onDown = (event: PointerEvent) => {
      if (!frame.current?.contains(event.target as Node)) setIsOpen(false);
    };
    addEventListener("pointerdown", onDown);
    return () => removeEventListener("pointerdown", onDown);
  }, [isOpen]);
  const close = () => {
    setIsOpen(false);
    frame.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      buttons[(next + buttons.length) % buttons.length]?.focus();
    }
    if (event.key === "Escape" || event.key === "Tab") close();
  };
  return (
    <div ref={frame} className="relative">
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        className={className}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={onKeyDown}
          className={`absolute z-10 mt-1 grid rounded-md border border-line bg-bg p-1 shadow-lg ${menuClassName}`}
        >
          {items.map((item) => (
            <Item
              key={item.key ?? item.label}
              item={item}
              onSelect={() => {
                close();
                item.onSelect();
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function Item({ item, onSelect }: { item: MenuItem; onSelect: () => void }) {
  const { label, note, detail, isChosen } = item;
  return (
    <button
      type="button"
      {...(isChosen === undefined
        ? { role: "menuitem" }
        : { role: "menuitemradio", "aria-checked": isChosen })}
      className="flex min-h-8 items-center gap-3 rounded px-2 py-1 text-left hover:bg-sunken max-sm:min-h-11"
      onClick={onSelect}
    >
      {isChosen !== undefined && (
        <span aria-hidden="true" className="w-3 shrink-0">
          {isChosen && "✓"}
        </span>
      )}
      <span className="min-w-0 flex-1">
        {label}
        {note && <span className="block text-xs text-muted">{note}</span>}
      </span>
      {detail !== undefined && <span className="text-muted">{detail}</span>}
    </button>
  );
}
