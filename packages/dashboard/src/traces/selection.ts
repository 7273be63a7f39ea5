/** Traces that can be selected at a time. */
export const MAX_SELECTED = 100;

/** Selects a trace, or removes it from the selection. */
export const toggleSelected = (selected: readonly string[], id: string): string[] =>
  selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id].slice(0, MAX_SELECTED);

/** Also selects all traces of the list from the one that was selected last to this one. */
export function selectRange(selected: readonly string[], listed: readonly string[], id: string): string[] {
  const from = listed.indexOf(selected.at(-1) ?? "");
  const to = listed.indexOf(id);
  if (from < 0 || to < 0) return toggleSelected(selected, id);
  const range = listed.slice(Math.min(from, to), Math.max(from, to) + 1);
  const added = range.filter((one) => !selected.includes(one));
  return [...selected, ...(from < to ? added : added.reverse())].slice(0, MAX_SELECTED);
}

/** What a selected trace is marked with: two that can be compared with their letters. */
export function markOf(selected: readonly string[], id: string): "A" | "B" | "✓" | undefined {
  const at = selected.indexOf(id);
  if (at < 0) return undefined;
  return selected.length > 2 ? "✓" : at === 0 ? "A" : "B";
}
