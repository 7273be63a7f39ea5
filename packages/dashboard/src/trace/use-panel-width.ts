import { useState } from "react";

const STORAGE_KEY = "trace-panel-width";
const DEFAULT_PANEL_WIDTH = 432;
export const MIN_PANEL_WIDTH = 320;
export const MAX_PANEL_WIDTH = 900;

const storedWidth = () => {
  try {
    return Number(localStorage.getItem(STORAGE_KEY)) || DEFAULT_PANEL_WIDTH;
  } catch {
    return DEFAULT_PANEL_WIDTH;
  }
};

/** The details panel's width, stored in the browser. */
export function usePanelWidth() {
  const [width, setWidth] = useState(storedWidth);
  const onWidth = (next: number) => {
    setWidth(next);
    try {
      localStorage.setItem(STORAGE_KEY, String(next));
    } catch {
      // Storage is unavailable: the width lasts until the page is closed.
    }
  };
  return { width, onWidth };
}
