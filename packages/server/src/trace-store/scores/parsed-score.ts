import { createHash } from "node:crypto";
import { sortedJson } from "@whytrace/contract";
import type { ScoreSource } from "@whytrace/contract/schemas/scores";

/** A score whose fields are checked. */
export interface ParsedScore {
  id: string;
  traceId: string;
  spanId: string | null;
  decisionId: string | null;
  name: string;
  value: number | boolean | string;
  /** Only together with a number. */
  label: string | null;
  source: ScoreSource;
  author: string | null;
  comment: string | null;
  /** In milliseconds since 1970; null: when it arrives. */
  timestamp: number | null;
  /** The JSON of an object. */
  metadata: string | null;
}

type ScorePlace = Pick<ParsedScore, "traceId" | "spanId" | "decisionId" | "name" | "source" | "author">;

/** The id of a score that was sent without one: whoever judges the same again replaces their score. */
export function automaticScoreId({ traceId, spanId, decisionId, name, source, author }: ScorePlace): string {
  const place = JSON.stringify([traceId, spanId, decisionId, name, source, author]);
  return `auto_${createHash("sha256").update(place).digest("base64url").slice(0, 32)}`;
}

/**
 * Decides which of two scores with the same id and timestamp stands, whichever came first. A signed number of 64 bits in the
 * order of the hash.
 */
export function scoreDigest({ metadata, ...fields }: ParsedScore): bigint {
  const json = sortedJson({ ...fields, metadata: metadata === null ? null : JSON.parse(metadata) });
  return createHash("sha256").update(json).digest().readBigUInt64BE() - 2n ** 63n;
}
