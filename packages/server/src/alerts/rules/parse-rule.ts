import { isStorable } from "@whytrace/contract";
import {
  RENOTIFY_HOURS,
  RULE_KINDS,
  type RuleBody,
  type RuleKind,
  SENSITIVITIES,
  SEVERITIES,
} from "@whytrace/contract/schemas/alerts/rules";
import { HttpError } from "../../http/http-error.ts";
import type { RuleCondition } from "./rule-condition.ts";

const MAX_NAME_LENGTH = 100;
const MAX_AGENT_LENGTH = 1_000;
const MIN_WINDOW = 5;
const MAX_WINDOW = 1_440;
const MAX_FOR = 1_440;
const MAX_CHANNELS = 20;

/** In the order in which they are checked. */
export const RULE_ERRORS = {
  kind: `kind must be one of: ${RULE_KINDS.join(", ")}`,
  name: `name must be between 1 and ${MAX_NAME_LENGTH} characters`,
  agent: "agent must be given",
  window: `windowMinutes must be between ${MIN_WINDOW} and ${MAX_WINDOW}`,
  rate: "above must be between 0 and 1",
  above: "above must be given",
  below: "below must be given",
  score: "score must be given",
  both: "above and comparedWith exclude each other",
  past: "comparedWith must be past",
  for: `forMinutes must be between 0 and ${MAX_FOR}`,
  sensitivity: `sensitivity must be one of: ${SENSITIVITIES.join(", ")}`,
  renotify: `renotifyHours must be one of: ${RENOTIFY_HOURS.join(", ")}`,
  channels: `channels must be at most ${MAX_CHANNELS} ids`,
  mail: "mail must be true or false",
  severity: `severity must be one of: ${SEVERITIES.join(", ")}`,
};

/** Kinds whose condition is a limit that the value must not exceed. */
const WITH_ABOVE: ReadonlySet<RuleKind> = new Set<RuleKind>(["cost_per_run", "cost_per_day", "duration_p95"]);
const DEFAULT_SILENCE_MINUTES = 60;

/** Names the first fault of a rule. */
export function parseRule(body: RuleBody): RuleCondition {
  const refuse = (fault: keyof typeof RULE_ERRORS): never => {
    throw new HttpError(400, RULE_ERRORS[fault]);
  };
  const kind = RULE_KINDS.find((one) => one === body.kind) ?? refuse("kind");
  const name = text(body.name, MAX_NAME_LENGTH) ?? refuse("name");
  const agent = text(body.agent, MAX_AGENT_LENGTH) ?? null;
  if (agent === null && kind !== "cost_per_day") return refuse("agent");
  const windowMinutes = whole(body.windowMinutes ?? 60, MIN_WINDOW, MAX_WINDOW) ?? refuse("window");
  const isRate = kind === "failure_rate";
  const above = body.above ?? null;
  if (above !== null && (!isNumber(above) || (isRate && (above < 0 || above > 1))))
    return refuse(isRate ? "rate" : "above");
  if (WITH_ABOVE.has(kind) && above === null) return refuse("above");
  const below = body.below ?? null;
  if (kind === "score_mean" ? !isNumber(below) : below !== null && !isNumber(below)) return refuse("below");
  const score = text(body.score, MAX_AGENT_LENGTH) ?? null;
  if (kind === "score_mean" && score === null) return refuse("score");
  if (isRate && above !== null && body.comparedWith != null) return refuse("both");
  if (body.comparedWith != null && body.comparedWith !== "past") return refuse("past");
  const isOfNoRuns = kind === "no_runs";
  const forMinutes =
    whole(body.forMinutes ?? (isOfNoRuns ? DEFAULT_SILENCE_MINUTES : 10), isOfNoRuns ? 1 : 0, MAX_FOR) ??
    refuse("for");
  const sensitivity =
    SENSITIVITIES.find((one) => one === (body.sensitivity ?? "normal")) ?? refuse("sensitivity");
  const renotifyHours = RENOTIFY_HOURS.find((one) => one === body.renotifyHours) ?? null;
  if (body.renotifyHours != null && renotifyHours === null) return refuse("renotify");
  const channels = body.channels ?? null;
  if (channels !== null && !isIdList(channels)) return refuse("channels");
  const mail = body.mail ?? true;
  if (typeof mail !== "boolean") return refuse("mail");
  const severity = SEVERITIES.find((one) => one === (body.severity ?? "error")) ?? refuse("severity");
  return {
    kind,
    name,
    agent,
    windowMinutes,
    forMinutes,
    comparedWith: isRate && above === null ? "past" : null,
    above: isRate || WITH_ABOVE.has(kind) ? above : null,
    below: kind === "score_mean" && isNumber(below) ? below : null,
    score: kind === "score_mean" ? score : null,
    sensitivity,
    renotifyHours,
    channels,
    mail,
    severity,
  };
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function whole(value: unknown, min: number, max: number): number | undefined {
  return isNumber(value) && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
}

function text(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== "string" || !isStorable(value)) return undefined;
  const trimmed = value.trim();
  return trimmed !== "" && trimmed.length <= maxLength ? trimmed : undefined;
}

const isIdList = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_CHANNELS &&
  value.every((one) => typeof one === "string" && /^[0-9a-f-]{36}$/i.test(one));
