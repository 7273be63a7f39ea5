import { useEffect, useRef } from "react";

export type Shortcuts = Readonly<Record<string, () => void>>;

const SEQUENCE_MS = 1_000;
let isOn = true;
try {
  isOn = localStorage.getItem("single-keys") !== "off";
} catch {
  // Without storage they are on.
}

export const areShortcutsEnabled = () => isOn;

/** Single keys can get in the way of assistive tools: they can be switched off. */
export function setShortcutsEnabled(on: boolean) {
  isOn = on;
  try {
    localStorage.setItem("single-keys", on ? "on" : "off");
  } catch {
    // Then until the page is left.
  }
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Single keys and two-key sequences (`g t`) while nobody is typing and no dialog is open. */
export function useShortcuts(bindings: Shortcuts) {
  const current = useRef(bindings);
  current.current = bindings;
  useEffect(() => {
    let first = "";
    let firstAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if (!isOn || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const sequence = event.timeStamp - firstAt < SEQUENCE_MS ? `${first} ${event.key}` : event.key;
      const run = current.current[sequence] ?? current.current[event.key];
      first = event.key;
      firstAt = event.timeStamp;
      if (!run) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
