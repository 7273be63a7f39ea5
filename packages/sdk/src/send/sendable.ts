import type { TraceFormat } from "../types.ts";

/** A recording or a score: what waits in a queue and is sent in batches. */
export interface Sendable {
  /** Of those with the same key, the newest is sent. */
  readonly key: string;
  readonly traceId: string;
  /** For messages. */
  readonly name: string;
  readonly format: Pick<TraceFormat, "path" | "list" | "readResponse">;
  /** An estimate of the memory that it needs. */
  readonly weight: number;
  /** False for a snapshot of a running trace. */
  readonly isFinal: boolean;
  readonly revision: number;
  /** Returns JSON, or undefined if it is too large even when truncated. */
  serialize(maxBytes: number): string | undefined;
}
