import { sql } from "kysely";
import { mapInSteps } from "../../concurrency/map-in-steps.ts";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { MaskComments } from "../../trace-store/masking/mask-stored-comments.ts";
import { isWebUrl } from "../change-issue.ts";
import { lockIssues } from "../lock-issues.ts";
import { WrittenWords } from "./written-words.ts";

interface Place {
  table: "issues" | "issue_timeline";
  column: string;
  /** Undefined: the column is a text. */
  path?: string;
}

const URLS: readonly Place[] = [
  { table: "issues", column: "external_url" },
  { table: "issues", column: "resolution", path: "{url}" },
  { table: "issue_timeline", column: "details", path: "{url}" },
  { table: "issue_timeline", column: "details", path: "{externalUrl}" },
];
const TEXTS: readonly Place[] = [
  { table: "issues", column: "resolution", path: "{note}" },
  { table: "issue_timeline", column: "details", path: "{note}" },
  { table: "issue_timeline", column: "details", path: "{text}" },
];
const RELEASES: readonly Place[] = [
  { table: "issues", column: "resolution", path: "{release}" },
  { table: "issues", column: "resolution", path: "{before,regression,release}" },
  { table: "issues", column: "regression", path: "{release}" },
  { table: "issues", column: "ignored", path: "{before,regression,release}" },
  { table: "issue_timeline", column: "details", path: "{release}" },
  { table: "issue_timeline", column: "details", path: "{exceptRelease}" },
];

interface Changed {
  text: string;
  masked: string | null;
}

/** Masks what people wrote on issues, and the names of releases, which runs say in tags and metadata. */
export const maskStoredIssues: MaskComments = async (trx, workspaceId, { masking }) => {
  await lockIssues(trx, workspaceId);
  const words = new WrittenWords(masking, { isStored: true });
  const maskAll = async (places: readonly Place[], mask: (text: string) => string | null) => {
    for (const place of places) {
      const texts = await textsAt(trx, workspaceId, place);
      const masked = mapInSteps(texts, (text) => ({ text, masked: mask(text) }));
      const changed = (await runInTimeSlices(masked)).filter((one) => one.masked !== one.text);
      if (changed.length > 0) await replace(trx, workspaceId, place, changed);
    }
  };
  await maskAll(RELEASES, (name) => words.release(name));
  await maskAll(TEXTS, (text) => words.text(text));
  await maskAll(URLS, (url) => {
    const masked = words.text(url);
    return isWebUrl(masked) ? masked : null;
  });
  return undefined;
};

const valueAt = ({ column, path }: Place) =>
  path === undefined ? sql`${sql.ref(column)}` : sql`${sql.ref(column)} #>> ${path}::text[]`;

async function textsAt(trx: Database, workspaceId: WorkspaceId, place: Place): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select distinct ${valueAt(place)} as text from ${sql.table(place.table)}
    where workspace_id = ${workspaceId} and ${valueAt(place)} is not null`.execute(trx);
  return rows.map(({ text }) => text);
}

/** In one statement: the transaction holds the workspace's issues, and each statement looks at all rows of a table. */
async function replace(
  trx: Database,
  workspaceId: WorkspaceId,
  place: Place,
  changed: readonly Changed[],
): Promise<void> {
  const column = sql.ref(place.column);
  const value =
    place.path === undefined
      ? sql`sent.masked`
      : sql`jsonb_set(${column}, ${place.path}::text[], coalesce(to_jsonb(sent.masked), 'null'))`;
  await sql`
    update ${sql.table(place.table)} set ${column} = ${value}
    from json_to_recordset(${JSON.stringify(changed)}::json) as sent (text text, masked text)
    where workspace_id = ${workspaceId} and ${valueAt(place)} = sent.text`.execute(trx);
}
