import { sql } from "kysely";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { scoreColumns } from "./score-columns.ts";

const ROWS_PER_PAGE = 500;

interface ExportedRow {
  id: string;
  at: string;
  json: string;
}

/** Reads all scores of a workspace as JSON, oldest first, page by page, each in a slot of the workspace. */
async function* readPages(
  reads: FairDatabase,
  workspaceId: WorkspaceId,
  { isFirstContinued, kindName }: { isFirstContinued: boolean; kindName: string },
): AsyncGenerator<string[]> {
  let last: ExportedRow | undefined;
  do {
    const after = last
      ? sql`and (scores.timestamp, scores.id) > (${last.at}::timestamptz, ${last.id})`
      : sql``;
    const { rows } = await reads.run(
      workspaceId,
      (db) =>
        // JSON that was sent may contain line ends, as white space: a line must not.
        sql<ExportedRow>`
          select id, at, translate(json, E'\\n\\r', '  ') as json from (
            select scores.id, scores.timestamp::text as at, scores.timestamp as given_at,
              (select row_to_json(line)::text from (select ${scoreColumns(kindName)}) as line) as json
            from scores where scores.workspace_id = ${workspaceId} ${after}
            order by scores.timestamp, scores.id limit ${ROWS_PER_PAGE}) as page
          order by given_at, id`.execute(db),
      { isContinued: isFirstContinued || last !== undefined },
    );
    yield rows.map(({ json }) => json);
    last = rows.length < ROWS_PER_PAGE ? undefined : rows.at(-1);
  } while (last);
}

/** Yields a workspace's scores as NDJSON, oldest first. */
export async function* exportScores(reads: FairDatabase, workspaceId: WorkspaceId): AsyncGenerator<Buffer[]> {
  for await (const page of readPages(reads, workspaceId, {
    isFirstContinued: false,
    kindName: "kind",
  }))
    yield [Buffer.from(page.map((json) => `${json}\n`).join(""))];
}

/**
 * All scores of a workspace as JSON, with the kind of their value as `valueKind`. Is never refused, so a caller must limit its
 * calls.
 */
export async function* readAllScores(reads: FairDatabase, workspaceId: WorkspaceId): AsyncGenerator<string> {
  for await (const page of readPages(reads, workspaceId, { isFirstContinued: true, kindName: "valueKind" }))
    yield* page;
}
