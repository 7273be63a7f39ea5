import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { PROBLEM_KINDS } from "../../outcomes/problems-of-run.ts";
import { newReleases, releaseHash, writeReleases } from "./agent-releases.ts";
import type { RunChange } from "./run-problems.ts";

/** A run that started longer before it was stored is imported: it is counted, and announces nothing. */
const IMPORTED_AFTER_MS = 86_400_000;

interface WriteProblemsOptions {
  /** The rows are written because a definition changed, not because of the runs. */
  isQuiet?: boolean;
}

/**
 * Makes `problem_runs` say what the rows of traces say. Call it after `addTotals`: until the transaction ends, nobody else gets a
 * version, so versions are in the order of commits. A run that keeps a problem keeps its row and its version, and is not
 * counted again. Without bad runs and new releases, it sends no statement.
 */
export async function writeProblems(
  trx: Database,
  workspaceId: WorkspaceId,
  runs: readonly RunChange[],
  { isQuiet = false }: WriteProblemsOptions = {},
): Promise<void> {
  const gone = runs.flatMap(({ id, before, problems }) =>
    before
      .filter((key) => !problems.some((problem) => problem.key === key))
      .map((problem) => ({ traceId: id, problem })),
  );
  const bad = runs.filter(({ problems }) => problems.length > 0);
  const releases = newReleases(workspaceId, runs);
  if (gone.length === 0 && bad.length === 0 && releases.length === 0) return;
  const isChanged =
    gone.length > 0 || bad.some(({ before, problems }) => problems.some(({ key }) => !before.includes(key)));
  const version = await (isChanged
    ? touchProblems(trx, workspaceId, { isGone: gone.length > 0 })
    : readVersion(trx, workspaceId));
  await Promise.all([
    deleteRows(trx, workspaceId, gone),
    upsertRows(
      trx,
      workspaceId,
      version,
      bad.flatMap((run) => toRows(run, isQuiet)),
    ),
    writeReleases(trx, workspaceId, version, releases),
  ]);
}

/**
 * Lets the worker look at the workspace's problems; returns the version. Call it after `addTotals`. `isGone`: a run lost one, so an issue
 * may have no run any more.
 */
export async function touchProblems(
  trx: Database,
  workspaceId: WorkspaceId,
  { isGone }: { isGone: boolean },
): Promise<number> {
  const { rows } = await sql<{ version: number }>`/* prepared */
    update trace_totals set problems_version = version,
      problems_gone_version = case when ${isGone}::boolean then version else problems_gone_version end
    where workspace_id = ${workspaceId} returning version`.execute(trx);
  return rows[0]?.version ?? 0;
}

async function readVersion(trx: Database, workspaceId: WorkspaceId): Promise<number> {
  const { rows } = await sql<{ version: number }>`/* prepared */
    select version from trace_totals where workspace_id = ${workspaceId}`.execute(trx);
  return rows[0]?.version ?? 0;
}

const toRows = (
  { id, agentHash, release, personHash, startedAt, createdAt, problems }: RunChange,
  isQuiet: boolean,
) => {
  const storedMs = createdAt === undefined ? Date.now() : Date.parse(createdAt);
  return problems.map(({ key, kind, text, spanId }) => ({
    traceId: id,
    problem: key,
    kind: PROBLEM_KINDS.indexOf(kind),
    agentHash,
    startedAt: new Date(startedAt),
    releaseHash: release === null ? null : releaseHash(release),
    personHash,
    spanId,
    text,
    isQuiet: isQuiet || storedMs - startedAt > IMPORTED_AFTER_MS,
  }));
};

async function deleteRows(
  trx: Database,
  workspaceId: WorkspaceId,
  gone: { traceId: string; problem: number }[],
): Promise<void> {
  if (gone.length === 0) return;
  await sql`/* prepared */
    delete from problem_runs
    using json_to_recordset(${JSON.stringify(gone)}::json) as gone ("traceId" text, problem bigint)
    where problem_runs.workspace_id = ${workspaceId} and problem_runs.trace_id = gone."traceId"
      and problem_runs.problem = gone.problem`.execute(trx);
}

async function upsertRows(
  trx: Database,
  workspaceId: WorkspaceId,
  version: number,
  rows: ReturnType<typeof toRows>,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`/* prepared */
    insert into problem_runs (workspace_id, trace_id, problem, kind, agent_hash, version, started_at, release_hash,
      person_hash, span_id, text, is_quiet)
    select ${workspaceId}::uuid, sent."traceId", sent.problem, sent.kind, sent."agentHash", ${version}::bigint,
      sent."startedAt", sent."releaseHash", sent."personHash", sent."spanId", sent.text, sent."isQuiet"
    from json_to_recordset(${JSON.stringify(rows)}::json) as sent ("traceId" text, problem bigint, kind smallint,
      "agentHash" bigint, "startedAt" timestamptz, "releaseHash" bigint, "personHash" bigint, "spanId" text, text text,
      "isQuiet" boolean)
    on conflict (workspace_id, trace_id, problem) do update set started_at = excluded.started_at,
      release_hash = excluded.release_hash, person_hash = excluded.person_hash, span_id = excluded.span_id`.execute(
    trx,
  );
}
