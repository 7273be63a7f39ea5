import {
  chanceSentence,
  FINDING_NOTES,
  type FindingItem,
  type Findings,
  findingCaveats,
  findingSentence,
  findingsAge,
  findingsSummary,
  otherLensSentence,
  outcomeNotes,
  shortCount,
} from "@whytrace/contract";
import { optionName } from "../option-name.ts";
import { WHYTRACE } from "../started-as.ts";
import { formatType } from "./format.ts";
import { type Output, printable } from "./output.ts";
import { renderSentence } from "./render-sentence.ts";

const MAX_NAME_LENGTH = 60;
const MAX_APART = 10;

/** Prints what explains bad runs: the answer, one sentence a finding, and what to know of the list. */
export function printFindings(found: Findings, output: Output): void {
  output.line(output.paint("bold", findingsSummary(found)));
  for (const row of found.rows) if (row.group !== "apart") printRow(row, found, output);
  output.line();
  if (found.rows.some(({ group }) => group === "worse")) output.line(chanceSentence(found));
  for (const other of found.otherLenses)
    output.line(`${otherLensSentence(other)} \`${WHYTRACE} why --lens ${other.lens}\` explains them.`);
  const apart = new Set(found.rows.filter(({ group }) => group === "apart").map(({ option }) => option));
  if (apart.size > 0) output.line(describeApart([...apart]));
  output.line(output.paint("dim", describeList(found)));
  const age = findingsAge(found, Date.now());
  if (age !== undefined) output.line(output.paint("dim", age));
  for (const note of outcomeNotes({ ...found, runs: found.countedRuns + found.leftOut.runs }))
    output.line(output.paint("dim", note));
  for (const note of found.notes) output.line(output.paint("dim", FINDING_NOTES[note]));
  if (found.progress !== null) output.note("Some runs are not counted yet. Run the command again.");
}

function describeApart(options: string[]): string {
  const names = options.slice(0, MAX_APART).map((option) => `\`${optionName(option)}\``);
  const more = options.length > MAX_APART ? ` and ${options.length - MAX_APART} more` : "";
  return `Not compared, because never chosen in the same situation as others: ${names.join(", ")}${more}.`;
}

function printRow(row: FindingItem, found: Findings, output: Output) {
  output.line();
  output.line(
    `${output.paint(row.group === "worse" ? "red" : "yellow", "•")} ${renderSentence(findingSentence(row, found), output)}`,
  );
  const place = row.place === null ? "" : ` in ${printable(row.place, MAX_NAME_LENGTH)}`;
  const facts = `${printable(row.agent, MAX_NAME_LENGTH)} · ${formatType(row.type)}${place} · ${row.signature}`;
  for (const line of [facts, ...findingCaveats(row, found)]) output.line(`  ${output.paint("dim", line)}`);
}

function describeList({ from, to, agent, countedRuns, watched }: Findings): string {
  // The end is exclusive.
  const lastDay = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  return [
    agent === null ? "All agents" : printable(agent, MAX_NAME_LENGTH),
    `${from.slice(0, 10)} to ${lastDay}`,
    `${shortCount(countedRuns)} runs compared`,
    "association in the same situation, not cause",
    ...(watched ? [] : ["you asked; not watched"]),
  ].join(" · ");
}
