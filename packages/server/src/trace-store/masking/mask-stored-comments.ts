import { SCORE_SOURCES } from "@whytrace/contract/schemas/scores";
import { sql } from "kysely";
import { mapInSteps } from "../../concurrency/map-in-steps.ts";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import { Masker } from "../../masking/masker.ts";
import { lockPendingParts } from "../merge/lock-pending-parts.ts";
import type { SpanFactsCodec } from "../rows/trace-piece.ts";
import { maskTitle, maskWords } from "../scores/mask-score.ts";
import { SCORE_ORIGINS } from "../scores/score-rows.ts";

/*
 * What people and judges say about runs in words, and what waits for its trace. They come apart from their traces, so they are
 * looked at apart from them.
 */

const ROWS_AT_ONCE = 200;

interface CommentsStep {
  masking: CompiledMasking;
  codec: SpanFactsCodec;
  /** The last row that was looked at. */
  after: string;
}

/** Masks the next rows. Returns the last one of them; undefined if none was left. */
export type MaskComments = (
  trx: Database,
  workspaceId: WorkspaceId,
  step: CommentsStep,
) => Promise<string | undefined>;

/** Masks rows one after the other, with pauses, and returns those that changed. */
async function changedRows<Row>(rows: readonly Row[], mask: (row: Row) => Row): Promise<Row[]> {
  const changed = mapInSteps(rows, (row) => {
    const masked = mask(row);
    return JSON.stringify(masked) === JSON.stringify(row) ? [] : [masked];
  });
  return (await runInTimeSlices(changed)).flat();
}

export const maskStoredScores: MaskComments = async (trx, workspaceId, { masking, after }) => {
  const { rows } = await sql<StoredScore>`
    select id, source, origin = ${SCORE_ORIGINS.otlp} as is_otlp, name, label, author, comment, metadata::text as metadata from scores
    where workspace_id = ${workspaceId} and id > ${after} order by id limit ${ROWS_AT_ONCE} for update`.execute(
    trx,
  );
  const masker = new Masker(masking, { isStored: true });
  const masked = await changedRows(rows, (row) =>
    maskStoredScore(row, masker, masking.level === "structure"),
  );
  if (masked.length > 0)
    await sql`
      update scores set name = sent.name, label = sent.label, author = sent.author, comment = sent.comment,
        metadata = sent.metadata_json
      from (
        select *, metadata::json as metadata_json
        from json_to_recordset(${JSON.stringify(masked)}::json)
          as sent (id text, name text, label text, author text, comment text, metadata text)
      ) as sent
      where scores.workspace_id = ${workspaceId} and scores.id = sent.id`.execute(trx);
  return rows.at(-1)?.id;
};

interface StoredScore {
  id: string;
  /** The place in SCORE_SOURCES. */
  source: number;
  isOtlp: boolean;
  name: string;
  label: string | null;
  author: string;
  comment: string | null;
  metadata: string | null;
}

/** By OpenTelemetry name, label and author come as attributes and as the name of a library. */
function maskStoredScore(score: StoredScore, masker: Masker, isStructureOnly: boolean): StoredScore {
  const { isOtlp, name, label, author, comment, metadata } = score;
  const source = SCORE_SOURCES[score.source] ?? "code";
  return {
    ...score,
    ...(isOtlp
      ? {
          name: masker.text(name, "events"),
          label: label && masker.text(label, "events"),
          author: masker.text(author, "metadata"),
        }
      : maskTitle({ source, name, label, author }, masker)),
    ...maskWords({ source, comment, metadata }, masker, isStructureOnly),
  };
}

export const maskStoredVerdicts: MaskComments = async (trx, workspaceId, { masking, after }) => {
  const [traceId = "", decisionPointId = ""] = parseKey(after);
  const { rows } = await sql<{
    traceId: string;
    id: string;
    note: string | null;
    shouldHaveBeen: string | null;
  }>`
    select trace_id, decision_point_id as id, note, should_have_been from verdicts
    where workspace_id = ${workspaceId} and (note is not null or should_have_been is not null)
      and (trace_id, decision_point_id) > (${traceId}, ${decisionPointId})
    order by trace_id, decision_point_id limit ${ROWS_AT_ONCE} for update`.execute(trx);
  const masker = new Masker(masking, { isStored: true });
  const masked = await changedRows(rows, (row) => ({
    ...row,
    note: row.note && masker.text(row.note, "comments"),
    shouldHaveBeen: row.shouldHaveBeen && masker.text(row.shouldHaveBeen, "chosen"),
  }));
  if (masked.length > 0)
    await sql`
      update verdicts set note = sent.note, should_have_been = sent."shouldHaveBeen"
      from json_to_recordset(${JSON.stringify(masked)}::json)
        as sent ("traceId" text, id text, note text, "shouldHaveBeen" text)
      where verdicts.workspace_id = ${workspaceId} and verdicts.trace_id = sent."traceId"
        and verdicts.decision_point_id = sent.id`.execute(trx);
  const last = rows.at(-1);
  return last && JSON.stringify([last.traceId, last.id]);
};

function parseKey(key: string): string[] {
  if (key === "") return [];
  const parsed: unknown = JSON.parse(key);
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

/** Log records that wait for the spans of their trace, a trace after the other. */
export const maskPendingParts: MaskComments = async (trx, workspaceId, { masking, codec, after }) => {
  const { rows: next } = await sql<{ traceId: string }>`
    select trace_id from otlp_parts
    where workspace_id = ${workspaceId} and is_pending and trace_id > ${after}
    order by trace_id limit 1`.execute(trx);
  const traceId = next[0]?.traceId;
  if (traceId === undefined) return undefined;
  await lockPendingParts(trx, workspaceId, [traceId], "wait");
  const { rows } = await sql<{ part: string; facts: Buffer }>`
    select part::text as part, facts from otlp_parts where workspace_id = ${workspaceId} and trace_id = ${traceId}`.execute(
    trx,
  );
  for (const { part, facts } of rows) {
    const masker = new Masker(masking, { isStored: true });
    const masked = codec.withMaskingVersion(
      await runInTimeSlices(codec.mask(facts, masking, masker)),
      masking.version,
    );
    await sql`
      update otlp_parts set facts = ${Buffer.from(masked)}
      where workspace_id = ${workspaceId} and trace_id = ${traceId} and part = ${part}::bigint`.execute(trx);
  }
  return traceId;
};

/** Releases are named by tags and metadata: those whose name is masked now have been written anew with their runs. */
export async function deleteMaskedReleases(
  trx: Database,
  workspaceId: WorkspaceId,
  masking: CompiledMasking,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct name from agent_releases where workspace_id = ${workspaceId}`.execute(trx);
  const masker = new Masker(masking, { isStored: true });
  const renamed = mapInSteps(rows, ({ name }) => (masker.identifier(name, "tags") === name ? [] : [name]));
  const gone = (await runInTimeSlices(renamed)).flat();
  if (gone.length > 0)
    await sql`
      delete from agent_releases where workspace_id = ${workspaceId} and name = any(${gone}::text[])`.execute(
      trx,
    );
}
