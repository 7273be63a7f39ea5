import type { Condition } from "@whytrace/contract/schemas/outcomes";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { BUILT_IN, type Definition, Definitions } from "./definition.ts";

/** The agent's hash of the workspace's own definition. */
export const ALL_AGENTS = 0;

interface DefinitionRow {
  agentHash: number;
  agent: string | null;
  version: number;
  bad: string;
  isDeleted: boolean;
}

/** Conditions are checked before they are stored. */
const parseConditions = (bad: string): Condition[] => JSON.parse(bad);

const toDefinition = ({ agent, version, bad }: DefinitionRow): Definition => ({
  agent,
  version,
  bad: parseConditions(bad),
});

/** The definitions of a workspace that are in force. */
export async function readDefinitions(db: Database, workspaceId: WorkspaceId): Promise<Definitions> {
  const { rows } = await sql<DefinitionRow>`/* prepared */
    select distinct on (agent_hash) agent_hash, agent, version, bad, is_deleted from outcome_definitions
    where workspace_id = ${workspaceId} order by agent_hash, version desc`.execute(db);
  const inForce = rows.filter(({ isDeleted }) => !isDeleted);
  const own = inForce.find(({ agentHash }) => agentHash === ALL_AGENTS);
  return new Definitions(
    own && toDefinition(own),
    new Map(
      inForce
        .filter(({ agentHash }) => agentHash !== ALL_AGENTS)
        .map((row) => [row.agentHash, toDefinition(row)]),
    ),
  );
}

/** The definition by which a run was judged, which may be an old one. */
export async function readStoredDefinition(
  db: Database,
  workspaceId: WorkspaceId,
  { agentHash, definition }: { agentHash: number; definition: number },
): Promise<Definition> {
  if (definition === 0) return BUILT_IN;
  const { rows } = await sql<DefinitionRow>`
    select agent_hash, agent, version, bad, is_deleted from outcome_definitions
    where workspace_id = ${workspaceId} and agent_hash = ${definition < 0 ? agentHash : ALL_AGENTS}
      and version = ${Math.abs(definition)}`.execute(db);
  return rows[0] ? toDefinition(rows[0]) : BUILT_IN;
}

/** How long traces may still be stored by definitions that were changed meanwhile on another server. */
export const DEFINITIONS_CACHE_MS = 1_000;
const MAX_CACHED = 10_000;

const cache = new Map<WorkspaceId, { readAt: number; definitions: Definitions }>();

/** The same from a cache: storing traces must not read them each time. Whoever changes them judges stored traces again. */
export async function cachedDefinitions(db: Database, workspaceId: WorkspaceId): Promise<Definitions> {
  const cached = cache.get(workspaceId);
  if (cached && performance.now() - cached.readAt < DEFINITIONS_CACHE_MS) return cached.definitions;
  const readAt = performance.now();
  const definitions = await readDefinitions(db, workspaceId);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(workspaceId, { readAt, definitions });
  return definitions;
}

/** Makes this process read the definitions of a workspace again. */
export const forgetDefinitions = (workspaceId: WorkspaceId) => cache.delete(workspaceId);
