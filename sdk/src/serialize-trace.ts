import type { Recording } from "./recording.ts";
import { byteLength } from "./utf8.ts";

/** The state of a recording at one moment; the recording may have changed since. */
export interface SerializedTrace {
  recording: Recording;
  /** The recording's revision, or 0 for a snapshot of a running trace. */
  revision: number;
  json: string;
  bytes: number;
}

/** One truncation may not be enough, because escaping makes the JSON longer than estimated. */
const MAX_TRUNCATIONS = 4;

/** Returns undefined if the trace is too large even when truncated. */
export function serializeTrace(recording: Recording, maxBytes: number): SerializedTrace | undefined {
  recording.updateTotals();
  if (recording.weight > maxBytes) recording.truncate(maxBytes);
  for (let count = 0; count <= MAX_TRUNCATIONS; count++) {
    const json = JSON.stringify(recording.trace);
    const bytes = byteLength(json);
    if (bytes <= maxBytes)
      return { recording, revision: recording.isFinal ? recording.revision : 0, json, bytes };
    recording.truncate(Math.floor(maxBytes * 0.9 ** count));
  }
  return undefined;
}

export const serializeBatch = (traces: SerializedTrace[]): string =>
  `{"traces":[${traces.map(({ json }) => json).join(",")}]}`;

/** Serializes all recordings that can be serialized, in bodies of limited size. */
export function serializeBatches(
  recordings: Recording[],
  { maxBodyBytes, maxBatchBytes }: { maxBodyBytes: number; maxBatchBytes: number },
): string[] {
  const bodies: string[] = [];
  let batch: SerializedTrace[] = [];
  let bytes = 0;
  for (const recording of recordings) {
    const serialized = trySerialize(recording, maxBodyBytes);
    if (!serialized) continue;
    if (batch.length > 0 && bytes + serialized.bytes > maxBatchBytes) {
      bodies.push(serializeBatch(batch));
      [batch, bytes] = [[], 0];
    }
    batch.push(serialized);
    bytes += serialized.bytes;
  }
  return batch.length > 0 ? [...bodies, serializeBatch(batch)] : bodies;
}

function trySerialize(recording: Recording, maxBytes: number): SerializedTrace | undefined {
  try {
    return serializeTrace(recording, maxBytes);
  } catch {
    return undefined;
  }
}
