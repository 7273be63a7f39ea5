import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Forgets every mail to an address, sent or not. */
export async function dropMail(trx: Database, recipient: string): Promise<void> {
  await sql`delete from mail_outbox where recipient = ${recipient}`.execute(trx);
}
