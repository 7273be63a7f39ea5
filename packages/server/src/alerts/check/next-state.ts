import type { RuleStateName } from "@whytrace/contract/schemas/alerts/rules";
import type { Evaluation } from "./evaluation.ts";

/**
 * How a rule stands. `ok` and `no_data` become `firing` when the condition has held at each check for a while; `firing` becomes `ok` when
 * it has not held for as long, and `no_data` when it could not be checked for a day: an outage that stops all runs is no recovery.
 * Messages follow the state unless the rule is silent: what is still true when the silence ends is said then.
 */
export interface RuleState {
  state: RuleStateName;
  reason: string | null;
  /** When it got into this state. */
  sinceMs: number;
  metSinceMs: number | null;
  clearSinceMs: number | null;
  fewSinceMs: number | null;
  /** Whether the last message said that it fires. */
  isAnnounced: boolean;
  notifiedAtMs: number | null;
}

export interface StepOptions {
  nowMs: number;
  /** For how long the condition must hold, or not hold. */
  holdMs: number;
  renotifyMs: number | null;
  isSilent: boolean;
}

type RuleMessage = "alert.firing" | "alert.recovered" | "alert.no_data";

export interface Step {
  after: RuleState;
  incident: "opened" | "ended" | null;
  message: { type: RuleMessage; isReminder: boolean } | null;
}

const MAX_FEW_MS = 24 * 3_600_000;

export const newRuleState = (nowMs: number): RuleState => ({
  state: "no_data",
  reason: null,
  sinceMs: nowMs,
  metSinceMs: null,
  clearSinceMs: null,
  fewSinceMs: null,
  isAnnounced: false,
  notifiedAtMs: null,
});

/** The state after a check. */
export function nextState(before: RuleState, evaluation: Evaluation, options: StepOptions): Step {
  const { nowMs, isSilent, renotifyMs } = options;
  const checked = { ...before, ...sinceOf(before, evaluation, nowMs), reason: evaluation.reason };
  const state = stateOf(checked, evaluation, options);
  const after: RuleState = { ...checked, state, sinceMs: state === before.state ? before.sinceMs : nowMs };
  const isFiring = state === "firing";
  const incident =
    isFiring === (before.state === "firing") ? null : isFiring ? ("opened" as const) : ("ended" as const);
  if (isSilent) return { after, incident, message: null };
  if (isFiring !== before.isAnnounced) {
    const type = isFiring ? "alert.firing" : state === "ok" ? "alert.recovered" : "alert.no_data";
    return {
      after: { ...after, isAnnounced: isFiring, notifiedAtMs: nowMs },
      incident,
      message: { type, isReminder: false },
    };
  }
  const isDue = isFiring && renotifyMs !== null && nowMs - (before.notifiedAtMs ?? nowMs) >= renotifyMs;
  if (!isDue) return { after, incident, message: null };
  return {
    after: { ...after, notifiedAtMs: nowMs },
    incident,
    message: { type: "alert.firing", isReminder: true },
  };
}

function sinceOf(before: RuleState, { reason, isMet, isClear }: Evaluation, nowMs: number) {
  const since = (isTrue: boolean, earlier: number | null) => (isTrue ? (earlier ?? nowMs) : null);
  const isFew = reason !== null;
  return {
    metSinceMs: since(!isFew && isMet, before.metSinceMs),
    clearSinceMs: since(!isFew && isClear, before.clearSinceMs),
    fewSinceMs: since(isFew, before.fewSinceMs),
  };
}

function stateOf(
  { state, metSinceMs, clearSinceMs, fewSinceMs }: RuleState,
  { reason }: Evaluation,
  { nowMs, holdMs }: StepOptions,
): RuleStateName {
  const hasHeld = (since: number | null, length: number) => since !== null && nowMs - since >= length;
  if (state === "firing") {
    if (hasHeld(clearSinceMs, holdMs)) return "ok";
    return hasHeld(fewSinceMs, MAX_FEW_MS) ? "no_data" : "firing";
  }
  if (reason !== null) return "no_data";
  return hasHeld(metSinceMs, holdMs) ? "firing" : "ok";
}
