/**
 * The last change of a workspace's traces that a reader has received. The time detects positions that were assigned again
 * after a backup was restored.
 */
export interface Cursor {
  position: number;
  /** Microseconds since 1970; 0 at position 0, before the first change. */
  changedAtUs: number;
}

export const START: Cursor = { position: 0, changedAtUs: 0 };

export const formatCursor = ({ position, changedAtUs }: Cursor) => `${position}.${changedAtUs}`;

export function parseCursor(text: string): Cursor | undefined {
  const [, position, changedAtUs] = /^(\d{1,15})\.(\d{1,16})$/.exec(text) ?? [];
  return position && changedAtUs
    ? { position: Number(position), changedAtUs: Number(changedAtUs) }
    : undefined;
}
