import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Counter } from "prom-client";
import type { Database } from "../db/database.ts";
import { causeOf, describeFailure } from "./delivery-failure.ts";
import type { MailStatus } from "./mail-status.ts";
import { messageIdOf } from "./message-id.ts";
import { MAX_CONNECTIONS, type MailTransport, type OutgoingMail, SEND_TIMEOUT_MS } from "./transport.ts";

const LEASE_SECONDS = (SEND_TIMEOUT_MS * 3) / 1_000;
const MAX_RETRY_DELAY_SECONDS = 30;
/** Longer if the server answered with a permanent error: repeated failed sign-ins could lock the account. */
const MAX_REJECTED_DELAY_SECONDS = 300;

interface DeliveryOptions {
  db: Database;
  transport: MailTransport;
  log: FastifyBaseLogger;
  counters: { sent: Counter; failed: Counter };
  status: MailStatus;
}

interface LeasedMail {
  id: string;
  recipient: string;
  subject: string;
  textBody: string;
  htmlBody: string;
  headers: Record<string, string> | null;
  attempts: number;
}

/**
 * Sends the mails that are due. States of a mail: queued → leased (next_attempt_at lies in the future, so that no
 * other process takes it) → sent, with its body erased; or queued again with exponential backoff; or deleted if the
 * server permanently rejects the recipient. Delivery is at least once: if this process dies after the mail server accepted a mail, the mail
 * is sent again with the same Message-ID, which lets mail clients show it once.
 */
export async function deliverMail({
  stopping,
  ...options
}: DeliveryOptions & { stopping: AbortSignal }): Promise<void> {
  let mails: LeasedMail[];
  do {
    mails = await leaseDueMails(options.db);
    const outcomes = await Promise.allSettled(mails.map((mail) => deliver(options, mail)));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure) throw failure.reason;
  } while (mails.length === MAX_CONNECTIONS && !stopping.aborted);
}

async function leaseDueMails(db: Database): Promise<LeasedMail[]> {
  const { rows } = await sql<LeasedMail>`
    update mail_outbox
    set attempts = attempts + 1, next_attempt_at = now() + ${LEASE_SECONDS} * interval '1 second'
    where id in (
      select id from mail_outbox
      where sent_at is null and next_attempt_at <= now() and expires_at > now()
      order by next_attempt_at limit ${MAX_CONNECTIONS}
      for update skip locked)
    returning id, recipient, subject, text_body, html_body, headers, attempts`.execute(db);
  return rows;
}

async function deliver(options: DeliveryOptions, mail: LeasedMail): Promise<void> {
  const { db, transport, counters, status } = options;
  try {
    await transport.send(toOutgoing(mail));
  } catch (error) {
    counters.failed.inc();
    return recordFailure(options, mail, error);
  }
  counters.sent.inc();
  status.isFailing = false;
  await sql`
    update mail_outbox set sent_at = now(), text_body = null, html_body = null, headers = null
    where id = ${mail.id}`.execute(db);
}

async function recordFailure({ db, log, status }: DeliveryOptions, mail: LeasedMail, error: unknown) {
  const cause = causeOf(error);
  const { code, command, responseCode } = describeFailure(error);
  const fields = { mailId: mail.id, code, command, responseCode, attempts: mail.attempts };
  status.isFailing = cause === "sender";
  if (cause === "recipient") {
    log.error(fields, "recipient rejected by the mail server; mail deleted");
    await sql`delete from mail_outbox where id = ${mail.id}`.execute(db);
    return;
  }
  if (cause === "sender")
    log.error(
      fields,
      "the mail server accepts no mail from this server; check SMTP_URL and MAIL_FROM; will retry",
    );
  else log.warn(fields, "mail not sent; will retry");
  const maxDelaySeconds = responseCode >= 500 ? MAX_REJECTED_DELAY_SECONDS : MAX_RETRY_DELAY_SECONDS;
  const delaySeconds = Math.min(2 ** mail.attempts, maxDelaySeconds) * (0.75 + Math.random() / 4);
  await sql`
    update mail_outbox set next_attempt_at = now() + ${delaySeconds} * interval '1 second'
    where id = ${mail.id}`.execute(db);
}

const toOutgoing = ({ id, recipient, subject, textBody, htmlBody, headers }: LeasedMail): OutgoingMail => ({
  messageId: messageIdOf(id),
  to: recipient,
  subject,
  text: textBody,
  html: htmlBody,
  headers: headers ?? {},
});

/** Deletes unsent mails that have expired, and the records of mails sent more than a week ago. */
export async function sweepMail(db: Database, log: FastifyBaseLogger): Promise<void> {
  const { rows } = await sql<{ isUnsent: boolean }>`
    delete from mail_outbox
    where (sent_at is null and expires_at <= now()) or sent_at < now() - interval '7 days'
    returning sent_at is null as is_unsent`.execute(db);
  const unsent = rows.filter((row) => row.isUnsent).length;
  if (unsent > 0) log.warn({ count: unsent }, "expired mails deleted without being sent");
}
