import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type AnnouncedEvent, announce } from "../../channels/announce.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { addAlertNotices } from "../../notifications/add-notices.ts";
import { readTotals } from "../../trace-store/counts/totals.ts";
import { type RuleCondition, UNITS } from "../rules/rule-condition.ts";
import { conditionOf, lockRules, readRules, type StoredRule } from "../rules/stored-rule.ts";
import { usualRate } from "../statistics/past-test.ts";
import { type Evaluation, evaluateNoRuns, evaluateWindow, NO_FIGURES, unknown } from "./evaluation.ts";
import { nextState, type RuleState, type Step } from "./next-state.ts";
import { toDate } from "./read-past.ts";
import { readNewestStarts, readWindows } from "./read-windows.ts";
import { ruleWindow, type TimeWindow } from "./rule-window.ts";
import { runsPath } from "./runs-path.ts";

const HOUR_MS = 3_600_000;

interface CheckedRule {
  rule: StoredRule;
  condition: RuleCondition;
  window: TimeWindow;
  evaluation: Evaluation;
}

/**
 * Checks the rules of a workspace in one transaction: state, incident, message and the time of the check change together, so a process
 * that dies neither fires twice nor loses a change. Returns how many were checked; none if somebody else does it.
 */
export async function checkRules(
  trx: Database,
  workspaceId: WorkspaceId,
  { tickMs }: { tickMs: number },
): Promise<number> {
  const cursor = await lockRules(trx, workspaceId, { skipLocked: true });
  if (!cursor) return 0;
  const nowMs = Date.parse(cursor.now);
  if (cursor.checkedAt !== null && nowMs - Date.parse(cursor.checkedAt) < tickMs) return 0;
  // Before the windows are read: what is stored meanwhile has a higher version.
  const { version } = await readTotals(trx, workspaceId);
  const stored = await readRules(trx, workspaceId);
  const rules = stored.filter(({ past }) => past !== null);
  let isSettled = rules.length === stored.length;
  const isInMaintenance = await hasMaintenance(trx, workspaceId, nowMs);
  const events: AnnouncedEvent[] = [];
  const mailed: AnnouncedEvent[] = [];
  const evaluated = await evaluateRules(trx, workspaceId, rules, nowMs);
  for (const checked of evaluated) {
    const { rule, condition } = checked;
    const step = nextState(toState(rule), checked.evaluation, {
      nowMs,
      // The silence of `no_runs` is part of its condition.
      holdMs: condition.kind === "no_runs" ? 0 : condition.forMinutes * 60_000,
      renotifyMs: condition.renotifyHours === null ? null : condition.renotifyHours * HOUR_MS,
      isSilent: isInMaintenance || (rule.mutedUntil !== null && Date.parse(rule.mutedUntil) > nowMs),
    });
    await saveStep(trx, workspaceId, checked, step, nowMs);
    if (condition.kind === "no_runs" || !isAtRest(step.after)) isSettled = false;
    if (!step.message) continue;
    const event = toEvent(checked, step.message);
    events.push(event);
    if (condition.mail) mailed.push(event);
  }
  await announce(trx, workspaceId, events);
  await addAlertNotices(trx, workspaceId, mailed);
  const firstMs = Math.min(nowMs, ...evaluated.map(({ window }) => window.fromMs));
  if (isSettled && (await hasRunsSince(trx, workspaceId, firstMs))) isSettled = false;
  await sql`
    update alert_cursors set checked_at = ${cursor.now}, settled_version = ${isSettled ? version : null}
    where workspace_id = ${workspaceId}`.execute(trx);
  return rules.length;
}

/** Whether the rule stays as it is while no run comes: it neither fires nor begins to, and nothing is left to say. */
const isAtRest = ({ state, metSinceMs, isAnnounced }: RuleState) =>
  state !== "firing" && metSinceMs === null && !isAnnounced;

/** A run that started since is in a window, or will be. */
async function hasRunsSince(trx: Database, workspaceId: WorkspaceId, fromMs: number): Promise<boolean> {
  const { rows } = await sql`
    select from traces where workspace_id = ${workspaceId} and started_at >= ${toDate(fromMs)} limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

async function hasMaintenance(trx: Database, workspaceId: WorkspaceId, nowMs: number): Promise<boolean> {
  const { rows } = await sql`
    select id from alert_maintenance
    where workspace_id = ${workspaceId} and from_at <= ${toDate(nowMs)} and to_at > ${toDate(nowMs)} limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

async function evaluateRules(
  trx: Database,
  workspaceId: WorkspaceId,
  rules: readonly StoredRule[],
  nowMs: number,
): Promise<CheckedRule[]> {
  const asked = rules.map((rule) => {
    const condition = conditionOf(rule);
    return {
      rule: condition,
      window: ruleWindow(condition, { nowMs, lagMinutes: rule.past?.lagMinutes ?? 0 }),
      stored: rule,
    };
  });
  const onWindow = asked.filter(
    ({ rule: { kind } }) => !["drift", "decision_rule", "no_runs"].includes(kind),
  );
  const figures = await readWindows(trx, workspaceId, onWindow);
  const evaluate = async ({ rule, stored }: (typeof asked)[number], at: number): Promise<Evaluation> => {
    if (rule.kind === "no_runs")
      return evaluateNoRuns(rule, await readNewestStarts(trx, workspaceId, rule.agent, nowMs), nowMs);
    if (rule.kind === "drift" || rule.kind === "decision_rule")
      return stored.past?.compared ?? unknown(0, "The releases were not compared yet");
    return evaluateWindow(rule, figures[at] ?? NO_FIGURES, stored.past?.baseline ?? null);
  };
  return Promise.all(
    asked.map(async (one) => ({
      rule: one.stored,
      condition: one.rule,
      window: one.window,
      evaluation: await evaluate(one, onWindow.indexOf(one)),
    })),
  );
}

const toMs = (at: string | null) => (at === null ? null : Date.parse(at));

const toState = (rule: StoredRule): RuleState => ({
  state: rule.state,
  reason: rule.reason,
  sinceMs: Date.parse(rule.since),
  metSinceMs: toMs(rule.metSince),
  clearSinceMs: toMs(rule.clearSince),
  fewSinceMs: toMs(rule.fewSince),
  isAnnounced: rule.isAnnounced,
  notifiedAtMs: toMs(rule.notifiedAt),
});

const toAt = (ms: number | null) => (ms === null ? null : toDate(ms));

async function saveStep(
  trx: Database,
  workspaceId: WorkspaceId,
  { rule, condition, evaluation }: CheckedRule,
  { after, incident, message }: Step,
  nowMs: number,
): Promise<void> {
  const { value, runs } = evaluation;
  const incidentId = incident === "opened" ? randomUUID() : incident === "ended" ? null : rule.incidentId;
  if (incident === "opened")
    await sql`
      insert into alert_incidents (workspace_id, id, rule_id, started_at, peak)
      values (${workspaceId}, ${incidentId}, ${rule.id}, ${toDate(nowMs)}, ${value})`.execute(trx);
  else if (rule.incidentId !== null && value !== null) {
    const worst = condition.kind === "score_mean" ? sql.raw("least") : sql.raw("greatest");
    await sql`
      update alert_incidents set peak = ${worst}(peak, ${value}::double precision)
      where workspace_id = ${workspaceId} and id = ${rule.incidentId}`.execute(trx);
  }
  if (incident === "ended")
    await sql`
      update alert_incidents set ended_at = ${toDate(nowMs)},
        reason = ${after.state === "ok" ? "recovered" : "no data for 24 hours"}
      where workspace_id = ${workspaceId} and id = ${rule.incidentId}`.execute(trx);
  await sql`
    update alert_rules set state = ${after.state}, reason = ${after.reason}, value = ${value}, runs = ${runs},
      since = ${toDate(after.sinceMs)}, met_since = ${toAt(after.metSinceMs)}, clear_since = ${toAt(after.clearSinceMs)},
      few_since = ${toAt(after.fewSinceMs)}, is_announced = ${after.isAnnounced}, notified_at = ${toAt(after.notifiedAtMs)},
      sequence = ${rule.sequence + (message ? 1 : 0)}, incident_id = ${incidentId}
    where workspace_id = ${workspaceId} and id = ${rule.id}`.execute(trx);
}

function toEvent(
  { rule, condition, window, evaluation }: CheckedRule,
  { type, isReminder }: NonNullable<Step["message"]>,
): AnnouncedEvent {
  const { kind, name, agent, channels, severity } = condition;
  const { value, low, high, runs } = evaluation;
  const baseline = rule.past?.baseline;
  const [from, to] = [toDate(window.fromMs), toDate(window.toMs)];
  return {
    type,
    subject: `rule:${rule.id}`,
    sequence: rule.sequence + 1,
    payload: {
      rule: { id: rule.id, name, kind, agent, severity },
      value,
      low,
      high,
      runs,
      unit: UNITS[kind],
      baseline: baseline ? usualRate(baseline) : null,
      from,
      to,
      url: runsPath(condition, window),
      ...(evaluation.reason !== null && { reason: evaluation.reason }),
      ...(isReminder && { isReminder }),
    },
    traceId: null,
    channels,
  };
}
