import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";

/** `signDecision` does not read longer values; they need not be sent either. */
const MAX_OPTION_LENGTH = 32 * 1024 + 1;
const MAX_REASONING_LENGTH = 2_000;
/** Larger contexts are left out: stored, that is compressed, and as text. */
const MAX_STORED_CONTEXT_BYTES = 4 * 1024;
const MAX_CONTEXT_LENGTH = 32 * 1024;

/** What was decided and why. Values that are too long are cut off, and no longer JSON. */
export interface DecisionTexts {
  id: string;
  /** The name of the span in which it was made; null if in none. */
  place: string | null;
  chosen: Buffer | null;
  alternatives: Buffer;
  reasoning: string | null;
  /** Parsed; null if none was sent or if it is too long. */
  context: unknown;
}

/** Reads texts of a trace's decisions, by position. */
export async function readDecisionTexts(
  db: Database,
  workspaceId: WorkspaceId,
  traceId: string,
  positions: readonly number[],
): Promise<Map<number, DecisionTexts>> {
  const { rows } = await sql<{
    position: number;
    id: string;
    place: string | null;
    chosen: string | null;
    alternatives: string;
    reasoning: string | null;
    context: string | null;
  }>`
    select position, id, (
        select name from spans
        where spans.workspace_id = ${workspaceId} and spans.trace_id = ${traceId} and spans.id = decision.parent_span_id
      ) as place, left(chosen::text, ${MAX_OPTION_LENGTH}) as chosen,
      left(alternatives::text, ${MAX_OPTION_LENGTH}) as alternatives,
      left(reasoning, ${MAX_REASONING_LENGTH}) as reasoning,
      case when pg_column_size(context_snapshot) <= ${MAX_STORED_CONTEXT_BYTES}
        and length(context_snapshot::text) <= ${MAX_CONTEXT_LENGTH} then context_snapshot::text end as context
    from decision_points as decision
    where workspace_id = ${workspaceId} and trace_id = ${traceId} and position = any(${positions})`.execute(
    db,
  );
  return new Map(
    rows.map(({ position, id, place, chosen, alternatives, reasoning, context }) => [
      position,
      {
        id,
        place,
        chosen: chosen === null ? null : Buffer.from(chosen),
        alternatives: Buffer.from(alternatives),
        reasoning,
        context: context === null ? null : JSON.parse(context),
      },
    ]),
  );
}
