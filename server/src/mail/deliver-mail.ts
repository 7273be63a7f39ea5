import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Counter } from "prom-client";
import type { Database } from "../db/database.ts";
import { CONNECTIONS, type MailTransport, type OutgoingMail, SEND_TIMEOUT_MS } from "./transport.ts";

const LEASE_SECONDS = (SEND_TIMEOUT_MS * 3) / 1_000;
const LONGEST_WAIT_SECONDS = 30;

export interface Sending {
  db: Database;
  transport: MailTransport;
  log: FastifyBaseLogger;
  counters: { sent: Counter; failed: Counter };
}

interface LeasedMail {
  id: string;
  recipient: string;
  subject: string;
  textBody: string;
  htmlBody: string;
  attempts: number;
}

/**
 * Sends what is due. A mail's life: queued → leased (its next attempt is put off, so that no other process takes
 * it meanwhile) → sent, its body erased; or back to queued with a growing wait; or refused for good by the
 * receiver and dropped. Should this process die between the server's yes and ours, the mail goes out a second
 * time under the same Message-ID, by which mail programs show it once.
 */
export async function deliverMail({
  stopping,
  ...sending
}: Sending & { stopping: AbortSignal }): Promise<void> {
  let mails: LeasedMail[];
  do {
    mails = await leaseDueMails(sending.db);
    const outcomes = await Promise.allSettled(mails.map((mail) => deliver(sending, mail)));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure) throw failure.reason;
  } while (mails.length === CONNECTIONS && !stopping.aborted);
}

async function leaseDueMails(db: Database): Promise<LeasedMail[]> {
  const { rows } = await sql<LeasedMail>`
    update mail_outbox
    set attempts = attempts + 1, next_attempt_at = now() + ${LEASE_SECONDS} * interval '1 second'
    where id in (
      select id from mail_outbox
      where sent_at is null and next_attempt_at <= now() and expires_at > now()
      order by next_attempt_at limit ${CONNECTIONS}
      for update skip locked)
    returning id, recipient, subject, text_body, html_body, attempts`.execute(db);
  return rows;
}

async function deliver({ db, transport, log, counters }: Sending, mail: LeasedMail): Promise<void> {
  try {
    await transport.send(toOutgoing(mail));
  } catch (error) {
    counters.failed.inc();
    if (isRefusedForGood(error)) {
      log.error({ mailId: mail.id, code: codeOf(error) }, "mail refused by the receiving server; dropped");
      await sql`delete from mail_outbox where id = ${mail.id}`.execute(db);
    } else {
      log.warn(
        { mailId: mail.id, code: codeOf(error), attempts: mail.attempts },
        "mail not sent; will be tried again",
      );
      const waitSeconds = Math.min(2 ** mail.attempts, LONGEST_WAIT_SECONDS) * (0.75 + Math.random() / 4);
      await sql`
        update mail_outbox set next_attempt_at = now() + ${waitSeconds} * interval '1 second'
        where id = ${mail.id}`.execute(db);
    }
    return;
  }
  counters.sent.inc();
  await sql`
    update mail_outbox set sent_at = now(), text_body = null, html_body = null
    where id = ${mail.id}`.execute(db);
}

const toOutgoing = ({ id, recipient, subject, textBody, htmlBody }: LeasedMail): OutgoingMail => ({
  messageId: `<${id}@whytrace>`,
  to: recipient,
  subject,
  text: textBody,
  html: htmlBody,
});

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error ? String(error.code) : "unknown";

/** The receiver does not exist (5xx to the envelope); a wrong password or a server that is down may be mended. */
function isRefusedForGood(error: unknown): boolean {
  if (codeOf(error) !== "EENVELOPE") return false;
  return error instanceof Error && "responseCode" in error && Number(error.responseCode) >= 500;
}

/** Drops what can no longer be of use, and the traces of what was sent a week ago. */
export async function sweepMail(db: Database, log: FastifyBaseLogger): Promise<void> {
  const { rows } = await sql<{ isUnsent: boolean }>`
    delete from mail_outbox
    where (sent_at is null and expires_at <= now()) or sent_at < now() - interval '7 days'
    returning sent_at is null as is_unsent`.execute(db);
  const unsent = rows.filter((row) => row.isUnsent).length;
  if (unsent > 0) log.warn({ count: unsent }, "mails dropped unsent: they had expired");
}
