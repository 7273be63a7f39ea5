import type { Condition, OutcomeDefinition } from "@whytrace/contract/schemas/outcomes";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { BUILT_IN } from "../../outcomes/definition.ts";
import { ALL_AGENTS } from "../../outcomes/read-definitions.ts";
import { readProgress } from "../../trace-store/outcomes/outcome-jobs.ts";
import { hashOfAgent } from "../../trace-store/outcomes/save-definition.ts";

interface DefinitionRow extends Omit<OutcomeDefinition, "bad"> {
  agentHash: number;
  bad: string;
  isDeleted: boolean;
}

const COLUMNS = sql`agent_hash, agent, version, bad, note, is_deleted, created_at, created_by`;

/** Conditions are checked before they are stored. */
const parseBad = (bad: string): Condition[] => JSON.parse(bad);

const toDefinition = ({ agentHash: _, isDeleted: __, bad, ...row }: DefinitionRow): OutcomeDefinition => ({
  ...row,
  bad: parseBad(bad),
});

const BUILT_IN_SHOWN: OutcomeDefinition = {
  ...BUILT_IN,
  bad: [...BUILT_IN.bad],
  note: null,
  createdAt: null,
  createdBy: null,
};

/** The definitions that are in force, and how far stored runs are judged by them. */
export async function listDefinitions(db: Database, workspaceId: WorkspaceId) {
  const { rows } = await sql<DefinitionRow>`
    select distinct on (agent_hash) ${COLUMNS} from outcome_definitions
    where workspace_id = ${workspaceId} order by agent_hash, version desc`.execute(db);
  const inForce = rows.filter(({ isDeleted }) => !isDeleted);
  const own = inForce.find(({ agentHash }) => agentHash === ALL_AGENTS);
  const progress = await readProgress(db, workspaceId);
  const followed = rows.find(({ agentHash }) => agentHash === progress?.agentHash);
  return {
    default: own ? toDefinition(own) : BUILT_IN_SHOWN,
    agents: inForce
      .filter(({ agentHash }) => agentHash !== ALL_AGENTS)
      .map(toDefinition)
      .sort((a, b) => ((a.agent ?? "") < (b.agent ?? "") ? -1 : 1)),
    progress: progress && {
      agent: followed?.agent ?? null,
      version: followed?.isDeleted === false ? followed.version : 0,
      countedFrom: progress.countedFrom,
      tracesLeft: progress.tracesLeft,
    },
  };
}

/** All versions of a definition, newest first. */
export async function listVersions(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string | null,
): Promise<OutcomeDefinition[]> {
  const { rows } = await sql<DefinitionRow>`
    select ${COLUMNS} from outcome_definitions
    where workspace_id = ${workspaceId} and agent_hash = ${hashOfAgent(agent)} and not is_deleted
    order by version desc`.execute(db);
  return rows.map(toDefinition);
}

/** All versions of all definitions, for the export of an account. */
export async function listAllVersions(db: Database, workspaceId: WorkspaceId): Promise<OutcomeDefinition[]> {
  const { rows } = await sql<DefinitionRow>`
    select ${COLUMNS} from outcome_definitions
    where workspace_id = ${workspaceId} and not is_deleted order by agent_hash, version`.execute(db);
  return rows.map(toDefinition);
}
