import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { CarriedOrigin } from "./carried-score.ts";
import { type ParsedScore, scoreDigest } from "./parsed-score.ts";
import {
  labelOf,
  type NewScore,
  SCORE_COLUMNS,
  SCORE_ORIGINS,
  SENT_SCORE_VALUES,
  sentScores,
} from "./score-rows.ts";

/** The scores that traces carry, by trace id. A stored trace that had scores and carries none any more has an empty list. */
export type CarriedByTrace = ReadonlyMap<string, readonly ParsedScore[]>;

/**
 * Makes the stored scores that traces carry the given ones. The caller has locked the traces that exist, and judges them afterwards.
 * A posted trace replaces all that the trace carried; spans replace what came with spans.
 */
export async function replaceCarriedScores(
  trx: Database,
  workspaceId: WorkspaceId,
  carried: CarriedByTrace,
  { origin, isStored }: { origin: CarriedOrigin; isStored(traceId: string): boolean },
): Promise<void> {
  if (carried.size === 0) return;
  const scores = [...carried.values()].flat();
  const stored = [...carried.keys()].filter(isStored);
  const replaced = origin === "otlp" ? [SCORE_ORIGINS.otlp] : [SCORE_ORIGINS.otlp, SCORE_ORIGINS.event];
  if (stored.length > 0)
    await sql`/* prepared */
      delete from scores
      where workspace_id = ${workspaceId} and trace_id = any(${textList(stored)})
        and origin = any(${replaced}::smallint[]) and not id = any(${textList(scores.map(({ id }) => id))})`.execute(
      trx,
    );
  if (scores.length > 0) await write(trx, workspaceId, scores.map(toNewScore), origin);
}

const toNewScore = (score: ParsedScore): NewScore => ({
  ...score,
  label: labelOf(score),
  timestamp: new Date(score.timestamp ?? 0).toISOString(),
  digest: String(scoreDigest(score)),
  isWaiting: false,
});

/** A score that somebody sent with the same id becomes a part of the trace, unless it is about another one. */
async function write(trx: Database, workspaceId: WorkspaceId, scores: NewScore[], origin: CarriedOrigin) {
  await sql`/* prepared */
    insert into scores as stored (workspace_id, id, ${SCORE_COLUMNS}, origin)
    select ${workspaceId}::uuid, sent.id, ${SENT_SCORE_VALUES}, ${SCORE_ORIGINS[origin]}::smallint
    from ${sentScores(scores)} order by sent.id collate "C"
    on conflict (workspace_id, id) do update set (${SCORE_COLUMNS}, origin)
      = (excluded.trace_id, excluded.span_id, excluded.decision_point_id, excluded.name, excluded.source, excluded.author,
        excluded.kind, excluded.number, excluded.label, excluded.comment, excluded.metadata, excluded.timestamp,
        excluded.digest, excluded.is_waiting, excluded.origin)
    where stored.trace_id = excluded.trace_id
      and (stored.origin, stored.timestamp, stored.digest, stored.is_waiting)
        is distinct from (excluded.origin, excluded.timestamp, excluded.digest, excluded.is_waiting)`.execute(
    trx,
  );
}
