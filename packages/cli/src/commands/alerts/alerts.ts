import type { AlertRule } from "@whytrace/contract/schemas/alerts/rules";
import { EXIT } from "../../cli-error.ts";
import type { Command } from "../../command.ts";
import { printAlerts } from "../../print/print-alerts.ts";
import { readingApi, TARGET_OPTIONS } from "../../target.ts";

export const alerts: Command = {
  name: "alerts",
  about: "list alert rules with their states",
  positionals: [],
  options: {
    "fail-on-firing": { about: "exit with 1 if a rule fires that is not paused" },
    ...TARGET_OPTIONS,
  },
  details: "`alerts preview`, `pause`, `resume` and `test` do more. Rules are made on the page /alerts.",
  async run(call) {
    const { args, output } = call;
    const api = await readingApi(call);
    const { rules } = await api.call("GET /api/alerts/rules");
    for (const rule of rules) output.json(rule);
    const now = Date.now();
    printAlerts(rules, output, now);
    const isFiring = ({ state, mutedUntil }: AlertRule) =>
      state === "firing" && (mutedUntil === null || Date.parse(mutedUntil) <= now);
    return args.has("fail-on-firing") && rules.some(isFiring) ? EXIT.failed : EXIT.ok;
  },
};
