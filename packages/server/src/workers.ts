import type { FastifyBaseLogger } from "fastify";
import { continueDeletions } from "./account-data/continue-deletions.ts";
import { sweepCliCodes } from "./accounts/cli/cli-codes.ts";
import { sweepTokens } from "./accounts/tokens.ts";
import { checkAlerts } from "./alerts/check-alerts.ts";
import { sweepIncidents } from "./alerts/sweep-incidents.ts";
import type { CredentialWatch } from "./api-keys/credential-watch.ts";
import { sweepEvents } from "./audit/sweep-events.ts";
import { sweepDevices } from "./auth/devices.ts";
import { sweepSessions } from "./auth/sessions.ts";
import { cancelSubscriptions, sweepCancellations } from "./billing/cancellations.ts";
import type { Provider } from "./billing/provider.ts";
import { reconcileDaily } from "./billing/reconcile-daily.ts";
import { sweepBillingEvents } from "./billing/sync-subscription.ts";
import { startSender } from "./channels/sending/start-sender.ts";
import { sweepDeliveries } from "./channels/sweep-deliveries.ts";
import { startWorker, type Worker } from "./concurrency/worker.ts";
import type { Config } from "./config.ts";
import type { Connections } from "./db/connections.ts";
import type { Database } from "./db/database.ts";
import type { WorkspaceId } from "./db/workspace-id.ts";
import type { Metrics } from "./http/metrics.ts";
import { sweepRateLimits } from "./http/rate-limit.ts";
import { RunLearner } from "./insights/blame/run-learner.ts";
import { aggregateChangedDays } from "./insights/days/aggregate-changed-days.ts";
import { DaysReader } from "./insights/days/days-reader.ts";
import { poolConnections } from "./insights/findings/stored/findings-connections.ts";
import { refreshChangedFindings } from "./insights/findings/stored/refresh-changed-findings.ts";
import { countIssues } from "./issues/counting/count-issues.ts";
import { IssuesLag } from "./issues/counting/issues-lag.ts";
import { describeIssueNotice } from "./issues/events/describe-issue-notice.ts";
import { unassignLeavers } from "./issues/leaving/unassign-leavers.ts";
import { refreshLikely } from "./issues/likely/refresh-likely.ts";
import { maskStoredIssues } from "./issues/masking/mask-stored-issues.ts";
import type { Live } from "./live/live.ts";
import { deliverMail, sweepMail } from "./mail/deliver-mail.ts";
import type { MailStatus } from "./mail/mail-status.ts";
import type { MailTransport } from "./mail/transport.ts";
import { type MaskingFailure, MaskingTally } from "./masking/masking-tally.ts";
import { Maskings } from "./masking/maskings.ts";
import { recheckDomains } from "./members/domains/recheck-domains.ts";
import { sweepInvitations } from "./members/end-invitations.ts";
import { describeAlertNotice } from "./notifications/describe-alert-notice.ts";
import { sendDigests } from "./notifications/send-digests.ts";
import { type DescribedNotice, sendNotices } from "./notifications/send-notices.ts";
import { sweepNotices } from "./notifications/sweep-notices.ts";
import { sweepFlows } from "./oidc/flows.ts";
import { SPAN_FACTS_CODEC } from "./otlp/derive/facts-codec.ts";
import { LateDerivations } from "./otlp/derive/late-derivations.ts";
import { expireTraces } from "./retention/expire-traces.ts";
import { sweepChallenges } from "./second-factor/passkeys/challenges.ts";
import { sweepSteps } from "./second-factor/sign-in-steps.ts";
import { sweepShares } from "./shares/revoke-share.ts";
import {
  backfillDecisionFacts,
  countWithoutDecisionFacts,
} from "./trace-store/maintain/backfill-decision-facts.ts";
import { currentMasking } from "./trace-store/masking/current-masking.ts";
import { continueMaskingJobs } from "./trace-store/masking/masking-jobs.ts";
import { sweepPendingParts } from "./trace-store/merge/store-pending-parts.ts";
import { continueOutcomeJobs } from "./trace-store/outcomes/outcome-jobs.ts";
import { sweepReleases } from "./trace-store/problems/sweep-releases.ts";
import { sweepWaitingScores, WaitingScores } from "./trace-store/scores/waiting-scores.ts";
import { TraceStore } from "./trace-store/store/store-traces.ts";
import { PAUSES_MS } from "./worker-pauses.ts";

/** For one text that is stored already. A trace in which own patterns take longer is left out. */
const MAX_PATTERN_MS = 250;

/** Delete rows that nobody needs any more. */
const SWEEPS: ((db: Database, log: FastifyBaseLogger) => Promise<unknown>)[] = [
  sweepRateLimits,
  sweepSessions,
  sweepDevices,
  sweepTokens,
  sweepCliCodes,
  sweepSteps,
  sweepChallenges,
  sweepFlows,
  sweepMail,
  sweepBillingEvents,
  sweepCancellations,
  sweepPendingParts,
  sweepShares,
  sweepWaitingScores,
  sweepDeliveries,
  sweepIncidents,
  sweepNotices,
  sweepReleases,
  sweepInvitations,
];

interface WorkerOptions {
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
  /** Called with a stored value that could not be checked when rules were applied to it. */
  onMaskingFailure(failure: MaskingFailure): void;
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
  config,
  deriveLarge,
  onMaskingFailure,
}: WorkerOptions): Worker[] {
  const {
    freeSessionsPerDay,
    publicUrl,
    retention: limits,
    masking,
    alertTickMs: tickMs,
    notifyBurst,
  } = config;
  const { background: db, workers: pool } = connections;
  const maskings = new Maskings(db, masking, currentMasking, {
    tally: new MaskingTally(onMaskingFailure),
    maxPatternMsPerText: MAX_PATTERN_MS,
  });
  const store = new TraceStore({ connections, publicUrl, live, maskings });
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
  const countedProblems = metrics.counter(
    "issues_counted_total",
    "Problems of runs that this process counted in issues",
  );
  const checkedRules = metrics.counter("alert_checks_total", "Alert rules that this process checked");
  const maskedTraces = metrics.counter(
    "masking_applied_total",
    "Stored traces in which this process masked something, because rules were applied to them",
  );
  let maskingJobs = 0;
  metrics.gauge(
    "masking_jobs",
    "Workspaces whose rules are being applied to stored traces, in all processes",
    () => maskingJobs,
  );
  const { reads } = connections;
  const days = new DaysReader(reads);
  const lag = new IssuesLag();
  metrics.gauge(
    "issues_lag_seconds",
    "For how long bad runs have not been counted in issues, in the workspace that has waited the longest",
    () => lag.seconds,
  );
  const issuesChanged = (workspaceId: WorkspaceId) => live.issuesChanged(workspaceId);
  // Not that of requests: a worker takes no slot of a workspace.
  const learner = new RunLearner(poolConnections(pool));
  const workers = [
    startWorker("sweep", PAUSES_MS.sweep, log, async () => {
      // One that fails must not keep the others from running.
      for (const sweep of SWEEPS)
        await sweep(db, log).catch((error: unknown) =>
          log.error({ err: error, sweep: sweep.name }, "old rows were not deleted"),
        );
    }),
    startWorker("audit", PAUSES_MS.audit, log, async () => {
      if (config.auditRetentionDays !== null) await sweepEvents(db, config.auditRetentionDays);
    }),
    startWorker("domains", PAUSES_MS.domains, log, (stopping) =>
      recheckDomains({ db, dnsServers: config.dnsServers, publicUrl, stopping }),
    ),
    startWorker("outcomes", PAUSES_MS.outcomes, log, (stopping) =>
      continueOutcomeJobs({ db, live, stopping }),
    ),
    startWorker("masking", PAUSES_MS.masking, log, (stopping) =>
      continueMaskingJobs({
        db,
        live,
        maskings,
        codec: SPAN_FACTS_CODEC,
        laterPhases: [["issues", maskStoredIssues]],
        log,
        stopping,
        onMasked: (traceCount) => maskedTraces.inc(traceCount),
        onJobs: (count) => {
          maskingJobs = count;
        },
      }),
    ),
    startWorker("issues", PAUSES_MS.issues, log, (stopping) =>
      countIssues({
        db,
        lag,
        stopping,
        onCounted: (rows) => countedProblems.inc(rows),
        onChanged: issuesChanged,
      }),
    ),
    startWorker("alerts", Math.min(PAUSES_MS.alerts, tickMs / 4), log, (stopping) =>
      checkAlerts({ db, tickMs, days, reads, stopping, onChecked: () => checkedRules.inc() }),
    ),
    startWorker("likely", PAUSES_MS.likely, log, (stopping) =>
      refreshLikely({ db, learner, stopping, onChanged: issuesChanged }),
    ),
    startWorker("leavers", PAUSES_MS.leavers, log, () => unassignLeavers(db)),
    startWorker("notices", PAUSES_MS.notices, log, async (stopping) => {
      const options = {
        db,
        publicUrl,
        burst: notifyBurst,
        describe: async (own: Database, workspaceId: WorkspaceId, notice: DescribedNotice) =>
          describeAlertNotice(notice) ?? (await describeIssueNotice(own, workspaceId, notice)),
        hasMailServer: transport !== undefined,
        stopping,
      };
      await sendNotices(options);
      await sendDigests(options);
    }),
    startWorker("waiting-scores", PAUSES_MS.waitingScores, log, (stopping) => waitingScores.run(stopping)),
    startWorker("derivations", PAUSES_MS.derivations, log, (stopping) => derivations.run(stopping)),
    startWorker("credentials", PAUSES_MS.credentials, log, () => credentials.check()),
    startWorker("deletions", PAUSES_MS.deletions, log, (stopping) =>
      continueDeletions({ db, log, stopping }),
    ),
    startWorker("retention", PAUSES_MS.retention, log, (stopping) =>
      expireTraces({ db, live, limits, log, stopping, onDeleted: (count) => expired.inc(count) }),
    ),
    startWorker("decision-days", PAUSES_MS.decisionDays, log, (stopping) =>
      aggregateChangedDays({ db, pool, stopping }),
    ),
    startWorker("findings", PAUSES_MS.findings, log, (stopping) =>
      refreshChangedFindings({ db, pool, log, stopping }),
    ),
    startWorker("facts-count", PAUSES_MS.facts, log, async () => {
      tracesWithoutFacts = await countWithoutDecisionFacts(db);
    }),
    startWorker("facts", PAUSES_MS.facts, log, (stopping) =>
      backfillDecisionFacts({
        db,
        pool,
        log,
        stopping,
        onFilled: (traceCount) => filledFacts.inc(traceCount),
      }),
    ),
  ];
  if (config.webhooks.isOn) workers.push(startSender({ db, config, log, metrics }));
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
    workers.push(startWorker("mail", PAUSES_MS.mail, log, deliver));
  } else log.warn("SMTP_URL is not set: mails stay in the outbox and are not sent");
  if (provider)
    workers.push(
      startWorker("cancellations", PAUSES_MS.cancellations, log, () =>
        cancelSubscriptions(db, provider, log),
      ),
      startWorker("reconciliation", PAUSES_MS.reconciliation, log, (stopping) =>
        reconcileDaily({ db, provider, freeSessionsPerDay, stopping }),
      ),
    );
  return workers;
}
