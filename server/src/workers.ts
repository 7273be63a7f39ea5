import type { FastifyBaseLogger } from "fastify";
import { continueDeletions } from "./account-data/continue-deletions.ts";
import { sweepTokens } from "./accounts/tokens.ts";
import type { CredentialWatch } from "./api-keys/credential-watch.ts";
import { sweepDevices } from "./auth/devices.ts";
import { sweepSessions } from "./auth/sessions.ts";
import { cancelSubscriptions, sweepCancellations } from "./billing/cancellations.ts";
import type { Provider } from "./billing/provider.ts";
import { reconcileDaily } from "./billing/reconcile-daily.ts";
import { sweepBillingEvents } from "./billing/sync-subscription.ts";
import { startWorker, type Worker } from "./concurrency/worker.ts";
import type { Config } from "./config.ts";
import type { Connections } from "./db/connections.ts";
import type { WorkspaceId } from "./db/workspace-id.ts";
import type { Metrics } from "./http/metrics.ts";
import { sweepRateLimits } from "./http/rate-limit.ts";
import { aggregateChangedDays } from "./insights/days/aggregate-changed-days.ts";
import { refreshChangedFindings } from "./insights/findings/stored/refresh-changed-findings.ts";
import type { Live } from "./live/live.ts";
import { deliverMail, sweepMail } from "./mail/deliver-mail.ts";
import type { MailStatus } from "./mail/mail-status.ts";
import type { MailTransport } from "./mail/transport.ts";
import { LateDerivations } from "./otlp/derive/late-derivations.ts";
import { expireTraces } from "./retention/expire-traces.ts";
import { sweepShares } from "./shares/revoke-share.ts";
import {
  backfillDecisionFacts,
  countWithoutDecisionFacts,
} from "./trace-store/maintain/backfill-decision-facts.ts";
import { sweepPendingParts } from "./trace-store/merge/store-pending-parts.ts";
import { continueOutcomeJobs } from "./trace-store/outcomes/outcome-jobs.ts";
import { sweepWaitingScores, WaitingScores } from "./trace-store/scores/waiting-scores.ts";
import { TraceStore } from "./trace-store/store/store-traces.ts";

const MAIL_PAUSE_MS = 1_000;
const CANCELLATION_PAUSE_MS = 5_000;
const CREDENTIAL_PAUSE_MS = 2_000;
const RECONCILIATION_PAUSE_MS = 600_000;
const DELETION_PAUSE_MS = 5_000;
const RETENTION_PAUSE_MS = 600_000;
const FACTS_PAUSE_MS = 60_000;
const SWEEP_PAUSE_MS = 60_000;
const OUTCOMES_PAUSE_MS = 1_000;
const WAITING_SCORES_PAUSE_MS = 1_000;
const DERIVATION_PAUSE_MS = 1_000;
const DECISION_DAYS_PAUSE_MS = 600_000;
const FINDINGS_PAUSE_MS = 600_000;

export interface WorkerOptions {
  connections: Connections;
  live: Live;
  credentials: CredentialWatch;
  log: FastifyBaseLogger;
  metrics: Metrics;
  provider: Provider | undefined;
  transport: MailTransport | undefined;
  mailStatus: MailStatus;
  config: Config;
  /** Derives a large trace in another thread. */
  deriveLarge(workspaceId: WorkspaceId, traceId: string): Promise<void>;
}

/** Starts the background workers. Every process runs all of them; workers claim due rows in the database. */
export function startWorkers({
  connections,
  live,
  credentials,
  log,
  metrics,
  provider,
  transport,
  mailStatus: status,
  config: { freeSessionsPerDay, publicUrl, retention: limits },
  deriveLarge,
}: WorkerOptions): Worker[] {
  const { background: db, workers: pool } = connections;
  const store = new TraceStore({ connections, publicUrl, live });
  const derivations = new LateDerivations({ db, store, deriveLarge, log });
  const waitingScores = new WaitingScores({ db, live });
  // Unknown until they are counted.
  let tracesWithoutFacts = Number.NaN;
  metrics.gauge(
    "traces_without_facts",
    "Traces of an older version that insights do not count yet; 100000 also stands for more",
    () => tracesWithoutFacts,
  );
  const filledFacts = metrics.counter(
    "facts_filled_total",
    "Traces of an older version that this process made insights count",
  );
  const expired = metrics.counter(
    "traces_expired_total",
    "Traces that this process deleted because they were kept as long as they should be",
  );
  const workers = [
    startWorker("sweep", SWEEP_PAUSE_MS, log, async () => {
      await sweepRateLimits(db);
      await sweepSessions(db);
      await sweepDevices(db);
      await sweepTokens(db);
      await sweepMail(db, log);
      await sweepBillingEvents(db);
      await sweepCancellations(db);
      await sweepPendingParts(db);
      await sweepShares(db);
      await sweepWaitingScores(db);
    }),
    startWorker("outcomes", OUTCOMES_PAUSE_MS, log, (stopping) =>
      continueOutcomeJobs({ db, live, stopping }),
    ),
    startWorker("waiting-scores", WAITING_SCORES_PAUSE_MS, log, (stopping) => waitingScores.run(stopping)),
    startWorker("derivations", DERIVATION_PAUSE_MS, log, (stopping) => derivations.run(stopping)),
    startWorker("credentials", CREDENTIAL_PAUSE_MS, log, () => credentials.check()),
    startWorker("deletions", DELETION_PAUSE_MS, log, (stopping) => continueDeletions({ db, log, stopping })),
    startWorker("retention", RETENTION_PAUSE_MS, log, (stopping) =>
      expireTraces({ db, live, limits, log, stopping, onDeleted: (count) => expired.inc(count) }),
    ),
    startWorker("decision-days", DECISION_DAYS_PAUSE_MS, log, (stopping) =>
      aggregateChangedDays({ db, pool, stopping }),
    ),
    startWorker("findings", FINDINGS_PAUSE_MS, log, (stopping) =>
      refreshChangedFindings({ db, pool, log, stopping }),
    ),
    startWorker("facts-count", FACTS_PAUSE_MS, log, async () => {
      tracesWithoutFacts = await countWithoutDecisionFacts(db);
    }),
    startWorker("facts", FACTS_PAUSE_MS, log, (stopping) =>
      backfillDecisionFacts({
        db,
        pool,
        log,
        stopping,
        onFilled: (traceCount) => filledFacts.inc(traceCount),
      }),
    ),
  ];
  if (transport) {
    const counters = {
      sent: metrics.counter("mails_sent_total", "Mails accepted by the mail server"),
      failed: metrics.counter("mails_failed_total", "Failed attempts to send a mail"),
    };
    metrics.gauge("mail_failing", "1 if the mail server does not accept mail from this server", () =>
      Number(status.isFailing),
    );
    const deliver = (stopping: AbortSignal) =>
      deliverMail({ db, transport, log, counters, status, stopping });
    workers.push(startWorker("mail", MAIL_PAUSE_MS, log, deliver));
  } else log.warn("SMTP_URL is not set: mails stay in the outbox and are not sent");
  if (provider)
    workers.push(
      startWorker("cancellations", CANCELLATION_PAUSE_MS, log, () => cancelSubscriptions(db, provider, log)),
      startWorker("reconciliation", RECONCILIATION_PAUSE_MS, log, (stopping) =>
        reconcileDaily({ db, provider, freeSessionsPerDay, stopping }),
      ),
    );
  return workers;
}
