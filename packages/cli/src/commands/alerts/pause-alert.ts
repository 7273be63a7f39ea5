import type { AlertRule } from "@whytrace/contract/schemas/alerts/rules";
import type { Api } from "../../api.ts";
import { type Command, usageError } from "../../command.ts";
import { printable } from "../../print/output.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";
import { findNamed } from "./find-named.ts";

const MAX_HOURS = 90 * 24;
const HOUR_MS = 3_600_000;
const NEEDS_SESSION =
  "The rule is named by its name or id. Needs a sign-in. Exits with 4 if there is no such rule.";

export const alertsPause: Command = {
  name: "alerts pause",
  about: "let a rule change its state without a message",
  positionals: ["<rule>"],
  options: {
    hours: { value: "n", about: "for so many hours (default 1, at most 2160)" },
    until: { value: "date", about: "until then, for example 2026-12-01" },
    ...TARGET_OPTIONS,
  },
  details: `What still fires at the end of the pause is announced then. ${NEEDS_SESSION}`,
  async run(call) {
    const { args, output } = call;
    if (args.has("hours") && args.has("until"))
      throw usageError("Pass either --hours or --until", "alerts pause");
    const hours = args.integer("hours", { min: 1, max: MAX_HOURS }) ?? 1;
    const given = args.text("until");
    const untilMs = given === undefined ? Date.now() + hours * HOUR_MS : Date.parse(given);
    if (Number.isNaN(untilMs)) throw usageError("--until must be a date such as 2026-12-01", "alerts pause");
    const until = new Date(untilMs).toISOString();
    const api = await readingApi(call);
    const rule = await findRule(api, args.positionals[0] ?? "");
    const muted = await api.call("POST /api/alerts/rules/:id/mute", {
      params: { id: rule.id },
      body: { until },
    });
    output.json({ ...rule, ...muted });
    output.line(`${printable(rule.name)} is paused until ${muted.mutedUntil}.`);
    return undefined;
  },
};

export const alertsResume: Command = {
  name: "alerts resume",
  about: "end the pause of a rule",
  positionals: ["<rule>"],
  options: TARGET_OPTIONS,
  details: NEEDS_SESSION,
  async run(call) {
    const { args, output } = call;
    const api = await readingApi(call);
    const rule = await findRule(api, args.positionals[0] ?? "");
    await api.call("DELETE /api/alerts/rules/:id/mute", { params: { id: rule.id } });
    output.json({ ...rule, mutedUntil: null });
    output.line(`${printable(rule.name)} is not paused.`);
    return undefined;
  },
};

async function findRule(api: Api, text: string): Promise<AlertRule> {
  const { rules } = await api.call("GET /api/alerts/rules");
  return findNamed(rules, text, "rule");
}
