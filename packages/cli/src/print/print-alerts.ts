import type { AlertRule } from "@whytrace/contract/schemas/alerts/rules";
import { formatAlignedTable } from "./aligned-table.ts";
import { formatCount, formatMs } from "./format.ts";
import { formatAgo } from "./format-ago.ts";
import { type Output, printable } from "./output.ts";

const MAX_NAME_LENGTH = 40;

/** Prints a row for each rule, and how many fire. */
export function printAlerts(rules: readonly AlertRule[], output: Output, now: number): void {
  const rows = rules.map((rule) => rowOf(rule, now));
  for (const line of formatAlignedTable(["", "", "", " ", " ", ""], rows).slice(1)) output.line(line);
  const firing = rules.filter(({ state }) => state === "firing").length;
  output.line(`${formatCount(rules.length, "rule")}, ${firing} firing.`);
}

const rowOf = (rule: AlertRule, now: number): string[] => [
  rule.state.replace("_", " "),
  printable(rule.name, MAX_NAME_LENGTH),
  printable(rule.agent ?? "all agents", MAX_NAME_LENGTH),
  formatValue(rule),
  formatCount(rule.runs, "run"),
  [
    `since ${formatAgo(Date.parse(rule.since), now)}`,
    rule.reason === null ? "" : printable(rule.reason),
    rule.mutedUntil !== null && Date.parse(rule.mutedUntil) > now ? `paused until ${rule.mutedUntil}` : "",
  ]
    .filter((part) => part !== "")
    .join(", "),
];

function formatValue({ kind, value }: AlertRule): string {
  if (value === null) return "";
  const short = Number(value.toPrecision(3));
  switch (kind) {
    case "failure_rate":
      return `${Number((value * 100).toPrecision(3))} %`;
    case "cost_per_run":
    case "cost_per_day":
      return `$${short}`;
    case "duration_p95":
      return formatMs(value);
    case "no_runs":
      return `${Math.round(value)} min`;
    default:
      return String(short);
  }
}
