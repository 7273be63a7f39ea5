import { sql } from "kysely";
import { mapInSteps } from "../../concurrency/map-in-steps.ts";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
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

interface Renamed {
  name: string;
  masked: string;
}

/** Masks the names of releases, which runs say in tags and metadata. An issue has no other text of a run. */
export const maskStoredIssues: MaskComments = async (trx, workspaceId, { masking }) => {
  await lockIssues(trx, workspaceId);
  const masker = new Masker(masking, { isStored: true });
  for (const place of PLACES) {
    const names = await namesAt(trx, workspaceId, place);
    const masked = mapInSteps(names, (name) => ({ name, masked: masker.identifier(name, "tags") }));
    const renamed = (await runInTimeSlices(masked)).filter((one) => one.masked !== one.name);
    if (renamed.length > 0) await rename(trx, workspaceId, place, renamed);
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

/** In one statement: the transaction holds the workspace's issues, and each statement looks at all rows of a table. */
async function rename(
  trx: Database,
  workspaceId: WorkspaceId,
  place: Place,
  renamed: readonly Renamed[],
): Promise<void> {
  const column = sql.ref(place.column);
  await sql`
    update ${sql.table(place.table)} set ${column} = jsonb_set(${column}, ${place.path}::text[], to_jsonb(sent.masked))
    from json_to_recordset(${JSON.stringify(renamed)}::json) as sent (name text, masked text)
    where workspace_id = ${workspaceId} and ${valueAt(place)} = sent.name`.execute(trx);
}
