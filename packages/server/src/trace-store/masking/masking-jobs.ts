import { setTimeout as sleep } from "node:timers/promises";
import type { MaskingJob } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { textList } from "../../db/statements/text-list.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import type { CompiledMasking } from "../../masking/compiled-masking.ts";
import type { Maskings } from "../../masking/maskings.ts";
import { addMaskingLog } from "../../masking/stored-masking.ts";
import { ValueNotChecked } from "../../masking/value-not-checked.ts";
import type { SpanFactsCodec } from "../rows/trace-piece.ts";
import {
  deleteMaskedReleases,
  type MaskComments,
  maskPendingParts,
  maskStoredScores,
  maskStoredVerdicts,
} from "./mask-stored-comments.ts";
import { maskStoredTraces } from "./mask-stored-traces.ts";
import { requireMaskingVersion } from "./require-masking-version.ts";

/*
 * A row of masking_jobs is a workspace whose rules are applied to what is stored. A transaction locks the row, masks a few traces and moves
 * the cursor, so a trace is masked as a whole or not at all, whenever a process dies, and no two processes work on one job. What arrives
 * meanwhile is masked by the current rules already. If the rules change, the job begins again.
 */

/** How long a transaction should take. */
const CHUNK_MS = 50;
const MAX_TRACES = 200;
/** The pause after each transaction, relative to its time, so that few requests meet one. */
const PAUSE_RATIO = 1;
/** Then the job of the next workspace follows. */
const CHUNKS_PER_TURN = 20;
/** A pattern may have lacked time because of other texts. After so many failures the trace is left out. */
const MAX_ATTEMPTS = 3;
/** Patterns that fail more often than that are not worth the time. */
const MAX_LEFT_OUT = 1_000;

export const ALREADY_APPLIED = "Masking is already being applied";

const shownColumns = sql.raw(
  "version, status, done, total, changed, cardinality(left_out) as left_out, started_at, ended_at",
);

export async function readMaskingJob(db: Database, workspaceId: WorkspaceId): Promise<MaskingJob | null> {
  const { rows } = await sql<MaskingJob>`
    select ${shownColumns} from masking_jobs where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] ?? null;
}

/** Lets a worker apply the rules in force. Returns undefined if that is being done already. */
export async function requestMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  { version, userId }: { version: number; userId: string },
): Promise<MaskingJob | undefined> {
  // A worker holds the lock of a running job, so this does not wait for it.
  if ((await readMaskingJob(trx, workspaceId))?.status === "running") return undefined;
  const { rows } = await sql<MaskingJob>`
    insert into masking_jobs as stored (workspace_id, version, status, total)
    select ${workspaceId}::uuid, ${version}::bigint, 'running', count(*) from traces where workspace_id = ${workspaceId}
    on conflict (workspace_id) do update set version = excluded.version, status = excluded.status, phase = 'traces',
      cursor_started_at = null, cursor_id = null, done = 0, total = excluded.total, changed = 0, left_out = '{}',
      started_at = excluded.started_at, ended_at = null
    where stored.status <> 'running'
    returning ${shownColumns}`.execute(trx);
  const [job] = rows;
  if (job)
    await addMaskingLog(trx, workspaceId, {
      version,
      userId,
      action: "applied",
      detail: { total: job.total },
    });
  return job;
}

/** Stops a job after the transaction that runs now. What it has masked stays masked. Returns the job; null if there is none. */
export async function stopMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<MaskingJob | null> {
  const { rows } = await sql<MaskingJob>`
    update masking_jobs set status = 'stopped', ended_at = now()
    where workspace_id = ${workspaceId} and status = 'running' returning ${shownColumns}`.execute(trx);
  const [job] = rows;
  if (!job) return readMaskingJob(trx, workspaceId);
  const { version, done, changed } = job;
  await addMaskingLog(trx, workspaceId, { version, userId, action: "stopped", detail: { done, changed } });
  return job;
}

interface MaskingJobsOptions {
  db: Database;
  live: Live;
  maskings: Maskings;
  codec: SpanFactsCodec;
  log: { warn(fields: object, message: string): void };
  stopping: AbortSignal;
  /** What is masked after the traces and what is said about them, by the name of the phase. */
  laterPhases: readonly MaskingPhase[];
  /** Called with the number of traces that were changed. */
  onMasked(traceCount: number): void;
  /** Called with the number of jobs that are not done. */
  onJobs(jobCount: number): void;
}

type MaskingPhase = readonly [phase: string, mask: MaskComments];

/** Continues all jobs in turns, until none is left. A job that fails does not keep the others waiting. */
export async function continueMaskingJobs(options: MaskingJobsOptions): Promise<void> {
  const failed = new Set<WorkspaceId>();
  for (;;) {
    const { rows } = await sql<{ workspaceId: WorkspaceId }>`
      select workspace_id from masking_jobs where status = 'running' order by workspace_id limit 1000`.execute(
      options.db,
    );
    options.onJobs(rows.length);
    const left = rows.filter(({ workspaceId }) => !failed.has(workspaceId));
    if (left.length === 0) return;
    for (const { workspaceId } of left) {
      if (options.stopping.aborted) return;
      try {
        if (!(await continueJob(options, workspaceId))) failed.add(workspaceId);
      } catch (error) {
        failed.add(workspaceId);
        // Messages of the database may quote values.
        const code = error instanceof Error && "code" in error ? error.code : undefined;
        options.log.warn(
          { workspaceId, error: error instanceof Error ? error.name : "unknown", code },
          "rules were not applied to stored traces; will retry",
        );
      }
    }
  }
}

/** Returns false if another process works on the job. */
async function continueJob(options: MaskingJobsOptions, workspaceId: WorkspaceId): Promise<boolean> {
  const { live, stopping, onMasked } = options;
  const db = await options.db.of(workspaceId);
  let traceCount = 10;
  const failures = new Map<string, number>();
  for (let chunk = 0; chunk < CHUNKS_PER_TURN && !stopping.aborted; chunk += 1) {
    const startedAt = performance.now();
    const step = await nextStep(db, workspaceId, { ...options, traceCount, failures });
    if (step === "busy") return false;
    if (step.changed > 0) {
      onMasked(step.changed);
      live.changed(workspaceId);
    }
    if (step.isDone) return true;
    const tookMs = performance.now() - startedAt;
    if (tookMs > 2 * CHUNK_MS) traceCount = Math.max(1, Math.floor(traceCount / 2));
    else if (tookMs < CHUNK_MS) traceCount = Math.min(MAX_TRACES, traceCount * 2);
    await sleep(tookMs * PAUSE_RATIO, undefined, { signal: stopping }).catch(() => {});
  }
  return true;
}

interface NextStepOptions extends Omit<StepOptions, "masking"> {
  maskings: Maskings;
  /** By trace: how often something in it could not be checked. */
  failures: Map<string, number>;
}

/** Masks what is next. If something in a trace cannot be checked, it is tried again, and then left out. */
async function nextStep(
  db: Database,
  workspaceId: WorkspaceId,
  { maskings, failures, ...options }: NextStepOptions,
): Promise<Step | "busy"> {
  try {
    return await maskings.apply(workspaceId, (masking) => {
      if (failures.size > 0) masking.refillBudget();
      return transaction(db, (trx) => runStep(trx, workspaceId, { ...options, masking }));
    });
  } catch (error) {
    if (!(error instanceof ValueNotChecked) || error.failure.traceId === undefined) throw error;
    const { traceId } = error.failure;
    const count = (failures.get(traceId) ?? 0) + 1;
    failures.set(traceId, count);
    if (count < MAX_ATTEMPTS) return { changed: 0, isDone: false };
    // Counts and logs it.
    maskings.tally.fail(error.failure);
    return leaveOut(db, workspaceId, traceId);
  }
}

/** Goes on without a trace, which stays as it was. */
async function leaveOut(db: Database, workspaceId: WorkspaceId, traceId: string): Promise<Step> {
  const { rows } = await sql<{ status: string }>`
    update masking_jobs set left_out = array_append(left_out, ${traceId}), done = done + 1,
      status = case when cardinality(left_out) + 1 < ${MAX_LEFT_OUT} then status else 'stopped' end,
      ended_at = case when cardinality(left_out) + 1 < ${MAX_LEFT_OUT} then ended_at else now() end
    where workspace_id = ${workspaceId} and status = 'running' returning status`.execute(db);
  return { changed: 0, isDone: rows[0]?.status !== "running" };
}

interface LockedJob {
  version: number;
  phase: string;
  cursorStartedAt: string | null;
  cursorId: string | null;
  /** The ids of traces that could not be checked. */
  leftOut: string[];
}

interface StepOptions {
  masking: CompiledMasking;
  codec: SpanFactsCodec;
  laterPhases: readonly MaskingPhase[];
  traceCount: number;
}

interface Step {
  changed: number;
  isDone: boolean;
}

/** The phases after the traces, in their order. */
const COMMENT_PHASES: readonly MaskingPhase[] = [
  ["scores", maskStoredScores],
  ["verdicts", maskStoredVerdicts],
  ["pending", maskPendingParts],
];

async function runStep(
  trx: Database,
  workspaceId: WorkspaceId,
  { masking, codec, laterPhases, traceCount }: StepOptions,
): Promise<Step | "busy"> {
  const { rows } = await sql<LockedJob>`
    select version, phase, cursor_started_at::text as cursor_started_at, cursor_id, left_out from masking_jobs
    where workspace_id = ${workspaceId} and status = 'running' for update skip locked`.execute(trx);
  const [job] = rows;
  if (!job) return "busy";
  const { version } = masking;
  if (job.version !== version) {
    await requireMaskingVersion(trx, workspaceId, version);
    await sql`
      update masking_jobs set version = ${version}, phase = 'traces', cursor_started_at = null, cursor_id = null, done = 0,
        left_out = '{}'
      where workspace_id = ${workspaceId}`.execute(trx);
    return { changed: 0, isDone: false };
  }
  return job.phase === "traces"
    ? maskNextTraces(trx, workspaceId, job, { masking, codec, traceCount })
    : maskNextComments(trx, workspaceId, job, { masking, codec, laterPhases });
}

async function maskNextTraces(
  trx: Database,
  workspaceId: WorkspaceId,
  { cursorStartedAt, cursorId, leftOut }: LockedJob,
  { masking, codec, traceCount }: Omit<StepOptions, "laterPhases">,
): Promise<Step> {
  const after =
    cursorStartedAt === null || cursorId === null
      ? sql`true`
      : sql`(started_at, id) < (${cursorStartedAt}::timestamptz, ${cursorId})`;
  const { rows } = await sql<{ id: string; startedAt: string }>`
    select id, started_at::text as started_at from traces
    where workspace_id = ${workspaceId} and ${after} and not (id = any(${textList(leftOut)}))
    order by started_at desc, id desc limit ${traceCount}`.execute(trx);
  const last = rows.at(-1);
  if (last) {
    const ids = rows.map(({ id }) => id);
    const changed = await maskStoredTraces(trx, workspaceId, ids, { masking, codec });
    await sql`
      update masking_jobs set cursor_started_at = ${last.startedAt}::timestamptz, cursor_id = ${last.id},
        done = done + ${rows.length}, changed = changed + ${changed} where workspace_id = ${workspaceId}`.execute(
      trx,
    );
    return { changed, isDone: false };
  }
  // A trace whose start changed meanwhile may have passed the cursor.
  const { rows: missed } = await sql`
    select id from traces where workspace_id = ${workspaceId} and masking_version is distinct from ${masking.version}
      and not (id = any(${textList(leftOut)})) limit 1`.execute(trx);
  await requireMaskingVersion(trx, workspaceId, masking.version);
  const phase = missed.length > 0 ? "traces" : "scores";
  await sql`
    update masking_jobs set phase = ${phase}, cursor_started_at = null, cursor_id = null,
      done = done * ${missed.length > 0 ? 0 : 1}
    where workspace_id = ${workspaceId}`.execute(trx);
  return { changed: 0, isDone: false };
}

async function maskNextComments(
  trx: Database,
  workspaceId: WorkspaceId,
  { phase, cursorId }: LockedJob,
  { masking, codec, laterPhases }: Omit<StepOptions, "traceCount">,
): Promise<Step> {
  const phases = [...COMMENT_PHASES, ...laterPhases];
  const index = phases.findIndex(([name]) => name === phase);
  const mask = phases[index]?.[1];
  const last = masking.isOff
    ? undefined
    : await mask?.(trx, workspaceId, { masking, codec, after: cursorId ?? "" });
  const next = last === undefined ? phases[index + 1]?.[0] : phase;
  if (next === undefined) {
    if (!masking.isOff) await deleteMaskedReleases(trx, workspaceId, masking);
    await requireMaskingVersion(trx, workspaceId, masking.version);
    await sql`
      update masking_jobs set status = 'done', ended_at = now() where workspace_id = ${workspaceId}`.execute(
      trx,
    );
    return { changed: 0, isDone: true };
  }
  await requireMaskingVersion(trx, workspaceId, masking.version);
  await sql`
    update masking_jobs set phase = ${next}, cursor_id = ${last ?? null} where workspace_id = ${workspaceId}`.execute(
    trx,
  );
  return { changed: 0, isDone: false };
}
