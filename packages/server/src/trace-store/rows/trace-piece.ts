import type { ParsedEvent, ParsedSpan, TraceMasking } from "@whytrace/contract";
import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import type { Masker } from "../../masking/masker.ts";
import type { UnpricedTrace } from "./derived-trace.ts";

/** A span that came by POST /api/traces, as far as a trace is derived from it. */
export type PostedSpan = Pick<
  ParsedSpan,
  "id" | "parentSpanId" | "type" | "status" | "startedAt" | "endedAt" | "tokenCount" | "costUsd" | "usage"
>;

/** Some spans of a trace, with their events, to be merged into what is stored of the trace. */
export interface TracePiece {
  /** The trace's id. */
  id: string;
  /** Each id once. */
  spans: ParsedSpan[];
  events: ParsedEvent[];
  hasRoot: boolean;
  /** The spans or calls that log records of this piece name, or all that any log record names. */
  loggedIds: readonly string[] | "all";
  /** What the trace is derived from, of these spans and log records; undefined if the piece has none. */
  part: Uint8Array | undefined;
  /** Bytes of the payloads of its spans and events. */
  bytes: number;
  /** Bytes of `part` before compression. */
  factsBytes: number;
  /** By which rules it was masked; absent if it brings nothing that was sent. */
  masking?: TraceMasking;
}

/** How the sender of pieces encodes what a trace is derived from. The store keeps the parts and does not look into them. */
export interface SpanFactsCodec {
  /** Derives a trace from its parts, in the order in which they were stored. */
  derive(parts: readonly Uint8Array[]): UnpricedTrace;
  /** Encodes several parts as one. */
  compact(parts: readonly Uint8Array[]): Uint8Array;
  encodePosted(spans: readonly PostedSpan[]): Uint8Array;
  /** How many bytes a part has before compression. */
  bytesOf(part: Uint8Array): number;
  /** Masks the texts of a stored part; returns the same bytes if nothing changes. Yields where the caller may pause. */
  mask(part: Uint8Array, masking: CompiledMasking, masker: Masker): Generator<undefined, Uint8Array>;
  /** The version of the rules by which a part was masked that waits for its trace; undefined if it is not known. */
  maskingVersion(part: Uint8Array): number | undefined;
  withMaskingVersion(part: Uint8Array, version: number): Uint8Array;
}

/** A request to merge pieces. */
export interface PieceMerge {
  /** By trace id. */
  pieces: ReadonlyMap<string, TracePiece>;
  codec: SpanFactsCodec;
  /** If set, pieces of traces that do not exist are left out. */
  isExistingOnly: boolean;
  /** If set, traces that are not due to be derived late any more are left out as well. */
  isLate?: boolean;
}
