import { type Blame, blameSentence, outcomeNotes, type Suspect, suspectSentence } from "@whytrace/contract";
import { optionName } from "../option-name.ts";
import { formatCount, formatMs, formatType } from "./format.ts";
import { type Output, printable } from "./output.ts";
import { renderSentence } from "./render-sentence.ts";

const MAX_SUSPECTS = 3;
const MAX_NAME_LENGTH = 60;
const SUSPICION_STYLE = { likely: "red", possible: "yellow", none: "dim" } as const;

/** Prints how a run ended, what explains it, and the suspects. */
export function printBlame(blame: Blame, output: Output): void {
  output.line(`${output.paint("red", "✕")} ${describeEnding(blame, output)}`);
  const suspects = blame.suspects.filter(({ suspicion }) => suspicion !== "none").slice(0, MAX_SUSPECTS);
  // Otherwise the first suspect says it.
  if (suspects.length === 0 || blame.ending.isCircle)
    output.line(renderSentence(blameSentence(blame), output));
  output.line(output.paint("dim", describeCompared(blame)));
  for (const note of outcomeNotes({ ...blame, runs: blame.comparedRuns }))
    output.line(output.paint("dim", note));
  for (const [index, suspect] of suspects.entries()) printSuspect(index + 1, suspect, blame, output);
  if (suspects.length > 0 || blame.suspects.length === 0) return;
  const others = blame.suspects.slice(0, MAX_SUSPECTS).map(({ option }) => optionName(option));
  output.line(output.paint("dim", `In the order of suspicion: ${others.join(", ")}`));
}

function describeEnding({ error, reason, ending }: Blame, output: Output): string {
  if (reason !== null) return output.paint("bold", printable(reason.text, 200));
  if (error === null) return output.paint("bold", "The run was abandoned");
  const message = error.message === null ? "" : `: ${printable(error.message, 200)}`;
  const recovered = ending.kind === "error" ? output.paint("dim", " (the run got over it)") : "";
  return `${output.paint("bold", printable(error.name))}${message}${recovered}`;
}

function describeCompared({
  traceId,
  agent,
  error,
  reason,
  decisions,
  comparedRuns,
  badRuns,
}: Blame): string {
  return [
    printable(agent),
    printable(traceId),
    `${formatCount(decisions, "decision")} before it`,
    `${formatCount(comparedRuns, "run")} compared, ${Math.round(badRuns)} of them bad`,
    // This run has it, too.
    ...(error !== null && error.runs > 1 ? [`${error.runs} with this error`] : []),
    ...(reason !== null && reason.runs > 1 ? [`${reason.runs} bad for this reason`] : []),
  ].join(" · ");
}

function printSuspect(rank: number, suspect: Suspect, blame: Blame, output: Output) {
  const { type, suspicion, place, clue, beforeMs, decisionPointId } = suspect;
  output.line();
  output.line(
    `${output.paint(SUSPICION_STYLE[suspicion], `${rank}.`)} ${renderSentence(suspectSentence(suspect, blame), output)}`,
  );
  const facts = [
    `${formatType(type)}${place === null ? "" : ` in ${printable(place, MAX_NAME_LENGTH)}`}`,
    ...(beforeMs === null ? [] : [`${formatMs(beforeMs)} before`]),
    ...(decisionPointId === null ? [] : [printable(decisionPointId)]),
  ];
  output.line(`   ${output.paint("dim", facts.join(" · "))}`);
  if (clue)
    output.line(
      `   ${printable(clue.key, MAX_NAME_LENGTH)} = ${printable(clue.value, MAX_NAME_LENGTH)} in ${clue.failed} of ${clue.failedTotal} that failed, ${clue.fine} of ${clue.fineTotal} that did not`,
    );
}
