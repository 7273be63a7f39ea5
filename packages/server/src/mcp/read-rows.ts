import { readJsonText } from "./read-json-text.ts";
import type { ToolCall } from "./tool.ts";

/** Reads the rows of a list, chunk by chunk, and keeps only what is wanted of each: a row may be megabytes long. */
export async function readRows<Row, Wanted>(
  call: ToolCall,
  chunks: AsyncIterable<Buffer[]>,
  wanted: (row: Row) => Wanted,
): Promise<Wanted[]> {
  const found: Wanted[] = [];
  for await (const chunk of chunks) {
    const rows: Row[] = JSON.parse(`[${await readJsonText(call, [chunk])}]`);
    found.push(...rows.map(wanted));
  }
  return found;
}
