import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Mail } from "./mail.ts";

/** Adds a mail to the outbox in the transaction of the change it reports, so that both commit or neither does. */
export async function queueMail(trx: Database, mail: Mail): Promise<void> {
  await sql`
    insert into mail_outbox (recipient, subject, text_body, html_body, expires_at)
    values (${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html},
            now() + ${mail.expiresInMinutes} * interval '1 minute')`.execute(trx);
}
