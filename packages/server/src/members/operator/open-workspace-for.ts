import type { Workspace } from "@whytrace/contract";
import { sql } from "kysely";
import { giveWorkspace, type NewOwner } from "../../accounts/give-workspace.ts";
import { OPERATOR } from "../../audit/record-event.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";

/** Creates a workspace whose owner has this address; undefined if nobody has it. No limit applies to the operator. */
export function openWorkspaceFor(
  db: Database,
  email: string,
  { name, freeSessionsPerDay }: { name: string; freeSessionsPerDay: number },
): Promise<Workspace | undefined> {
  return transaction(db, async (trx) => {
    const { rows } = await sql<NewOwner>`
      select id, email, name from users where email = ${email.toLowerCase()}`.execute(trx);
    const [owner] = rows;
    return owner && giveWorkspace(trx, owner, { name, origin: OPERATOR, freeSessionsPerDay });
  });
}
