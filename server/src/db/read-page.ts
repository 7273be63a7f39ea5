export interface PageRange {
  limit: number;
  offset: number;
  /** Whether to count from the end: rows are found in the opposite order. */
  isReverse: boolean;
  /** Whether a search had better look up what it finds and sort that than walk through everything in the list's order. */
  isSearchFirst: boolean;
}

/** How many the list has, and how many there are to search through. */
export interface ListSize {
  total: number;
  all: number;
}

/** A row that is looked up and sorted costs as much as so many that are walked past. */
const LOOK_UP_COST = 4;

/**
 * Reads a page from whichever end of the list is nearer, so that the last page costs what the first one does. `read`
 * returns its rows in the list's order either way.
 */
export async function readPage<T>(
  { page, limit }: { page: number; limit: number },
  { total, all }: ListSize,
  read: (range: PageRange) => Promise<T[]>,
): Promise<T[]> {
  const offset = (page - 1) * limit;
  const rows = Math.min(limit, total - offset);
  if (rows <= 0) return [];
  const behind = total - offset - rows;
  const isReverse = behind < offset;
  const nearer = isReverse ? { limit: rows, offset: behind } : { limit, offset };
  const walked = ((nearer.offset + nearer.limit) * all) / total;
  return read({ ...nearer, isReverse, isSearchFirst: total * LOOK_UP_COST < walked });
}
