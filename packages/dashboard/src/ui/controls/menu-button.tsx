import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { keepInViewport } from "../hooks/keep-in-viewport.ts";
import { inputStyle } from "./field.tsx";

export interface MenuItem {
  /** Without it, the label is unique. */
  key?: string;
  label: string;
  note?: string | undefined;
  /** Shown at the end of the item. */
  detail?: ReactNode;
  /** Of items with this property, one is chosen. */
  isChosen?: boolean;
  /** A filter does not hide it. */
  isFixed?: boolean;
  onSelect: () => void;
}

interface MenuButtonProps {
  /** The name of the menu. */
  label: string;
  items: readonly MenuItem[];
  /** The name of a field that filters the items, if there are many. */
  filterLabel?: string;
  onOpen?: () => void;
  className: string;
  /** Where the menu opens, and how wide it is. */
  menuClassName: string;
  /** The text of the button. */
  children: ReactNode;
}

/** Fewer are seen at a glance. */
const MIN_FILTERED = 8;
/** More are shown at a click. */
const PAGE = 50;

/** A button that opens a menu. Arrow keys move between its items, Escape closes it. */
export function MenuButton({ onOpen, className, menuClassName, children, ...menu }: MenuButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
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
  return (
    <div ref={frame} className="relative">
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        className={className}
        onClick={() => {
          if (!isOpen) onOpen?.();
          setIsOpen(!isOpen);
        }}
      >
        {children}
      </button>
      {isOpen && <Menu id={id} className={menuClassName} onClose={close} {...menu} />}
    </div>
  );
}

interface MenuProps extends Pick<MenuButtonProps, "label" | "items" | "filterLabel" | "className"> {
  id: string;
  onClose: () => void;
}

function Menu({ id, label, items, filterLabel, className, onClose }: MenuProps) {
  const frame = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(PAGE);
  useEffect(() => {
    if (!frame.current) return;
    keepInViewport(frame.current);
    frame.current.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
  }, []);
  const isFiltered = filterLabel !== undefined && items.length > MIN_FILTERED;
  const matching = items.filter(
    (item) => !item.isFixed && (!isFiltered || item.label.toLowerCase().includes(text.toLowerCase())),
  );
  const shown = matching.slice(0, limit);
  const more = matching.length - shown.length;
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(menu.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const isInField = at < 0;
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: Math.max(at, 0) - 1,
      // The field has its own.
      ...(!isInField && { Home: 0, End: buttons.length - 1 }),
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      buttons[(next + buttons.length) % buttons.length]?.focus();
    }
    if (event.key === "Enter" && isInField) {
      event.preventDefault();
      buttons[0]?.click();
    }
    if (event.key === "Escape" || event.key === "Tab") onClose();
  };
  const toItem = (item: MenuItem) => (
    <Item
      key={item.key ?? item.label}
      item={item}
      onSelect={() => {
        onClose();
        item.onSelect();
      }}
    />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu and of its field
    <div
      ref={frame}
      onKeyDown={onKeyDown}
      className={`absolute z-10 mt-1 grid rounded-md border border-line bg-bg p-1 shadow-lg ${className}`}
    >
      {isFiltered && (
        <input
          aria-label={filterLabel}
          placeholder={filterLabel}
          autoComplete="off"
          className={`${inputStyle} mb-1`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div ref={menu} id={id} role="menu" aria-label={label} tabIndex={-1} className="grid">
        {shown.map(toItem)}
        {more > 0 && <Item item={{ label: `${more} more` }} onSelect={() => setLimit(limit + PAGE)} />}
        {items.filter(({ isFixed }) => isFixed).map(toItem)}
      </div>
      {isFiltered && matching.length === 0 && <p className="px-2 py-1 text-muted">Nothing has this name.</p>}
    </div>
  );
}

function Item({ item, onSelect }: { item: Omit<MenuItem, "onSelect">; onSelect: () => void }) {
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
      <span className="min-w-0 flex-1 wrap-anywhere">
        {label}
        {note && <span className="block text-xs text-muted">{note}</span>}
      </span>
      {detail !== undefined && <span className="text-muted">{detail}</span>}
    </button>
  );
}
