import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { Mail } from "./mail.ts";

/** Adds a mail to the outbox in the transaction of the change it reports, so that both commit or neither does. */
export async function queueMail(trx: Database, mail: Mail): Promise<void> {
  const { id = randomUUID(), headers } = mail;
  await sql`
    insert into mail_outbox (id, recipient, subject, text_body, html_body, headers, expires_at)
    values (${id}, ${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html},
            ${headers ? JSON.stringify(headers) : null}::jsonb, now() + ${mail.expiresInMinutes} * interval '1 minute')
    on conflict (id) do nothing`.execute(trx);
}
