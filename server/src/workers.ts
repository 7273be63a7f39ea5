import type { FastifyBaseLogger } from "fastify";
import { finishDeletions } from "./account-data/delete-account.ts";
import { sweepTokens } from "./accounts/tokens.ts";
import { sweepSessions } from "./auth/sessions.ts";
import { cancelSubscriptions } from "./billing/cancellations.ts";
import type { Provider } from "./billing/provider.ts";
import { sweepBillingEvents } from "./billing/sync-subscription.ts";
import { startWorker, type Worker } from "./concurrency/worker.ts";
import type { Database } from "./db/database.ts";
import type { Metrics } from "./http/metrics.ts";
import { sweepRateLimits } from "./http/rate-limit.ts";
import { deliverMail, sweepMail } from "./mail/deliver-mail.ts";
import type { MailTransport } from "./mail/transport.ts";

const MAIL_PAUSE_MS = 1_000;
const CANCELLATION_PAUSE_MS = 5_000;
const SWEEP_PAUSE_MS = 60_000;

export interface WorkerOptions {
  db: Database;
  log: FastifyBaseLogger;
  metrics: Metrics;
  provider: Provider | undefined;
  transport: MailTransport | undefined;
}

/** Starts the background workers. Every process runs all of them; workers claim due rows in the database. */
export function startWorkers({ db, log, metrics, provider, transport }: WorkerOptions): Worker[] {
  const workers = [
    startWorker("sweep", SWEEP_PAUSE_MS, log, async () => {
      await sweepRateLimits(db);
      await sweepSessions(db);
      await sweepTokens(db);
      await sweepMail(db, log);
      await sweepBillingEvents(db);
      await finishDeletions(db);
    }),
  ];
  if (transport) {
    const counters = {
      sent: metrics.counter("mails_sent_total", "Mails accepted by the mail server"),
      failed: metrics.counter("mails_failed_total", "Failed attempts to send a mail"),
    };
    const deliver = (stopping: AbortSignal) => deliverMail({ db, transport, log, counters, stopping });
    workers.push(startWorker("mail", MAIL_PAUSE_MS, log, deliver));
  } else log.warn("SMTP_URL is not set: mails stay in the outbox and are not sent");
  if (provider)
    workers.push(
      startWorker("cancellations", CANCELLATION_PAUSE_MS, log, () => cancelSubscriptions(db, provider, log)),
    );
  return workers;
}
