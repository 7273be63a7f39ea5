import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { lockMember } from "./lock-workspace.ts";
import type { MemberSession } from "./member-session.ts";

export async function renameWorkspace(
  db: Database,
  { workspaceId, user }: MemberSession,
  name: string,
  origin: Origin,
): Promise<void> {
  await transaction(db, async (trx) => {
    await lockMember(trx, { workspaceId, userId: user.id, needed: "admin" });
    const { rows } = await sql<{ from: string }>`
      with before as (select id, name from workspaces where id = ${workspaceId})
      update workspaces set name = ${name} from before where workspaces.id = before.id
      returning before.name as from`.execute(trx);
    const from = rows[0]?.from;
    if (from !== name)
      await recordEvent(trx, workspaceId, origin, {
        action: "workspace.renamed",
        details: { from, to: name },
      });
  });
}
