/**
 * How far a reader has got in a user's changes: the position of the last one it knows and the moment of that change.
 * The moment tells a position that was given anew, after a backup was restored, from the one the reader means.
 */
export interface Cursor {
  position: number;
  /** Microseconds since 1970; 0 at position 0, before the first change. */
  moment: number;
}

export const START: Cursor = { position: 0, moment: 0 };

export const formatCursor = ({ position, moment }: Cursor) => `${position}.${moment}`;

export function parseCursor(text: string): Cursor | undefined {
  const [, position, moment] = /^(\d{1,15})\.(\d{1,16})$/.exec(text) ?? [];
  return position && moment ? { position: Number(position), moment: Number(moment) } : undefined;
}
