import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Deletes every mail to an address from the outbox, sent or not. */
export async function deleteMail(trx: Database, recipient: string): Promise<void> {
  await sql`delete from mail_outbox where recipient = ${recipient}`.execute(trx);
}
