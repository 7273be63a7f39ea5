import { randomBytes } from "node:crypto";
import type { MaskingLevel, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { higherLevel } from "./compile-rules.ts";
import type { MaskingConfig } from "./masking-config.ts";

/** Increase it when the same level and rules mask something else: then workspaces get a new version, and can apply it to what is stored. */
const MATCHERS_VERSION = 3;

export interface StoredMasking {
  version: number;
  level: MaskingLevel;
  rules: MaskingRule[];
  key: Buffer;
  changedBy: string | null;
  changedAt: string | null;
  /** The operator's floor and the matchers that this version stands for. */
  floor: MaskingLevel;
  matchers: number;
}

/**
 * Whether a version stands for what this server masks. A lower floor and older matchers are those of another server, while one after the
 * other is restarted: if each took its own back, versions would go up with every request.
 */
export const isInForce = (
  { floor, matchers }: Pick<StoredMasking, "floor" | "matchers">,
  configured: MaskingLevel,
) => matchers >= MATCHERS_VERSION && higherLevel(floor, configured) === floor;

const KEY_BYTES = 32;

/** The level and rules of a workspace; undefined if nothing has been stored for it yet. */
export async function findMasking(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<StoredMasking | undefined> {
  const { rows } = await sql<Omit<StoredMasking, "rules"> & { rules: string }>`/* prepared */
    select version, level, rules::text as rules, key, changed_by, changed_at, floor, matchers from masking
    where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] && { ...rows[0], rules: parseRules(rows[0].rules) };
}

/** The level and rules of a workspace. The first time, it gets a key of its own and the level of new workspaces. */
export async function readMasking(
  db: Database,
  workspaceId: WorkspaceId,
  { defaultLevel, floor }: Pick<MaskingConfig, "defaultLevel" | "floor">,
): Promise<StoredMasking> {
  const stored = await findMasking(db, workspaceId);
  if (stored) return stored;
  await sql`
    insert into masking (workspace_id, level, key, floor, matchers)
    values (${workspaceId}, ${higherLevel(defaultLevel, floor)}, ${randomBytes(KEY_BYTES)}, ${floor}, ${MATCHERS_VERSION})
    on conflict do nothing`.execute(db);
  const created = await findMasking(db, workspaceId);
  if (!created) throw new Error("The masking of a workspace cannot be read");
  return created;
}

/** Rules are checked before they are stored. */
const parseRules = (json: string): MaskingRule[] => JSON.parse(json);

export interface MaskingChange {
  level: MaskingLevel;
  rules: MaskingRule[];
  userId: string;
  /** The operator's. */
  floor: MaskingLevel;
}

/** Changes level and rules, and records who did. Returns the new version. The caller locks the workspace's totals. */
export async function updateMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  before: StoredMasking,
  { level, rules, userId, floor }: MaskingChange,
): Promise<StoredMasking> {
  const version = before.version + 1;
  const { rows } = await sql<{ changedAt: string }>`
    update masking set version = ${version}, level = ${level}, rules = ${JSON.stringify(rules)}::jsonb,
      changed_by = ${userId}, changed_at = now(), floor = ${floor}, matchers = ${MATCHERS_VERSION}
    where workspace_id = ${workspaceId} returning changed_at`.execute(trx);
  const detail = {
    before: { level: before.level, rules: before.rules },
    after: { level, rules },
  };
  await addMaskingLog(trx, workspaceId, { version, userId, action: "saved", detail });
  const changedAt = rows[0]?.changedAt ?? null;
  return {
    ...before,
    version,
    level,
    rules,
    changedBy: userId,
    changedAt,
    floor,
    matchers: MATCHERS_VERSION,
  };
}

/**
 * Gives level and rules a new version, because the operator's floor or the matchers mask more by them. A level below the floor is
 * raised to it. The caller locks the workspace's totals.
 */
export async function raiseMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  before: StoredMasking,
  configured: MaskingLevel,
): Promise<StoredMasking> {
  const floor = higherLevel(before.floor, configured);
  const matchers = Math.max(before.matchers, MATCHERS_VERSION);
  const raised = { version: before.version + 1, level: higherLevel(before.level, floor), floor, matchers };
  await sql`
    update masking set version = ${raised.version}, level = ${raised.level}, floor = ${floor}, matchers = ${matchers}
    where workspace_id = ${workspaceId}`.execute(trx);
  const levels = { before: { level: before.level }, after: { level: raised.level } };
  const detail = { ...levels, floor, matchers };
  await addMaskingLog(trx, workspaceId, { version: raised.version, userId: null, action: "raised", detail });
  return { ...before, ...raised };
}

interface MaskingLogEntry {
  version: number;
  /** Null if the server did it. */
  userId: string | null;
  action: "saved" | "raised" | "previewed" | "applied" | "stopped" | "failed";
  detail: unknown;
}

/** Records who changed or applied rules, or that they cannot be applied. */
export async function addMaskingLog(
  trx: Database,
  workspaceId: WorkspaceId,
  { version, userId, action, detail }: MaskingLogEntry,
): Promise<void> {
  await sql`
    insert into masking_log (workspace_id, version, user_id, action, detail)
    values (${workspaceId}, ${version}, ${userId}, ${action}, ${JSON.stringify(detail)}::jsonb)`.execute(trx);
}

/** The key goes first: from then on nobody can find out what a token stands for. */
export async function deleteMasking(db: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`delete from masking where workspace_id = ${workspaceId}`.execute(db);
  await sql`delete from masking_log where workspace_id = ${workspaceId}`.execute(db);
}
