import type { DriftReport } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { HttpError } from "../../http/http-error.ts";
import type { DaysReader } from "../../insights/days/days-reader.ts";
import { driftReport } from "../../insights/drift/drift-report.ts";
import type { RuleCondition } from "../rules/rule-condition.ts";
import { type Baseline, baselineOf, type Counted } from "../statistics/past-test.ts";
import { decided, type Evaluation, unknown } from "./evaluation.ts";
import { ruleWindow } from "./rule-window.ts";

/** What a comparison of releases found; `runs` are the decisions of the newest one. */
type ReleaseEvaluation = Evaluation & { release: string | null };

/** What is computed once an hour for a rule. */
export interface PastOfRule {
  lagMinutes: number;
  baseline: Baseline | null;
  /** Of rules that compare releases. */
  compared: ReleaseEvaluation | null;
}

const PAST_DAYS = 14;
const LAG_DAYS = 7;
const MAX_LAG_MINUTES = 60;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Beyond so many decisions, a release is not tested again. */
const MAX_TESTED_DECISIONS = 5_000;
/** A release is tested for drift again when it has so many times as many decisions: each test could find a difference by chance. */
const TESTED_AGAIN_FACTOR = 2;

interface PastOptions {
  db: Database;
  days: DaysReader;
  reads: FairDatabase;
}

export async function readPast(
  options: PastOptions,
  workspaceId: WorkspaceId,
  rule: RuleCondition,
  { nowMs, before }: { nowMs: number; before: PastOfRule | null },
): Promise<PastOfRule> {
  if (rule.kind === "drift" || rule.kind === "decision_rule") {
    const compared = await compareReleases(options, workspaceId, rule);
    const last = before?.compared ?? null;
    return {
      lagMinutes: 0,
      baseline: null,
      compared: last && isSettled(rule.kind, last, compared) ? last : compared,
    };
  }
  const lagMinutes = await readLag(options.db, workspaceId, rule.agent, nowMs);
  const isAgainstPast = rule.kind === "failure_rate" && rule.comparedWith === "past";
  const { fromMs } = ruleWindow(rule, { nowMs, lagMinutes });
  const baseline = isAgainstPast ? await readBaseline(options.db, workspaceId, rule, fromMs) : null;
  return { lagMinutes, baseline, compared: null };
}

/** Whether a release is not tested again yet. A test that was not possible is repeated at once. */
export function isSettled(
  kind: RuleCondition["kind"],
  last: ReleaseEvaluation,
  { release, runs }: Pick<ReleaseEvaluation, "release" | "runs">,
): boolean {
  if (last.release !== release || last.reason !== null) return false;
  if (last.runs >= MAX_TESTED_DECISIONS) return true;
  return kind === "drift" && runs < TESTED_AGAIN_FACTOR * last.runs;
}

/** How long runs of an agent take, in whole minutes: the 95th percentile of a week. */
export async function readLag(
  db: Database,
  workspaceId: WorkspaceId,
  agent: string | null,
  nowMs: number,
): Promise<number> {
  if (agent === null) return 0;
  const { rows } = await sql<{ durationMs: number | null }>`
    select percentile_disc(0.95) within group (order by total_duration) as duration_ms from traces
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent)} and outcome <> 3
      and started_at >= ${toDate(nowMs - LAG_DAYS * DAY_MS)} and started_at < ${toDate(nowMs)}`.execute(db);
  const minutes = Math.round((rows[0]?.durationMs ?? 0) / MINUTE_MS);
  return Math.max(0, Math.min(MAX_LAG_MINUTES, minutes));
}

/** The 14 days before a window, in windows of the same length. */
async function readBaseline(
  db: Database,
  workspaceId: WorkspaceId,
  { agent, windowMinutes }: RuleCondition,
  toMs: number,
): Promise<Baseline> {
  const fromMs = toMs - PAST_DAYS * DAY_MS;
  const { rows } = await sql<Counted>`
    select count(*) as runs, count(*) filter (where outcome = 1) as bad from traces
    where workspace_id = ${workspaceId} and agent_hash = ${agentHash(agent ?? "")} and outcome <= 1
      and started_at >= ${toDate(fromMs)} and started_at < ${toDate(toMs)}
    group by floor(extract(epoch from started_at - ${toDate(fromMs)}::timestamptz) / ${windowMinutes * 60})`.execute(
    db,
  );
  return baselineOf(rows);
}

export const toDate = (ms: number) => new Date(ms).toISOString();

/** Compares the newest release with the one before it, as the page of drift does. */
async function compareReleases(
  { days, reads }: PastOptions,
  workspaceId: WorkspaceId,
  { kind, agent }: RuleCondition,
): Promise<ReleaseEvaluation> {
  let report: DriftReport;
  try {
    report = await driftReport({ days, reads }, workspaceId, { agent: agent ?? undefined });
  } catch (error) {
    if (error instanceof HttpError && error.status < 500 && error.status !== 429)
      return { ...unknown(0, error.message), release: null };
    throw error;
  }
  const { current, rows, rules } = report;
  const { release, decisions } = current;
  if (release === null) return { ...unknown(decisions, "1 of the 2 releases that are needed"), release };
  if (kind === "drift" && rows.length === 0)
    return { ...unknown(decisions, "No decision was made often enough in both releases"), release };
  if (kind === "decision_rule" && rules.length === 0)
    return { ...unknown(decisions, "The agent has no decision rule"), release };
  const value =
    kind === "drift"
      ? rows.filter(({ isDrifting }) => isDrifting).length
      : rules.filter(({ isKept }) => !isKept).length;
  return { ...decided({ value, low: null, high: null }, decisions, value > 0), release };
}
