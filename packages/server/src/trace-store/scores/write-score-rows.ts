import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { Conflict } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type NewScore, SCORE_COLUMNS, SCORE_ORIGINS, SENT_SCORE_VALUES, sentScores } from "./score-rows.ts";

interface WrittenScores {
  /** The traces that got or lost a score, or whose score changed. */
  traceIds: string[];
  /** The traces that have one more. */
  newIn: string[];
  /** Whether one more score waits. */
  hasNewWaiting: boolean;
}

interface WrittenRow {
  id: string;
  traceId: string;
  isWaiting: boolean;
}

/**
 * Writes scores, sorted by id, unless a later one, or one that is part of its trace, is stored. `lockedTraces` are all traces that the caller has locked or tried to
 * lock. Throws a Conflict if a score belongs to another one, so that its trace is locked when the transaction starts again.
 */
export async function writeScoreRows(
  trx: Database,
  workspaceId: WorkspaceId,
  scores: NewScore[],
  lockedTraces: ReadonlySet<string>,
): Promise<WrittenScores> {
  const { rows: stored } = await sql<WrittenRow>`
    select id, trace_id, is_waiting from scores
    where workspace_id = ${workspaceId} and id = any(${textList(scores.map(({ id }) => id))})
    order by id for update`.execute(trx);
  const before = new Map(stored.map((row) => [row.id, row]));
  if (stored.some(({ traceId }) => !lockedTraces.has(traceId)))
    throw new Conflict("a score of this request was moved meanwhile");
  const replacing = scores.filter(({ id }) => before.has(id));
  const added = scores.filter(({ id }) => !before.has(id));
  const [updated, inserted] = await Promise.all([
    update(trx, workspaceId, replacing),
    insert(trx, workspaceId, added),
  ]);
  if (inserted.length < added.length) throw new Conflict("a score of this request was stored meanwhile");
  const written = [...updated, ...inserted];
  const isNewIn = ({ id, traceId }: WrittenRow) => before.get(id)?.traceId !== traceId;
  return {
    traceIds: [
      ...new Set(written.flatMap(({ id, traceId }) => [traceId, before.get(id)?.traceId ?? traceId])),
    ].sort(),
    newIn: [...new Set(written.filter(isNewIn).map(({ traceId }) => traceId))],
    hasNewWaiting: written.some((row) => row.isWaiting && !before.get(row.id)?.isWaiting),
  };
}

async function update(trx: Database, workspaceId: WorkspaceId, scores: NewScore[]): Promise<WrittenRow[]> {
  if (scores.length === 0) return [];
  const { rows } = await sql<WrittenRow>`
    update scores as stored set (${SCORE_COLUMNS}, origin, created_at)
      = (sent.trace_id, sent.span_id, sent.decision_point_id, sent.name, sent.source, sent.author, sent.kind, sent.number,
        sent.label, sent.comment, sent.metadata, sent.timestamp, sent.digest, sent.is_waiting, ${SCORE_ORIGINS.sent}, now())
    from (select id, ${SENT_SCORE_VALUES} from ${sentScores(scores)}) as sent (id, ${SCORE_COLUMNS})
    where stored.workspace_id = ${workspaceId} and stored.id = sent.id
      and (stored.timestamp, stored.digest) < (sent.timestamp, sent.digest) and stored.origin = ${SCORE_ORIGINS.sent}
    returning stored.id, stored.trace_id, stored.is_waiting`.execute(trx);
  return rows;
}

async function insert(trx: Database, workspaceId: WorkspaceId, scores: NewScore[]): Promise<WrittenRow[]> {
  if (scores.length === 0) return [];
  const { rows } = await sql<WrittenRow>`
    insert into scores as stored (workspace_id, id, ${SCORE_COLUMNS}, origin)
    select ${workspaceId}::uuid, sent.id, ${SENT_SCORE_VALUES}, ${SCORE_ORIGINS.sent}::smallint from ${sentScores(scores)}
    order by sent.id collate "C"
    on conflict (workspace_id, id) do nothing
    returning stored.id, stored.trace_id, stored.is_waiting`.execute(trx);
  return rows;
}
