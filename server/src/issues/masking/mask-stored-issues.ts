import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { Masker } from "../../masking/masker.ts";
import type { MaskComments } from "../../trace-store/masking/mask-stored-comments.ts";
import { lockIssues } from "../lock-issues.ts";

interface Place {
  table: "issues" | "issue_timeline";
  column: string;
  path: string;
}

/** Where issues keep the names of releases. */
const PLACES: readonly Place[] = [
  { table: "issues", column: "resolution", path: "{release}" },
  { table: "issues", column: "resolution", path: "{before,regression,release}" },
  { table: "issues", column: "regression", path: "{release}" },
  { table: "issues", column: "ignored", path: "{before,regression,release}" },
  { table: "issue_timeline", column: "details", path: "{release}" },
  { table: "issue_timeline", column: "details", path: "{exceptRelease}" },
];

/** Masks the names of releases, which runs say in tags and metadata. An issue has no other text of a run. */
export const maskStoredIssues: MaskComments = async (trx, workspaceId, { masking }) => {
  await lockIssues(trx, workspaceId);
  const masker = new Masker(masking, { isStored: true });
  for (const place of PLACES)
    for (const name of await namesAt(trx, workspaceId, place)) {
      const masked = masker.identifier(name, "tags");
      if (masked !== name) await rename(trx, workspaceId, place, name, masked);
    }
  return undefined;
};

const valueAt = ({ column, path }: Place) => sql`${sql.ref(column)} #>> ${path}::text[]`;

async function namesAt(trx: Database, workspaceId: WorkspaceId, place: Place): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct ${valueAt(place)} as name from ${sql.table(place.table)}
    where workspace_id = ${workspaceId} and ${valueAt(place)} is not null`.execute(trx);
  return rows.map(({ name }) => name);
}

async function rename(
  trx: Database,
  workspaceId: WorkspaceId,
  place: Place,
  name: string,
  masked: string,
): Promise<void> {
  const column = sql.ref(place.column);
  await sql`
    update ${sql.table(place.table)} set ${column} = jsonb_set(${column}, ${place.path}::text[], ${JSON.stringify(masked)}::jsonb)
    where workspace_id = ${workspaceId} and ${valueAt(place)} = ${name}`.execute(trx);
}
