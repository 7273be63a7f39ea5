import type { DecisionRule, DriftReport, DriftRow, DriftSide, RuleResult } from "@whytrace/contract";
import { formatCount, formatType } from "./format.ts";
import { type Output, printable } from "./output.ts";

const MAX_NAME_LENGTH = 40;
/** Options that changed less than this are left out. */
const MIN_SHOWN_CHANGE = 0.005;

/** Prints a report in words: what drifts, which rules are broken, and how much was compared. */
export function printDrift({ base, current, rows, rules, progress }: DriftReport, output: Output): void {
  output.line(`${output.paint("bold", "Base")}     ${describeSide(base)}`);
  output.line(`${output.paint("bold", "Current")}  ${describeSide(current)}`);
  if (progress !== undefined)
    output.note(
      `${formatCount(progress.daysLeft, "day")} and ${formatCount(progress.tracesLeft, "trace")} are not counted yet. Run the command again.`,
    );
  const drifting = rows.filter(({ isDrifting }) => isDrifting);
  const tested = rows.filter(({ p }) => p !== null).length;
  for (const row of drifting) printRow(row, output);
  for (const result of rules) printRule(result, output);
  output.line();
  output.line(
    `${drifting.length === 0 ? "Nothing drifts" : `${formatCount(drifting.length, "decision")} of ${tested} ${drifting.length === 1 ? "drifts" : "drift"}`}` +
      `; ${formatCount(tested, "decision")} compared${describeUntested(rows.length - tested)}${describeRules(rules)}.`,
  );
}

const describeUntested = (untested: number) =>
  untested === 0 ? "" : `, ${untested} made fewer than 20 times on a side`;

function describeRules(rules: RuleResult[]): string {
  if (rules.length === 0) return "";
  const broken = rules.filter(({ isKept }) => !isKept).length;
  return `; ${formatCount(rules.length, "rule")}, ${broken === 0 ? "all kept" : `${broken} broken`}`;
}

function describeSide({ from, to, release, tag, runs, decisions }: DriftSide): string {
  const name =
    release === null ? (tag === null ? "" : `tag ${printable(tag)}, `) : `release ${printable(release)}, `;
  // The end is exclusive.
  const lastDay = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  return `${name}${from.slice(0, 10)} to ${lastDay}: ${formatCount(runs, "run")}, ${formatCount(decisions, "decision")}`;
}

function printRow(
  { agent, type, options, baseDecisions, currentDecisions, distance, p }: DriftRow,
  output: Output,
): void {
  output.line();
  output.line(
    `${output.paint("yellow", "↗")} ${output.paint("bold", `${formatType(type)} of ${printable(agent, MAX_NAME_LENGTH)}`)}: ` +
      `${Math.round(100 * distance)} points moved, ${describeP(p ?? 1)}`,
  );
  for (const { name, base, current } of options) {
    const [before, after] = [base / baseDecisions, current / currentDecisions];
    if (Math.abs(after - before) < MIN_SHOWN_CHANGE) continue;
    const title = printable(name, MAX_NAME_LENGTH).padEnd(MAX_NAME_LENGTH);
    output.line(
      `  ${title} ${percent(before)} of ${baseDecisions} ${output.paint("dim", "→")} ${percent(after)} of ${currentDecisions}`,
    );
  }
}

function printRule({ rule, isKept, decisions, chosen, traceId }: RuleResult, output: Output): void {
  if (isKept) return;
  output.line();
  output.line(`${output.paint("red", "✕")} ${output.paint("bold", describeRule(rule))}`);
  output.line(
    `  chosen ${chosen} of ${decisions} times${traceId === null ? "" : `, for example in trace ${printable(traceId)}`}`,
  );
  if (rule.note !== null) output.line(`  ${output.paint("italic", `“${printable(rule.note)}”`)}`);
}

function describeRule({ kind, agent, type, option, minShare, maxShare }: DecisionRule): string {
  const decision = `${formatType(type)} of ${printable(agent, MAX_NAME_LENGTH)}`;
  const name = printable(option, MAX_NAME_LENGTH);
  if (kind === "never") return `${decision}: never ${name}`;
  if (minShare === null) return `${decision}: ${name} in at most ${percent(maxShare ?? 1).trim()}`;
  if (maxShare === null) return `${decision}: ${name} in at least ${percent(minShare).trim()}`;
  return `${decision}: ${name} in ${percent(minShare).trim()} to ${percent(maxShare).trim()}`;
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`.padStart(5);

const describeP = (p: number) => (p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`);
