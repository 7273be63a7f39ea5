import type { Recording } from "../recording.ts";
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
    const json = JSON.stringify(recording.format.toJson(recording.trace));
    const bytes = byteLength(json);
    if (bytes <= maxBytes)
      return { recording, revision: recording.isFinal ? recording.revision : 0, json, bytes };
    recording.truncate(Math.floor(maxBytes * 0.9 ** count));
  }
  return undefined;
}

/** A request with traces of one format. */
export interface Batch {
  path: string;
  body: string;
}

export function serializeBatch(traces: SerializedTrace[]): Batch {
  const { path = "", list } = traces[0]?.recording.format ?? {};
  return { path, body: `{"${list}":[${traces.map(({ json }) => json).join(",")}]}` };
}

/** Serializes all recordings that can be serialized, in bodies of limited size. */
export function serializeBatches(
  recordings: Recording[],
  { maxBodyBytes, maxBatchBytes }: { maxBodyBytes: number; maxBatchBytes: number },
): Batch[] {
  const bodies: Batch[] = [];
  let batch: SerializedTrace[] = [];
  let bytes = 0;
  for (const recording of recordings) {
    const serialized = trySerialize(recording, maxBodyBytes);
    if (!serialized) continue;
    const isOther = batch.some((one) => one.recording.format.path !== recording.format.path);
    if (isOther || (batch.length > 0 && bytes + serialized.bytes > maxBatchBytes)) {
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
