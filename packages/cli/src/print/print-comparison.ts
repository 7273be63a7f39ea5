import type { ComparedDecision, ComparedLine, ComparedRun, Comparison, Rate } from "@whytrace/contract";
import { optionName } from "../option-name.ts";
import { formatCount, formatMs, formatType, formatUsd } from "./format.ts";
import { type Output, printable } from "./output.ts";
import { STATUS_MARK, STATUS_STYLE } from "./status-style.ts";

const MAX_VALUE_LENGTH = 40;
const MAX_CONTEXT_KEYS = 10;
const MARKS = { same: " ", flipped: "≠", changed: "≠", a: "-", b: "+" } as const;

/** Prints two runs, the first decision in which they differ, and all decisions side by side. */
export function printComparison(comparison: Comparison, output: Output): void {
  printRun("a", comparison.a, output);
  printRun("b", comparison.b, output);
  output.line();
  printDivergence(comparison, output);
  output.line();
  for (const line of comparison.lines) printLine(line, output);
  if (comparison.isTruncated) output.note("The runs have more decisions than were compared.");
}

function printRun(name: string, run: ComparedRun, output: Output) {
  const mark = output.paint(STATUS_STYLE[run.status], STATUS_MARK[run.status]);
  const facts = [
    run.release === null ? "" : `release ${printable(run.release)}`,
    formatMs(run.durationMs),
    formatUsd(run.costUsd),
    formatCount(run.decisions, "decision"),
    run.error === null ? "" : printable(run.error, 80),
  ].filter((fact) => fact !== "");
  output.line(
    `${name} ${mark} ${output.paint("bold", printable(run.name, 60))} ${output.paint("dim", `${printable(run.id)} · ${facts.join(" · ")}`)}`,
  );
}

/** Prints where two runs part, with what followed each option elsewhere. */
export function printDivergence({ lines, divergence, contextDivergence }: Comparison, output: Output): void {
  const found = divergence ?? contextDivergence;
  const line = found && lines[found.line];
  if (!line) {
    output.line("Both runs decided the same.");
    return;
  }
  const title = divergence ? "First difference" : "The decisions are the same; first difference in a context";
  const type = line.a?.type ?? line.b?.type ?? "";
  output.line(`${output.paint("bold", title)}, decision ${found.line + 1}: ${formatType(type)}`);
  for (const name of ["a", "b"] as const) {
    const decision = line[name];
    const rate = divergence?.rates?.[name];
    output.line(
      `  ${name} ${describe(decision, output)}${rate ? output.paint("dim", ` ${describeRate(rate)}`) : ""}`,
    );
    if (decision?.reasoning != null)
      output.line(`    ${output.paint("italic", `“${printable(decision.reasoning, 160)}”`)}`);
  }
  for (const { key, a, b } of found.context.filter(({ isEqual }) => !isEqual).slice(0, MAX_CONTEXT_KEYS))
    output.line(`  ${printable(key, MAX_VALUE_LENGTH)}: ${value(a)} ${output.paint("dim", "→")} ${value(b)}`);
  if (line.context?.isTruncated)
    output.line(output.paint("dim", "  A context is too large to be compared completely."));
}

const value = (json: string | null) => (json === null ? "absent" : printable(json, MAX_VALUE_LENGTH));

const describe = (decision: ComparedDecision | null, output: Output) =>
  decision ? output.paint("bold", optionName(decision.option)) : output.paint("dim", "decided nothing here");

/** "failed after 12 of 40". */
const describeRate = ({ failed, decisions }: Rate) => `failed after ${failed} of ${decisions}`;

function printLine({ relation, a, b }: ComparedLine, output: Output) {
  const decision = a ?? b;
  if (!decision) return;
  const options =
    relation === "flipped" || relation === "changed"
      ? `${optionName(a?.option)} ${output.paint("dim", "→")} ${optionName(b?.option)}`
      : optionName(decision.option);
  const mark = MARKS[relation];
  const text = `${mark} ${formatType(decision.type).padEnd(16)} ${options}`;
  output.line(relation === "same" ? output.paint("dim", text) : text);
}
