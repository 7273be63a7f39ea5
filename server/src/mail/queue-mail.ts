import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Mail } from "./mail.ts";

/** Puts a mail into the outbox, in the transaction of whatever it tells about: both happen or neither does. */
export async function queueMail(trx: Database, mail: Mail): Promise<void> {
  await sql`
    insert into mail_outbox (recipient, subject, text_body, html_body, expires_at)
    values (${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html},
            now() + ${mail.usefulForMinutes} * interval '1 minute')`.execute(trx);
}
