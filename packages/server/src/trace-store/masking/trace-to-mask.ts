import type { Status } from "@whytrace/contract";
import type { MaskedFields } from "../../masking/masked-fields.ts";
import type { Masker, MaskingCounts } from "../../masking/masker.ts";
import type { MergeState } from "../rows/merge-state.ts";

export interface StoredTrace {
  id: string;
  name: string;
  sessionId: string | null;
  tags: string[];
  /** JSON text. */
  metadata: string | null;
  metadataPairs: string[] | null;
  mergeState: MergeState | null;
  serviceVersion: string | null;
  masked: MaskingCounts | null;
  status: Status;
  startedAt: string;
  decisionPointCount: number;
}

/** A stored trace, and what masks it. */
export interface TraceToMask extends StoredTrace {
  masker: Masker;
  fields: MaskedFields;
}
