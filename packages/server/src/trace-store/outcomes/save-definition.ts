import { maskText } from "@whytrace/contract";
import type { Condition, OutcomeDefinition } from "@whytrace/contract/schemas/outcomes";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { HttpError } from "../../http/http-error.ts";
import { recordChanges } from "../../live/record-changes.ts";
import { ALL_AGENTS } from "../../outcomes/read-definitions.ts";
import { addTotals, noTotals } from "../counts/totals.ts";
import { requestOutcomes } from "./outcome-jobs.ts";

export const CHANGED_MEANWHILE = "The definition was changed meanwhile (version <n>)";

interface SavedDefinition {
  /** The name of the agent's traces, masked or not; null: of all agents without a definition of their own. */
  agent: string | null;
  /** The version that the change is based on; 0 if there is none. */
  version: number;
  bad: Condition[];
  note: string | null;
  createdBy: string;
}

export const hashOfAgent = (agent: string | null) => (agent === null ? ALL_AGENTS : agentHash(agent));

/** Saves a new version. From now on traces are judged by it, and a worker judges the stored ones again. */
export async function saveDefinition(
  trx: Database,
  workspaceId: WorkspaceId,
  { agent, version, bad, note, createdBy }: SavedDefinition,
): Promise<OutcomeDefinition> {
  const hash = hashOfAgent(agent);
  const last = await lockLastVersion(trx, workspaceId, hash);
  const shown = last.isDeleted ? 0 : last.version;
  if (shown !== version) throw new HttpError(409, CHANGED_MEANWHILE.replace("<n>", String(shown)));
  const name = agent === null ? null : maskText(agent);
  const { rows } = await sql<{ createdAt: string }>`
    insert into outcome_definitions (workspace_id, agent_hash, version, agent, bad, note, created_by)
    values (${workspaceId}, ${hash}, ${last.version + 1}, ${name}, ${JSON.stringify(bad)}::json, ${note}, ${createdBy})
    returning created_at`.execute(trx);
  await followDefinition(trx, workspaceId, hash);
  return {
    agent: name,
    version: last.version + 1,
    bad,
    note,
    createdBy,
    createdAt: rows[0]?.createdAt ?? null,
  };
}

/** Takes a definition back. Returns false if there is none. */
export async function deleteDefinition(
  trx: Database,
  workspaceId: WorkspaceId,
  { agent, createdBy }: { agent: string | null; createdBy: string },
): Promise<boolean> {
  const hash = hashOfAgent(agent);
  const last = await lockLastVersion(trx, workspaceId, hash);
  if (last.isDeleted) return false;
  await sql`
    insert into outcome_definitions (workspace_id, agent_hash, version, agent, bad, is_deleted, created_by)
    values (${workspaceId}, ${hash}, ${last.version + 1}, ${agent === null ? null : maskText(agent)}, '[]', true, ${createdBy})`.execute(
    trx,
  );
  await followDefinition(trx, workspaceId, hash);
  return true;
}

/** Lets a worker judge stored runs again. The totals, whose version says that something changed, are locked last. */
async function followDefinition(trx: Database, workspaceId: WorkspaceId, hash: number): Promise<void> {
  await requestOutcomes(trx, workspaceId, hash);
  await addTotals(trx, [{ workspaceId, change: noTotals() }]);
  await recordChanges(trx, [{ workspaceId, traces: null }]);
}

/** Serializes changes of a workspace's definitions. */
async function lockLastVersion(trx: Database, workspaceId: WorkspaceId, hash: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`outcomes ${workspaceId}`}, 0))`.execute(trx);
  const { rows } = await sql<{ version: number; isDeleted: boolean }>`
    select version, is_deleted from outcome_definitions
    where workspace_id = ${workspaceId} and agent_hash = ${hash} order by version desc limit 1`.execute(trx);
  return rows[0] ?? { version: 0, isDeleted: true };
}
