export interface PageRange {
  limit: number;
  offset: number;
  /** Whether the offset counts from the end of the list, so that the query must sort in reverse. */
  isReverse: boolean;
  /** Whether it is cheaper to find all matches and sort them than to scan the list in order and filter. */
  isSearchFirst: boolean;
}

interface ListSize {
  /** Rows that match the filter. */
  total: number;
  /** Rows without the filter. */
  all: number;
}

/** Finding and sorting one row costs as much as scanning this many. */
const SORT_COST = 4;

/**
 * Reads a page from the nearer end of the list, so that the last page costs as much as the first. `read` must return
 * its rows in list order in both directions.
 */
export async function readPage<T>(
  { page, limit }: { page: number; limit: number },
  { total, all }: ListSize,
  read: (range: PageRange) => Promise<T[]>,
): Promise<T[]> {
  const offset = (page - 1) * limit;
  const rows = Math.min(limit, total - offset);
  if (rows <= 0) return [];
  const offsetFromEnd = total - offset - rows;
  const isReverse = offsetFromEnd < offset;
  const nearer = isReverse ? { limit: rows, offset: offsetFromEnd } : { limit, offset };
  const scannedRows = ((nearer.offset + nearer.limit) * all) / total;
  return read({ ...nearer, isReverse, isSearchFirst: total * SORT_COST < scannedRows });
}
