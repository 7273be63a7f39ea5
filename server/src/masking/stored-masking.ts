import { randomBytes } from "node:crypto";
import type { MaskingLevel, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";

export interface StoredMasking {
  version: number;
  level: MaskingLevel;
  rules: MaskingRule[];
  key: Buffer;
  changedBy: string | null;
  changedAt: string | null;
}

const KEY_BYTES = 32;

/** The level and rules of a workspace; undefined if nothing has been stored for it yet. */
export async function findMasking(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<StoredMasking | undefined> {
  const { rows } = await sql<Omit<StoredMasking, "rules"> & { rules: string }>`/* prepared */
    select version, level, rules::text as rules, key, changed_by, changed_at from masking
    where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] && { ...rows[0], rules: parseRules(rows[0].rules) };
}

/** The level and rules of a workspace. The first time, it gets a key of its own and the level of new workspaces. */
export async function readMasking(
  db: Database,
  workspaceId: WorkspaceId,
  defaultLevel: MaskingLevel,
): Promise<StoredMasking> {
  const stored = await findMasking(db, workspaceId);
  if (stored) return stored;
  await sql`
    insert into masking (workspace_id, level, key) values (${workspaceId}, ${defaultLevel}, ${randomBytes(KEY_BYTES)})
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
}

/** Changes level and rules, and records who did. Returns the new version. The caller locks the workspace's totals. */
export async function updateMasking(
  trx: Database,
  workspaceId: WorkspaceId,
  before: StoredMasking,
  { level, rules, userId }: MaskingChange,
): Promise<StoredMasking> {
  const version = before.version + 1;
  const { rows } = await sql<{ changedAt: string }>`
    update masking set version = ${version}, level = ${level}, rules = ${JSON.stringify(rules)}::jsonb,
      changed_by = ${userId}, changed_at = now()
    where workspace_id = ${workspaceId} returning changed_at`.execute(trx);
  const detail = {
    before: { level: before.level, rules: before.rules },
    after: { level, rules },
  };
  await addMaskingLog(trx, workspaceId, { version, userId, action: "saved", detail });
  return { ...before, version, level, rules, changedBy: userId, changedAt: rows[0]?.changedAt ?? null };
}

export interface MaskingLogEntry {
  version: number;
  /** Null if the server did it. */
  userId: string | null;
  action: "saved" | "applied" | "stopped" | "failed";
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
