import type {
  DecisionRule,
  DriftReport,
  DriftRow,
  DriftSide,
  RuleResult,
  UntestedReason,
} from "@whytrace/contract";
import { formatCount, formatType } from "./format.ts";
import { type Output, printable } from "./output.ts";

const MAX_NAME_LENGTH = 40;
/** Options that changed less than this are left out. */
const MIN_SHOWN_CHANGE = 0.005;

/** Whether all decisions and days were compared, and there was something to compare. */
export const isAllTested = ({ rows, rules, untested, progress }: DriftReport) =>
  rows.length > 0 && untested === 0 && rules.every(({ isTestable }) => isTestable) && progress === undefined;

/** Prints a report in words: first the answer, then what was compared, what drifts and which rules are broken. */
export function printDrift(report: DriftReport, output: Output): void {
  const { base, current, rows, rules, progress } = report;
  output.line(output.paint("bold", answer(report)));
  output.line();
  output.line(`${output.paint("bold", "Base")}     ${describeSide(base)}`);
  output.line(`${output.paint("bold", "Current")}  ${describeSide(current)}`);
  if (progress !== undefined)
    output.note(
      `${formatCount(progress.daysLeft, "day")} and ${formatCount(progress.tracesLeft, "trace")} are not counted yet. Run the command again.`,
    );
  for (const row of rows.filter(({ isDrifting }) => isDrifting)) printRow(row, output);
  for (const result of rules) printRule(result, output);
  printUntested(report, output);
}

function answer({ rows, untested, rules }: DriftReport): string {
  const drifting = rows.filter(({ isDrifting }) => isDrifting).length;
  const tested = rows.filter(({ isTestable }) => isTestable).length;
  const changes =
    drifting > 0
      ? `${formatCount(drifting, "decision")} of ${tested} ${drifting === 1 ? "drifts" : "drift"}`
      : tested > 0
        ? `Nothing drifts among ${formatCount(tested, "decision")}`
        : "Nothing could be compared";
  return `${changes}${untested === 0 ? "" : `; ${untested} could not be tested`}${describeRules(rules)}.`;
}

const UNTESTED: Record<UntestedReason, string> = {
  "one-side": "made on one side only",
  "few-decisions": "made fewer than 20 times on a side",
  "few-sessions": "made in fewer than 10 sessions on a side, or mostly in fewer",
  "one-option": "always the same option, without a known alternative",
};

function printUntested({ rows, untested }: DriftReport, output: Output): void {
  if (untested === 0) return;
  output.line();
  output.line("Not tested:");
  for (const [reason, text] of Object.entries(UNTESTED)) {
    const count = rows.filter((row) => row.untested === reason).length;
    if (count > 0) output.line(`  ${formatCount(count, "decision")} ${text}`);
  }
}

function describeRules(rules: RuleResult[]): string {
  if (rules.length === 0) return "";
  const broken = rules.filter(({ isKept }) => !isKept).length;
  const untested = rules.filter(({ isTestable }) => !isTestable).length;
  const kept = broken === 0 ? (untested === 0 ? "all kept" : "none broken") : `${broken} broken`;
  return `; ${formatCount(rules.length, "rule")}, ${kept}${untested === 0 ? "" : `, ${untested} not tested`}`;
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
