import {
  type DecisionPointType,
  type Inference,
  MAX_CONTEXT_KIB,
  MAX_CONTEXTS_MIB,
} from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { INFERENCE } from "../../trace-store/rows/record-columns.ts";

/** A decision point, as much of it as is compared. */
export interface StoredDecision {
  id: string;
  type: DecisionPointType;
  parentSpanId: string | null;
  timestamp: number;
  /** JSON. Its beginning, if it is so long that no signature is computed from it. */
  chosen: Uint8Array | null;
  alternatives: Uint8Array;
  inference: Inference | null;
  reasoning: string | null;
  /** JSON; null if there is none or it is too large to be compared. */
  context: string | null;
  isContextTooLarge: boolean;
}

export const MAX_DECISIONS = 5_000;
/** `signDecision` does not parse longer values. */
const MAX_OPTIONS_LENGTH = 32 * 1024 + 1;
const MAX_REASONING_LENGTH = 4_000;
const MAX_CONTEXT_BYTES = MAX_CONTEXT_KIB * 1024;
/** Of all decisions of a run, in the order in which they were sent. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
const MAX_CONTEXTS_BYTES = MAX_CONTEXTS_MIB * 1024 * 1024;

/** Reads the first decisions of a trace, in the order in which they were sent. */
export async function readDecisions(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<StoredDecision[]> {
  const { rows } = await sql<Omit<StoredDecision, "chosen" | "alternatives" | "isContextTooLarge"> & Stored>`
    select id, type, parent_span_id, timestamp, chosen, alternatives, reasoning,
      case when context_bytes <= ${MAX_CONTEXTS_BYTES} and octet_length(context) <= ${MAX_CONTEXT_BYTES} then context end as context,
      has_context, inference
    from (
      select *, sum(octet_length(concat(chosen, alternatives, reasoning))) over sent as text_bytes,
        sum(octet_length(context)) over sent as context_bytes
      from (
        select id, type, position, parent_span_id, extract(epoch from timestamp)::float8 * 1000 as timestamp,
          left(chosen::text, ${MAX_OPTIONS_LENGTH}) as chosen,
          left(alternatives::text, ${MAX_OPTIONS_LENGTH}) as alternatives,
          left(reasoning, ${MAX_REASONING_LENGTH}) as reasoning,
          case when pg_column_size(context_snapshot) <= ${MAX_CONTEXT_BYTES} then context_snapshot::text end as context,
          context_snapshot is not null as has_context,
          ${INFERENCE}
        from decision_points where workspace_id = ${workspaceId} and trace_id = ${traceId}
        order by position limit ${MAX_DECISIONS}
      ) as decisions
      window sent as (order by position)
    ) as measured
    where text_bytes <= ${MAX_TEXT_BYTES}
    order by position`.execute(db);
  return rows.map(({ chosen, alternatives, hasContext, ...row }) => ({
    ...row,
    isContextTooLarge: hasContext && row.context === null,
    chosen: chosen === null ? null : Buffer.from(chosen),
    alternatives: Buffer.from(alternatives),
  }));
}

interface Stored {
  hasContext: boolean;
  chosen: string | null;
  alternatives: string;
}
