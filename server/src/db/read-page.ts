/** So few are looked up and sorted faster than they are met on a walk through everything in the list's order. */
const FEW = 2_000;

export interface PageRange {
  limit: number;
  offset: number;
  /** Whether to count from the end: rows are found in the opposite order. */
  isReverse: boolean;
  /** Whether the list holds so few that a search had better look them up before they are sorted. */
  isFew: boolean;
}

/**
 * Reads a page from whichever end of the list is nearer, so that the last page costs what the first one does. `read`
 * returns its rows in the list's order either way.
 */
export async function readPage<T>(
  { page, limit }: { page: number; limit: number },
  total: number,
  read: (range: PageRange) => Promise<T[]>,
): Promise<T[]> {
  const offset = (page - 1) * limit;
  const rows = Math.min(limit, total - offset);
  if (rows <= 0) return [];
  const behind = total - offset - rows;
  const isFew = total <= FEW;
  return read(
    behind < offset
      ? { limit: rows, offset: behind, isReverse: true, isFew }
      : { limit, offset, isReverse: false, isFew },
  );
}
