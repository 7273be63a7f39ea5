import { SCORE_KINDS, SCORE_SOURCES, type ScoreKind } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { Conflict } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { ParsedScore } from "./parsed-score.ts";

/** A score as its row is written. */
export interface NewScore extends Omit<ParsedScore, "timestamp"> {
  timestamp: string;
  /** A signed number of 64 bits. */
  digest: string;
  isWaiting: boolean;
}

export interface WrittenScores {
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

const SENT_TYPES = sql.raw(
  `id text, "traceId" text, "spanId" text, "decisionId" text, name text, source smallint, author text, kind smallint,
  number double precision, label text, comment text, metadata text, timestamp timestamptz, digest bigint, "isWaiting" boolean`,
);
const COLUMNS = sql.raw(
  "trace_id, span_id, decision_point_id, name, source, author, kind, number, label, comment, metadata, timestamp, digest, is_waiting",
);
const VALUES = sql.raw(
  `sent."traceId", sent."spanId", sent."decisionId", sent.name, sent.source, sent.author, sent.kind, sent.number, sent.label,
  sent.comment, sent.metadata::json, sent.timestamp, sent.digest, sent."isWaiting"`,
);
const ORIGIN_SENT = 0;

/**
 * Writes scores, sorted by id, unless a later one is stored. `lockedTraces` are all traces that the caller has locked or tried to
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
    update scores as stored set (${COLUMNS}, origin, created_at)
      = (sent.trace_id, sent.span_id, sent.decision_point_id, sent.name, sent.source, sent.author, sent.kind, sent.number,
        sent.label, sent.comment, sent.metadata, sent.timestamp, sent.digest, sent.is_waiting, ${ORIGIN_SENT}, now())
    from (select id, ${VALUES} from ${sentRows(scores)}) as sent (id, ${COLUMNS})
    where stored.workspace_id = ${workspaceId} and stored.id = sent.id
      and (stored.timestamp, stored.digest) < (sent.timestamp, sent.digest)
    returning stored.id, stored.trace_id, stored.is_waiting`.execute(trx);
  return rows;
}

async function insert(trx: Database, workspaceId: WorkspaceId, scores: NewScore[]): Promise<WrittenRow[]> {
  if (scores.length === 0) return [];
  const { rows } = await sql<WrittenRow>`
    insert into scores as stored (workspace_id, id, ${COLUMNS}, origin)
    select ${workspaceId}::uuid, sent.id, ${VALUES}, ${ORIGIN_SENT}::smallint from ${sentRows(scores)}
    order by sent.id collate "C"
    on conflict (workspace_id, id) do nothing
    returning stored.id, stored.trace_id, stored.is_waiting`.execute(trx);
  return rows;
}

/** The scores as a record set that is called `sent`. */
function sentRows(scores: NewScore[]) {
  const sent = scores.map(({ value, source, author, ...score }) => ({
    ...score,
    source: SCORE_SOURCES.indexOf(source),
    author: author ?? "",
    kind: SCORE_KINDS.indexOf(kindOf(value)),
    number: typeof value === "string" ? null : Number(value),
  }));
  return sql`json_to_recordset(${JSON.stringify(sent)}::json) as sent (${SENT_TYPES})`;
}

const kindOf = (value: NewScore["value"]): ScoreKind =>
  typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "label";
