import { useState } from "react";

const KEY = "trace-panel-width";
export const PANEL_MIN = 320;
export const PANEL_MAX = 900;

const kept = () => {
  try {
    return Number(localStorage.getItem(KEY)) || 432;
  } catch {
    return 432;
  }
};

/** The width somebody chose last time. */
export function usePanelWidth() {
  const [width, setWidth] = useState(kept);
  const onWidth = (next: number) => {
    setWidth(next);
    try {
      localStorage.setItem(KEY, String(next));
    } catch {
      // Then until the page is left.
    }
  };
  return { width, onWidth };
}
