import { sql } from "kysely";
import type { Database } from "../db/database.ts";

/** Deletes the record of what members were told a week ago, and links to end mails after 90 days. */
export async function sweepNotices(db: Database): Promise<void> {
  await sql`
    delete from member_notices where state <> 'held' and created_at < now() - interval '7 days'`.execute(db);
  await sql`delete from unsubscribe_tokens where created_at < now() - interval '90 days'`.execute(db);
}
