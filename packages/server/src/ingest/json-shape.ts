/** The value as JSON.parse would return it. */
export const PLAIN = "plain";
/** The value's bytes as a RawJson, or null. */
export const RAW = "raw";

/**
 * What a scan returns for a value:
 *   - PLAIN or RAW;
 *   - a list: an array whose items all have one shape;
 *   - a record: an object with the named fields, each by its own shape. Other fields are checked and dropped. If a field
 *     occurs twice, the last one counts, as with JSON.parse. A record without lists also keeps its bytes, as SOURCE.
 * A value of another kind than its shape, such as an array in place of a record, is returned as PLAIN; the checks that
 * follow the scan refuse it.
 */
export type Shape = typeof PLAIN | typeof RAW | { list: Shape } | { record: RecordFields };
export type RecordFields = ReadonlyMap<string, Shape>;
