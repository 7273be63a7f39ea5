import type {
  ComparedError,
  ComparedSide,
  Interval,
  ReleaseComparison,
  ReleaseMeasure,
} from "@whytrace/contract";
import { formatCount, formatMs, formatType, formatUsd } from "./format.ts";
import { type Output, printable } from "./output.ts";

const MAX_NAME_LENGTH = 60;
const MAX_ERRORS = 10;
const MAX_CHOICES = 5;
/** Options that changed less than this are left out. */
const MIN_SHOWN_CHANGE = 0.005;

/** Prints a comparison: first the sentence, then what was compared, and what each measure says. */
export function printReleases(comparison: ReleaseComparison, output: Output): void {
  const { sentence, base, current, measures, errors, choices, untestedChoices } = comparison;
  output.line(output.paint("bold", printable(sentence)));
  output.line();
  output.line(`${output.paint("bold", "Base")}     ${describeSide(base)}`);
  output.line(`${output.paint("bold", "Current")}  ${describeSide(current)}`);
  output.line();
  for (const measure of measures) output.line(describeMeasure(measure));
  if (errors.length > 0) {
    output.line();
    output.line("Errors:");
    for (const error of errors.slice(0, MAX_ERRORS)) output.line(`  ${describeError(error)}`);
  }
  for (const { agent, type, options, baseDecisions, currentDecisions } of choices.slice(0, MAX_CHOICES)) {
    output.line();
    output.line(`${formatType(type)} of ${printable(agent, MAX_NAME_LENGTH)} changed:`);
    for (const option of options) {
      const [before, after] = [option.base / baseDecisions, option.current / currentDecisions];
      if (Math.abs(after - before) < MIN_SHOWN_CHANGE) continue;
      output.line(`  ${printable(option.name, MAX_NAME_LENGTH)}: ${percent(before)} → ${percent(after)}`);
    }
  }
  if (untestedChoices > 0)
    output.note(`${formatCount(untestedChoices, "decision")} could not be tested: whytrace drift says why.`);
}

function describeSide({ release, from, to, runs, badRuns, abandonedRuns, sessions }: ComparedSide): string {
  const name = release === null ? "" : `release ${printable(release)}, `;
  // The end is exclusive.
  const lastDay = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  const abandoned = abandonedRuns === 0 ? "" : ` (${abandonedRuns} never ended)`;
  return (
    `${name}${from.slice(0, 10)} to ${lastDay}: ${formatCount(runs, "run")} in ` +
    `${formatCount(sessions, "session")}, ${badRuns} bad${abandoned}`
  );
}

const NAMES: Record<ReleaseMeasure["name"], string> = { bad: "Bad runs", cost: "Cost", time: "Time" };

function describeMeasure({ name, base, current, change, verdict }: ReleaseMeasure): string {
  const title = NAMES[name].padEnd(9);
  if (base === null || current === null) return `${title} not known`;
  const write = (value: number) =>
    name === "bad" ? percent(value) : name === "cost" ? formatUsd(value) : formatMs(value);
  const both = `${write(base.value)} → ${write(current.value)}`;
  return change === null
    ? `${title} ${both}, not tested`
    : `${title} ${both}, ${verdict} (${writeChange(name, change)})`;
}

const writeChange = (name: ReleaseMeasure["name"], { low, high }: Interval) =>
  name === "bad"
    ? `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} points`
    : `${low.toFixed(2)} to ${high.toFixed(2)} times`;

function describeError({ name, message, base, current, change, isClear }: ComparedError): string {
  const text = printable(message ?? name, MAX_NAME_LENGTH);
  return `${change.padEnd(5)} ${text}: ${base} → ${formatCount(current, "run")}${isClear ? "" : ", may be chance"}`;
}

const percent = (share: number) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
