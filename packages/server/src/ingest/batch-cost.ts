import type { ParsedTrace } from "@whytrace/contract";

/** What a record costs at least, however short it is: objects in memory, rows and index entries. */
const MIN_TRACE_BYTES = 4 * 1024;
const MIN_CHILD_BYTES = 1024;

/** What reading and storing a body costs, by its number of records, in bytes of a usual body. */
export const bodyCost = (bodyBytes: number, traces: number, children: number): number =>
  Math.max(bodyBytes, traces * MIN_TRACE_BYTES + children * MIN_CHILD_BYTES);

/** The same for a batch. */
export function batchCost(bodyBytes: number, batch: ParsedTrace[]): number {
  const children = batch.reduce(
    (sum, { spans, decisionPoints, events }) => sum + spans.length + decisionPoints.length + events.length,
    0,
  );
  return bodyCost(bodyBytes, batch.length, children);
}
