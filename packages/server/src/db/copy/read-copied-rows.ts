/** Signature, flags and the length of an extension that no version of PostgreSQL uses. */
export const COPY_HEADER_BYTES = 19;

/** Where a value lies; a start of -1 stands for NULL. */
export interface ValueRange {
  start: number;
  end: number;
}

/**
 * The rows of `copy … to stdout (format binary)`, each as the ranges of its values. The columns are the caller's, who reads
 * them with the functions below.
 */
export function* readCopiedRows(bytes: Buffer, { start, end }: ValueRange): Generator<ValueRange[]> {
  let offset = start + COPY_HEADER_BYTES;
  // The last two bytes are the trailer.
  while (offset < end - 2) {
    const columnCount = bytes.readInt16BE(offset);
    offset += 2;
    const row: ValueRange[] = [];
    for (let column = 0; column < columnCount; column += 1) {
      const value = readValue(bytes, offset);
      row.push(value);
      offset = value.start < 0 ? offset + 4 : value.end;
    }
    yield row;
  }
}

const NULL: ValueRange = { start: -1, end: -1 };

function readValue(bytes: Buffer, offset: number): ValueRange {
  const length = bytes.readInt32BE(offset);
  return length < 0 ? NULL : { start: offset + 4, end: offset + 4 + length };
}

/** Number of dimensions, whether there are nulls, and the type of the elements; then size and lower bound of the dimension. */
const ARRAY_HEADER_BYTES = 20;

/** The elements of an array with one dimension. */
export function readArray(bytes: Buffer, { start, end }: ValueRange): ValueRange[] {
  const elements: ValueRange[] = [];
  for (let offset = start + ARRAY_HEADER_BYTES; start >= 0 && offset < end; ) {
    const element = readValue(bytes, offset);
    elements.push(element);
    offset = element.start < 0 ? offset + 4 : element.end;
  }
  return elements;
}

export const readText = (bytes: Buffer, { start, end }: ValueRange | undefined = NULL): string =>
  start < 0 ? "" : bytes.toString("utf8", start, end);

export const readInteger = (bytes: Buffer, { start }: ValueRange | undefined = NULL): number =>
  start < 0 ? 0 : bytes.readInt32BE(start);
