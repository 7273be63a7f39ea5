import { parseBatch } from "@whytrace/contract";
import type { Recording } from "./recording.ts";
import { byteLength } from "./utf8.ts";

/** The state of a recording at one moment; the recording may have changed since. */
export interface SerializedTrace {
  recording: Recording;
  isFinal: boolean;
  json: string;
  bytes: number;
}

/** One truncation may not be enough, because escaping makes the JSON longer than estimated. */
const MAX_TRUNCATIONS = 4;

/** Throws if the server would refuse the trace. Returns undefined if the trace is too large even when truncated. */
export function serializeTrace(recording: Recording, maxBytes: number): SerializedTrace | undefined {
  recording.updateTotals();
  parseBatch({ traces: [recording.trace] });
  if (recording.weight > maxBytes) recording.truncate(maxBytes);
  for (let count = 0; count <= MAX_TRUNCATIONS; count++) {
    const json = JSON.stringify(recording.trace);
    const bytes = byteLength(json);
    if (bytes <= maxBytes) return { recording, isFinal: recording.isFinal, json, bytes };
    recording.truncate(Math.floor(maxBytes * 0.9 ** count));
  }
  return undefined;
}

export const serializeBatch = (traces: SerializedTrace[]): string =>
  `{"traces":[${traces.map(({ json }) => json).join(",")}]}`;
