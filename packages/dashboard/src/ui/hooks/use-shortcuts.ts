import { useEffect, useRef } from "react";

export type Shortcuts = Readonly<Record<string, () => void>>;

const SEQUENCE_TIMEOUT_MS = 1_000;
let areEnabled = true;
try {
  areEnabled = localStorage.getItem("single-keys") !== "off";
} catch {
  // Storage is unavailable: shortcuts stay enabled.
}

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

/** Binds single keys and two-key sequences (`g t`), except in text fields and while a dialog is open. */
export function useShortcuts(shortcuts: Shortcuts) {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    let first = "";
    let firstMs = 0;
    const onKey = (event: KeyboardEvent) => {
      if (!areEnabled || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const sequence = event.timeStamp - firstMs < SEQUENCE_TIMEOUT_MS ? `${first} ${event.key}` : event.key;
      const run = current.current[sequence] ?? current.current[event.key];
      first = event.key;
      firstMs = event.timeStamp;
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
