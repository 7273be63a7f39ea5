import type { TreeRow } from "../model/flatten-rows.ts";

interface Move {
  to: number;
  toggle: TreeRow[];
}

/** What a key does in a tree grid with row focus, as in the ARIA pattern. */
export function keyMove(
  rows: TreeRow[],
  active: number,
  { key, page }: { key: string; page: number },
): Move | undefined {
  const go = (to: number): Move => ({ to: Math.max(0, Math.min(rows.length - 1, to)), toggle: [] });
  const stay = (toggle: TreeRow[]): Move => ({ to: active, toggle });
  const row = rows[active];
  if (!row) return /^(Arrow(Up|Down|Left|Right)|Home|End|Page(Up|Down))$/.test(key) ? go(0) : undefined;
  switch (key) {
    case "ArrowDown":
      return go(active + 1);
    case "ArrowUp":
      return go(active - 1);
    case "Home":
      return go(0);
    case "End":
      return go(rows.length - 1);
    case "PageDown":
      return go(active + page);
    case "PageUp":
      return go(active - page);
    case "ArrowRight":
      return row.isExpanded === false ? stay([row]) : row.isExpanded ? go(active + 1) : stay([]);
    case "ArrowLeft":
      return row.isExpanded ? stay([row]) : go(parentOf(rows, active));
    case " ":
      return stay(row.isExpanded === null ? [] : [row]);
    case "*":
      return stay(siblingsOf(rows, active).filter((sibling) => sibling.isExpanded === false));
    default:
      return undefined;
  }
}

function parentOf(rows: TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let i = at - 1; i >= 0; i--) if ((rows[i]?.level ?? 0) < level) return i;
  return at;
}

function siblingsOf(rows: TreeRow[], at: number): TreeRow[] {
  const level = rows[at]?.level ?? 1;
  const siblings: TreeRow[] = [];
  for (let i = at; i >= 0 && (rows[i]?.level ?? 0) >= level; i--)
    if (rows[i]?.level === level) siblings.push(rows[i] as TreeRow);
  for (let i = at + 1; i < rows.length && (rows[i]?.level ?? 0) >= level; i++)
    if (rows[i]?.level === level) siblings.push(rows[i] as TreeRow);
  return siblings;
}
