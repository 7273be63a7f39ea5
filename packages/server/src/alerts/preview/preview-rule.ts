import type { RulePreview } from "@whytrace/contract/schemas/alerts/rules";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readLag, toDate } from "../check/read-past.ts";
import type { RuleCondition } from "../rules/rule-condition.ts";
import { usualRate } from "../statistics/past-test.ts";
import { DurationWindow, MinuteSums } from "./minute-sums.ts";
import { firstCountable, readDurations, readMinutes } from "./read-history.ts";
import { type Replayed, replayRule } from "./replay-rule.ts";

const SHOWN_DAYS = 30;
const PAST_DAYS = 14;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAX_POINTS = 1_000;
const NOT_REPLAYED: ReadonlySet<RuleCondition["kind"]> = new Set<RuleCondition["kind"]>([
  "drift",
  "decision_rule",
]);

/** When a rule would have fired in the last 30 days, by the functions that check rules. Stores nothing. */
export async function previewRule(
  db: Database,
  workspaceId: WorkspaceId,
  rule: RuleCondition,
  now: number,
): Promise<RulePreview> {
  const nowMs = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  if (NOT_REPLAYED.has(rule.kind))
    return toPreview(nowMs, nowMs, 0, {
      firings: [],
      points: [],
      baseline: null,
      reason: "Rules that compare releases have no preview",
    });
  const lagMinutes = rule.kind === "cost_per_day" ? 0 : await readLag(db, workspaceId, rule.agent, nowMs);
  const reach = rule.kind === "cost_per_day" ? DAY_MS : (rule.windowMinutes + lagMinutes) * MINUTE_MS;
  const pastMs = rule.comparedWith === "past" || rule.kind === "no_runs" ? PAST_DAYS * DAY_MS : 0;
  const asked = nowMs - SHOWN_DAYS * DAY_MS - reach - pastMs;
  const counted = await firstCountable(db, workspaceId, rule, asked);
  const fromMs = nowMs - Math.floor((nowMs - counted) / MINUTE_MS) * MINUTE_MS;
  const range = { fromMs, toMs: nowMs };
  const minutes = (nowMs - fromMs) / MINUTE_MS;
  const sums = new MinuteSums(minutes, await readMinutes(db, workspaceId, rule, range));
  const durations =
    rule.kind === "duration_p95"
      ? new DurationWindow(await readDurations(db, workspaceId, rule, range))
      : undefined;
  const shownFromMs = Math.max(nowMs - SHOWN_DAYS * DAY_MS, Math.min(nowMs, fromMs + reach + pastMs));
  const replayed = replayRule(rule, { sums, durations }, { fromMs, shownFromMs, toMs: nowMs, lagMinutes });
  return toPreview(shownFromMs, nowMs, lagMinutes, replayed);
}

function toPreview(
  fromMs: number,
  toMs: number,
  lagMinutes: number,
  { firings, points, baseline, reason }: Replayed,
): RulePreview {
  const every = Math.max(1, Math.ceil(points.length / MAX_POINTS));
  return {
    from: toDate(fromMs),
    to: toDate(toMs),
    wouldHaveFired: firings.length,
    firings: firings.map((firing) => ({
      ...firing,
      from: toDate(firing.from),
      to: firing.to === null ? null : toDate(firing.to),
    })),
    points: points
      .filter((_, index) => index % every === 0)
      .map((point) => ({ ...point, at: toDate(point.at) })),
    baseline: baseline && {
      bad: baseline.bad,
      runs: baseline.runs,
      rate: usualRate(baseline),
      overdispersion: baseline.overdispersion,
    },
    lagMinutes,
    reason,
  };
}
