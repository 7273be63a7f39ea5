import { useEffect, useRef } from "react";

export type Shortcuts = Readonly<Record<string, () => void>>;

const SEQUENCE_TIMEOUT_MS = 1_000;
let areEnabled = true;
try {
  areEnabled = localStorage.getItem("single-keys") !== "off";
} catch {
  // Storage is unavailable: shortcuts stay enabled.
}

/** What opens the command palette, as the keyboard names it. */
export const PALETTE_KEYS = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "") ? "⌘K" : "Ctrl K";

export const areShortcutsEnabled = () => areEnabled;

/** Single-key shortcuts can conflict with assistive technology, so users can turn them off. */
export function setShortcutsEnabled(isEnabled: boolean) {
  areEnabled = isEnabled;
  try {
    localStorage.setItem("single-keys", isEnabled ? "on" : "off");
  } catch {
    // Storage is unavailable: the setting lasts until the page is closed.
  }
}

/** Radio buttons and check boxes take no text. */
const takesNoText = (target: HTMLElement) =>
  target instanceof HTMLInputElement && /^(radio|checkbox)$/.test(target.type);

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !takesNoText(target);

/**
 * What a key does after the key before it: the second key of a sequence (`g i`) belongs to the sequence, whichever part of the page
 * binds it, and never does what it does alone. Of two parts that bind the same, the one that was shown last counts.
 */
export function findShortcut(tables: readonly Shortcuts[], before: string | undefined, key: string) {
  const bindingOf = (keys: string) => tables.findLast((table) => keys in table)?.[keys];
  const isSecond =
    before !== undefined &&
    tables.some((table) => Object.keys(table).some((keys) => keys.startsWith(`${before} `)));
  return isSecond ? bindingOf(`${before} ${key}`) : bindingOf(key);
}

/** The tables of all parts of the page that are shown. */
const tables = new Set<{ readonly current: Shortcuts }>();
let before: { key: string; atMs: number } | undefined;

function onKey(event: KeyboardEvent) {
  if (!areEnabled || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === "Shift" || document.querySelector("dialog[open]")) return;
  const isSoon = before !== undefined && event.timeStamp - before.atMs < SEQUENCE_TIMEOUT_MS;
  const bound = [...tables].map(({ current }) => current);
  const run = findShortcut(bound, isSoon ? before?.key : undefined, event.key);
  // A sequence has two keys: the next one begins another.
  before = run && isSoon ? undefined : { key: event.key, atMs: event.timeStamp };
  if (!run) return;
  event.preventDefault();
  run();
}

/** Binds single keys and two-key sequences (`g t`), except in text fields and while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts) {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    if (tables.size === 0) addEventListener("keydown", onKey);
    tables.add(current);
    return () => {
      tables.delete(current);
      if (tables.size === 0) removeEventListener("keydown", onKey);
    };
  }, []);
}
