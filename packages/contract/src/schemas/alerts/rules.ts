import { z } from "zod";
import { pageInfo } from "../page.ts";
import { count, instant } from "../values.ts";

export const RULE_KINDS = [
  "failure_rate",
  "score_mean",
  "cost_per_run",
  "cost_per_day",
  "duration_p95",
  "drift",
  "decision_rule",
  "no_runs",
] as const;
export const SENSITIVITIES = ["low", "normal", "high"] as const;
/** How a pager treats a rule that fires. */
export const SEVERITIES = ["critical", "error", "warning"] as const;
const RULE_STATES = ["ok", "firing", "no_data"] as const;
export const RENOTIFY_HOURS = [1, 4, 24] as const;
export const MAX_RULES = 100;
export const MAX_MAINTENANCE = 20;

/** What a rule says. Fields that its kind does not have are null. */
const condition = {
  kind: z.enum(RULE_KINDS),
  name: z.string(),
  agent: z.string().nullable().describe("The name of the agent's traces; null: all agents"),
  windowMinutes: count,
  forMinutes: count.describe("How long the condition must hold, or how long no run may have started"),
  comparedWith: z.literal("past").nullable(),
  above: z.number().nullable(),
  below: z.number().nullable(),
  score: z.string().nullable(),
  sensitivity: z.enum(SENSITIVITIES),
  renotifyHours: z.number().nullable(),
  channels: z.array(z.string()).nullable().describe("Ids of channels; null: all that want the event"),
  mail: z.boolean(),
  severity: z.enum(SEVERITIES).describe("How PagerDuty treats it"),
};

export const alertRule = z.object({
  id: z.string(),
  ...condition,
  state: z.enum(RULE_STATES),
  reason: z.string().nullable().describe("Why the condition cannot be checked"),
  value: z.number().nullable(),
  runs: count,
  since: instant,
  mutedUntil: instant.nullable(),
  createdAt: instant,
});
export const alertRuleList = z.object({ rules: z.array(alertRule) });

/** Its error texts are sentences of their own, so the server checks the fields (alerts/parse-rule.ts). */
const any = (meta: Record<string, unknown>) => z.unknown().optional().meta(meta);
export const ruleBody = z.object({
  kind: any({ type: "string", enum: [...RULE_KINDS] }),
  name: any({ type: "string", minLength: 1, maxLength: 100 }),
  agent: any({ type: "string" }),
  windowMinutes: any({ type: "integer", minimum: 5, maximum: 1_440, default: 60 }),
  forMinutes: any({ type: "integer", minimum: 0, maximum: 1_440, default: 10 }),
  comparedWith: any({ type: "string", enum: ["past"] }),
  above: any({ type: "number" }),
  below: any({ type: "number" }),
  score: any({ type: "string" }),
  sensitivity: any({ type: "string", enum: [...SENSITIVITIES], default: "normal" }),
  renotifyHours: any({ type: "number", enum: [...RENOTIFY_HOURS] }),
  channels: any({ type: "array", items: { type: "string" } }),
  mail: any({ type: "boolean", default: true }),
  severity: any({ type: "string", enum: [...SEVERITIES], default: "error" }),
});

export const ruleMute = z.object({ until: any({ type: "string", format: "date-time" }) });
export const mutedRule = z.object({ mutedUntil: instant });

export const incidentList = z.object({
  incidents: z.array(
    z.object({
      id: z.string(),
      ruleId: z.string(),
      startedAt: instant,
      endedAt: instant.nullable(),
      peak: z.number().nullable(),
      reason: z.string().nullable().describe("Why it ended"),
    }),
  ),
  ...pageInfo.shape,
});

export const maintenance = z.object({
  id: z.string(),
  from: instant,
  to: instant,
  note: z.string().nullable(),
});
export const maintenanceList = z.object({ maintenance: z.array(maintenance) });
export const newMaintenance = z.object({
  from: any({ type: "string", format: "date-time" }),
  to: any({ type: "string", format: "date-time" }),
  note: z.string().max(1_000, { error: "must have at most 1000 characters" }).nullish(),
});

const figure = z.number().nullable();
export const rulePreview = z.object({
  from: instant,
  to: instant,
  wouldHaveFired: count,
  firings: z.array(z.object({ from: instant, to: instant.nullable(), peak: figure, runs: count })),
  points: z.array(z.object({ at: instant, value: figure, low: figure, high: figure, runs: count })),
  baseline: z
    .object({
      bad: count,
      runs: count,
      rate: z.number(),
      overdispersion: z.number().describe("How much windows differ more than by chance; 1: not at all"),
    })
    .nullable(),
  lagMinutes: count.describe("Windows end so long before now, because runs take so long"),
  reason: z.string().nullable().describe("Why nothing can be said"),
});

export type RuleKind = (typeof RULE_KINDS)[number];
export type RuleStateName = (typeof RULE_STATES)[number];
export type Sensitivity = (typeof SENSITIVITIES)[number];
export type Severity = (typeof SEVERITIES)[number];
export type AlertRule = z.infer<typeof alertRule>;
export type RuleBody = z.infer<typeof ruleBody>;
export type IncidentList = z.infer<typeof incidentList>;
export type Maintenance = z.infer<typeof maintenance>;
export type RulePreview = z.infer<typeof rulePreview>;
