import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { composeMail } from "../../mail/compose-mail.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { listOwners } from "../../workspaces/list-owners.ts";
import { readWorkspaceAddress } from "../../workspaces/workspace-address.ts";
import { findRecord } from "./find-record.ts";

const PAUSE_DAYS = 7;
const MAX_MISSES = 3;
const CHUNK = 20;
const MAIL_EXPIRES_IN_MINUTES = 3 * 24 * 60;

interface RecheckOptions {
  db: Database;
  dnsServers: readonly string[];
  publicUrl: string;
  stopping: AbortSignal;
}

interface Due {
  id: string;
  workspaceId: WorkspaceId;
  domain: string;
  token: string;
}

/** Domains change hands: looks for each record again every 7 days. After three misses nobody joins by the domain any more. */
export async function recheckDomains(options: RecheckOptions): Promise<void> {
  for (let due: Due[] = []; !options.stopping.aborted; ) {
    due = await claimDue(options.db);
    for (const domain of due) {
      if (await findRecord(domain, options.dnsServers))
        await sql`update workspace_domains set misses = 0 where id = ${domain.id}`.execute(options.db);
      else await countMiss(options, domain);
    }
    if (due.length < CHUNK) return;
  }
}

/** Each domain is claimed by one server, which does not hold a lock while it asks name servers. */
async function claimDue(db: Database): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update workspace_domains set checked_at = now()
    where id in (
      select id from workspace_domains
      where verified_at is not null and checked_at < now() - ${PAUSE_DAYS} * interval '1 day'
      order by checked_at limit ${CHUNK} for update skip locked)
    returning id, workspace_id, domain, token`.execute(db);
  return rows;
}

async function countMiss({ db, publicUrl }: RecheckOptions, { id, workspaceId, domain }: Due): Promise<void> {
  await transaction(db, async (trx) => {
    const { rows } = await sql<{ hasEnded: boolean }>`
      update workspace_domains set misses = misses + 1,
        verified_at = case when misses + 1 >= ${MAX_MISSES} then null else verified_at end
      where id = ${id} and verified_at is not null returning verified_at is null as has_ended`.execute(trx);
    if (!rows[0]?.hasEnded) return;
    const { url } = await readWorkspaceAddress(trx, workspaceId, publicUrl);
    for (const { email, isEmailVerified } of await listOwners(trx, workspaceId))
      if (isEmailVerified)
        await queueMail(
          trx,
          composeMail({
            recipient: email,
            subject: `Nobody can join your workspace by ${domain} any more`,
            paragraphs: [
              `The record that proves that ${domain} is yours was missing three times, so people with an address of this domain can no longer join your workspace by themselves. Members stay.`,
              "If the domain is still yours, add the record again and check the domain in the settings of the workspace.",
            ],
            action: { label: "Open Whytrace", url },
            footnote: "You get this mail because you own the workspace.",
            expiresInMinutes: MAIL_EXPIRES_IN_MINUTES,
          }),
        );
  });
}
