import { type Evaluation, evaluateNoRuns, evaluateWindow, NO_FIGURES } from "../check/evaluation.ts";
import { newRuleState, nextState } from "../check/next-state.ts";
import { DURATION_QUANTILE } from "../check/read-windows.ts";
import { ruleWindow } from "../check/rule-window.ts";
import type { RuleCondition } from "../rules/rule-condition.ts";
import { type Baseline, baselineOf } from "../statistics/past-test.ts";
import type { DurationWindow, MinuteSums } from "./minute-sums.ts";

const MINUTE_MS = 60_000;
const STEP_MINUTES = 5;
const PAST_MINUTES = 14 * 24 * 60;
const BASELINE_EVERY_MINUTES = 60;
const NEWEST_RUNS = 3;

/** Moments are in milliseconds. */
export interface Replayed {
  firings: { from: number; to: number | null; peak: number | null; runs: number }[];
  points: { at: number; value: number | null; low: number | null; high: number | null; runs: number }[];
  baseline: Baseline | null;
  /** Why the rule could not be checked once; null if it could. */
  reason: string | null;
}

export interface History {
  sums: MinuteSums;
  durations: DurationWindow | undefined;
}

interface ReplayRange {
  /** The moment of the first minute of the history. */
  fromMs: number;
  shownFromMs: number;
  toMs: number;
  lagMinutes: number;
  stepMinutes?: number;
}

/** Checks a rule at each step of a time range, as the worker does at each tick. */
export function replayRule(
  rule: RuleCondition,
  { sums, durations }: History,
  { fromMs, shownFromMs, toMs, lagMinutes, stepMinutes = STEP_MINUTES }: ReplayRange,
): Replayed {
  const minuteOf = (ms: number) => Math.round((ms - fromMs) / MINUTE_MS);
  const replayed: Replayed = { firings: [], points: [], baseline: null, reason: null };
  const newest = new NewestRuns(sums);
  let state = newRuleState(shownFromMs);
  let wasChecked = false;
  let baselineAt = Number.NEGATIVE_INFINITY;
  for (let nowMs = shownFromMs; nowMs <= toMs; nowMs += stepMinutes * MINUTE_MS) {
    const window = ruleWindow(rule, { nowMs, lagMinutes });
    const [from, to] = [minuteOf(window.fromMs), minuteOf(window.toMs)];
    if (rule.comparedWith === "past" && nowMs - baselineAt >= BASELINE_EVERY_MINUTES * MINUTE_MS) {
      replayed.baseline = baselineBefore(sums, from, rule.windowMinutes);
      baselineAt = nowMs;
    }
    const sum = sums.costs(from, to);
    const evaluation =
      rule.kind === "no_runs"
        ? evaluateNoRuns(
            rule,
            newest.before(minuteOf(nowMs)).map((minute) => fromMs + minute * MINUTE_MS),
            nowMs,
          )
        : evaluateWindow(
            rule,
            {
              ...sums.counted(from, to),
              costs: sum,
              scores: sum,
              durations: durations?.moveTo(from, to, DURATION_QUANTILE) ?? NO_FIGURES.durations,
            },
            replayed.baseline,
          );
    const step = nextState(state, evaluation, {
      nowMs,
      holdMs: rule.kind === "no_runs" ? 0 : rule.forMinutes * MINUTE_MS,
      renotifyMs: null,
      isSilent: true,
    });
    state = step.after;
    wasChecked ||= evaluation.reason === null;
    replayed.reason = evaluation.reason;
    if (evaluation.value !== null) {
      const { value, low, high, runs } = evaluation;
      replayed.points.push({ at: nowMs, value, low, high, runs });
    }
    recordFiring(rule, replayed, evaluation, {
      nowMs,
      incident: step.incident,
      isFiring: state.state === "firing",
    });
  }
  return { ...replayed, reason: wasChecked ? null : replayed.reason };
}

function recordFiring(
  { kind }: RuleCondition,
  { firings }: Replayed,
  { value, runs }: Evaluation,
  { nowMs, incident, isFiring }: { nowMs: number; incident: "opened" | "ended" | null; isFiring: boolean },
) {
  if (incident === "opened") firings.push({ from: nowMs, to: null, peak: value, runs });
  const last = firings.at(-1);
  if (!last || last.to !== null) return;
  if (incident === "ended") last.to = nowMs;
  const isWorse =
    value !== null && (kind === "score_mean" ? value < (last.peak ?? value) : value > (last.peak ?? value));
  if (isFiring && isWorse) Object.assign(last, { peak: value, runs });
}

/** The 14 days before a window, in windows of the same length. */
function baselineBefore(sums: MinuteSums, before: number, windowMinutes: number): Baseline {
  const windows = [];
  for (let from = before - PAST_MINUTES; from < before; from += windowMinutes)
    windows.push(sums.counted(from, Math.min(before, from + windowMinutes)));
  return baselineOf(windows);
}

/** The minutes of the last three runs before a moment that only moves forward. */
class NewestRuns {
  readonly #sums: MinuteSums;
  #read = 0;
  #minutes: number[] = [];

  constructor(sums: MinuteSums) {
    this.#sums = sums;
  }

  before(minute: number): number[] {
    for (; this.#read < minute; this.#read += 1) {
      const { runs } = this.#sums.counted(this.#read, this.#read + 1);
      for (let i = 0; i < Math.min(runs, NEWEST_RUNS); i += 1) this.#minutes.unshift(this.#read);
      this.#minutes.length = Math.min(this.#minutes.length, NEWEST_RUNS);
    }
    return this.#minutes;
  }
}
