import { parseBatch } from "@whytrace/contract";
import { byteLength } from "./byte-length.ts";
import type { Recording } from "./recording.ts";

/** A recording as it was when it was written: it may have gone on since. */
export interface WrittenTrace {
  recording: Recording;
  isFinal: boolean;
  text: string;
  bytes: number;
}

/** How often a trace that turns out too large is cut again: escapes can make JSON grow past what was expected. */
const CUTS = 4;

/** Throws what the server would answer; returns undefined when not even cutting makes it fit. */
export function writeTrace(recording: Recording, maxBytes: number): WrittenTrace | undefined {
  recording.refreshTotals();
  parseBatch({ traces: [recording.trace] });
  if (recording.weight > maxBytes) recording.cut(maxBytes);
  for (let cut = 0; cut <= CUTS; cut++) {
    const text = JSON.stringify(recording.trace);
    const bytes = byteLength(text);
    if (bytes <= maxBytes) return { recording, isFinal: recording.isFinal, text, bytes };
    recording.cut(Math.floor(maxBytes * 0.9 ** cut));
  }
  return undefined;
}

export const writeBody = (traces: WrittenTrace[]): string =>
  `{"traces":[${traces.map(({ text }) => text).join(",")}]}`;
