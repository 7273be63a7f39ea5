import { CliError } from "../cli-error.ts";
import { asStarted } from "../started-as.ts";
import type { Output } from "./output.ts";

/** What a check of `doctor` found. */
export interface Finding {
  check: string;
  status: "ok" | "warn" | "fail" | "skipped";
  text: string;
  /** What to do about it. */
  advice?: string;
}

export type CheckResult = Omit<Finding, "check">;

const MARKS = {
  ok: ["green", "✓"],
  warn: ["yellow", "!"],
  fail: ["red", "✕"],
  skipped: ["dim", "–"],
} as const;
const INDENT = 16;

export function printFinding({ check, status, text, advice }: Finding, output: Output): void {
  const [style, mark] = MARKS[status];
  output.line(`${output.paint(style, mark)} ${check.padEnd(INDENT - 3)} ${asStarted(text)}`);
  for (const line of advice === undefined ? [] : asStarted(advice).split("\n"))
    output.line(`${" ".repeat(INDENT)}${line}`);
}

export function failedCheck(error: unknown): CheckResult {
  const advice = error instanceof CliError ? error.advice : undefined;
  return {
    status: "fail",
    text: error instanceof Error ? error.message : String(error),
    ...(advice !== undefined && { advice }),
  };
}
