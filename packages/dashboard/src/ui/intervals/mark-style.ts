/** An occurrence of the searched text; the current one stands out. */
export const MARK = "rounded-sm bg-mark text-text";
export const MARK_CURRENT = "rounded-sm bg-retry text-bg";
