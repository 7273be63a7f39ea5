import { RawJson } from "@whytrace/contract";

/** A JSON value as bytes: those that were sent, or, if the caller has a value instead, its JSON. */
export function payloadBytes(payload: unknown): Uint8Array | null {
  if (payload === null || payload === undefined) return null;
  return payload instanceof RawJson ? payload.bytes : Buffer.from(JSON.stringify(payload));
}

/** The number of bytes of these fields of a record. */
export const payloadsLength = (
  record: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): number => fields.reduce((sum, field) => sum + (payloadBytes(record[field])?.length ?? 0), 0);
