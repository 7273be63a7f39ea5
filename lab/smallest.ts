/*
 * Every script of the lab at its smallest size, as the nightly run starts it: it shows that the script still runs to its end.
 * A test compares this list with the folder.
 */

export interface SmallestRun {
  script: string;
  args?: string[];
  /**
   * At this size, or beside other work, its verdict is noise: it measures time, or a share of few. It must run to its end; without
   * this it must pass.
   */
  isMeasurement?: boolean;
  /** Calls `pg_dump`, which must not be older than the server. */
  needsInstalledPostgres?: boolean;
}

/** The cheapest first. */
export const SMALLEST_RUNS: SmallestRun[] = [
  { script: "lab/trials/judge-agreement.ts", args: ["--trials", "10"], isMeasurement: true },
  { script: "lab/trials/masking/precision.ts", args: ["--texts", "1000"] },
  { script: "lab/trials/masking/labelled.ts" },
  { script: "lab/trials/why/why-statistics.ts", args: ["--worlds", "20"], isMeasurement: true },
  { script: "lab/trials/why/why-sessions.ts", args: ["--worlds", "10"], isMeasurement: true },
  {
    script: "lab/trials/why/why-experiment.ts",
    args: ["--worlds", "4", "--runs", "500"],
    isMeasurement: true,
  },
  {
    script: "lab/trials/why/why-sampling.ts",
    args: ["--worlds", "chance", "--runs", "500", "--agents", "1"],
    isMeasurement: true,
  },
  {
    script: "lab/trials/why/why-method.ts",
    args: ["--worlds", "chance", "--runs", "100", "--agents", "1", "--blamed", "1"],
    isMeasurement: true,
  },
  {
    script: "lab/trials/why/why-looks.ts",
    args: ["--worlds", "chance", "--agents", "1", "--days", "5"],
    isMeasurement: true,
  },
  { script: "lab/trials/why/why-costs.ts", args: ["--runs", "30", "--agents", "1"], isMeasurement: true },
  {
    script: "lab/trials/issues/alerts-false-alarms.ts",
    args: ["--agents", "1", "--rises", "2", "--releases", "20"],
    isMeasurement: true,
  },
  { script: "lab/trials/blame.ts", args: ["--agents", "1"], isMeasurement: true },
  { script: "lab/trials/sdk/sdk-interleavings.ts", args: ["100"] },
  {
    script: "lab/trials/otlp/hostile-otlp.ts",
    args: ["--mutations", "2000", "--requests", "50"],
    isMeasurement: true,
  },
  { script: "lab/trials/parallel-limit.ts" },
  { script: "lab/trials/crossing-batches.ts", args: ["20"] },
  { script: "lab/trials/accounts/membership-races.ts", args: ["2"] },
  { script: "lab/trials/accounts/guard-cost.ts", args: ["20"], isMeasurement: true },
  { script: "lab/trials/address-timing.ts", args: ["20"], isMeasurement: true },
  {
    script: "lab/trials/why/release-pairs.ts",
    args: ["--sessions", "30", "--alike", "20"],
    isMeasurement: true,
  },
  { script: "lab/trials/why/why-silence.ts", args: ["--runs", "60", "--agents", "1"], isMeasurement: true },
  {
    script: "lab/trials/why/why-worlds.ts",
    args: ["--worlds", "chance", "--runs", "30", "--agents", "1", "--blamed", "1"],
    isMeasurement: true,
  },
  { script: "lab/trials/otlp/import.ts", args: ["--traces", "10"] },
  { script: "lab/trials/otlp/otlp-shuffles.ts", args: ["10"] },
  { script: "lab/trials/otlp/otlp-large-trace.ts", args: ["200"], isMeasurement: true },
  { script: "lab/trials/otlp/otlp-killed.ts", args: ["2"] },
  { script: "lab/trials/killed/server-killed.ts", args: ["2"] },
  { script: "lab/trials/killed/database-killed.ts", args: ["1"], isMeasurement: true },
  { script: "lab/trials/killed/database-killed-ingest.ts", args: ["2"], isMeasurement: true },
  { script: "lab/trials/killed/scores-killed.ts", args: ["--seeds", "1", "--kills", "2", "--writers", "2"] },
  { script: "lab/trials/killed/announcements-killed.ts", args: ["3"] },
  { script: "lab/trials/decision-days.ts", args: ["--steps", "10"] },
  { script: "lab/trials/issues/grouping.ts", args: ["--seeds", "1", "--sends", "200"] },
  { script: "lab/trials/issues/announcement-delay.ts", args: ["--seconds", "3"], isMeasurement: true },
  {
    script: "lab/trials/issues/inbox-reads.ts",
    args: ["--traces", "1000", "--rounds", "2"],
    isMeasurement: true,
  },
  {
    script: "lab/trials/issues/ingest-cost.ts",
    args: ["--traces", "50", "--rounds", "1"],
    isMeasurement: true,
  },
  {
    script: "lab/trials/facts/facts-cost.ts",
    args: ["--rounds", "1", "--traces", "50"],
    isMeasurement: true,
  },
  { script: "lab/trials/compare.ts", args: ["--traces", "1000"], isMeasurement: true },
  { script: "lab/trials/filters.ts", args: ["--traces", "1000", "--rounds", "2"], isMeasurement: true },
  {
    script: "lab/trials/insights-reads.ts",
    args: ["--traces", "1000", "--rounds", "2"],
    isMeasurement: true,
  },
  { script: "lab/trials/scores.ts", args: ["--traces", "1000", "--rounds", "2"], isMeasurement: true },
  {
    script: "lab/trials/search.ts",
    args: ["--traces", "50", "--seconds", "1", "--rounds", "1"],
    isMeasurement: true,
  },
  { script: "lab/trials/export.ts", args: ["--traces", "500"], isMeasurement: true },
  { script: "lab/trials/forged-feedback.ts", args: ["--forged", "200", "--flood", "200"] },
  { script: "lab/trials/masking/model.ts", args: ["5", "--changes", "2"] },
  { script: "lab/trials/masking/hostile-masking.ts", args: ["1"], isMeasurement: true },
  {
    script: "lab/trials/masking/worst-search.ts",
    args: ["--minutes", "1"],
    isMeasurement: true,
  },
  { script: "lab/trials/masking/preview.ts", args: ["--traces", "20"], isMeasurement: true },
  {
    script: "lab/trials/masking/apply-killed.ts",
    args: ["2", "--traces", "100"],
    needsInstalledPostgres: true,
  },
  { script: "lab/trials/sdk/sdk-outage.ts", args: ["3"], isMeasurement: true },
  { script: "lab/trials/sdk/sdk-handlers.ts", args: ["1"] },
  { script: "lab/trials/sdk/start-page.ts" },
  { script: "lab/trials/repeated-resources.ts", args: ["--requests", "50"], isMeasurement: true },
  { script: "lab/trials/live.ts", args: ["1"], isMeasurement: true },
  { script: "lab/trials/hostile-input.ts", isMeasurement: true },
  { script: "lab/trials/slow-readers.ts", isMeasurement: true },
  { script: "lab/trials/account-deletion.ts", args: ["--traces", "2000"], isMeasurement: true },
  { script: "lab/trials/retention.ts", args: ["--traces", "2000"], isMeasurement: true },
  {
    script: "lab/trials/noisy-neighbour.ts",
    args: ["--seconds", "2", "--traces", "2000"],
    isMeasurement: true,
  },
  {
    script: "lab/trials/worst-shapes.ts",
    args: ["--only", "one span id", "--repeats", "1"],
    isMeasurement: true,
  },
  { script: "lab/trials/cluster/restore.ts", args: ["--gigabytes", "0.1"], isMeasurement: true },
  { script: "lab/trials/cluster/failover.ts", args: ["1"], isMeasurement: true },
  { script: "lab/bench/bench.ts", args: ["--smallest"] },
  { script: "lab/bench/dashboard/trace-page.ts", isMeasurement: true },
  { script: "lab/bench/dashboard/pages.ts", args: ["--scale", "0.005", "--rounds", "1"] },
];

/** Not run at night, and why. Their types are checked with all others. */
export const SKIPPED_SCRIPTS: Record<string, string> = {
  "lab/trials/cluster/citus.ts": "needs a Citus cluster",
  "lab/trials/cluster/citus-cost.ts": "needs a Citus cluster",
  "lab/trials/cluster/citus-killed.ts": "needs a Citus cluster",
  "lab/trials/cluster/citus-migrate.ts": "needs a Citus cluster",
  "lab/trials/cluster/citus-online.ts": "needs a Citus cluster",
  "lab/trials/cluster/citus-rebalance.ts": "needs a Citus cluster",
  "lab/trials/otlp/guides.ts": "installs 2 GB of packages",
  "lab/trials/otlp-live.ts": "installs 1 GB of packages, whose own dependencies a new release can break",
};
