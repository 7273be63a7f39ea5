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
} from "@whytrace/contract";
import { parseDayRange } from "../insights/insights-range.ts";
import { type Answer, fitLines } from "./answer.ts";
import { cursorAfter } from "./page-cursor.ts";
import { pageLinks } from "./page-links.ts";
import { shortNumber } from "./short-number.ts";
import type { ToolCall } from "./tool.ts";

const NOT_CAUSE = "Association in the same situation, not cause.";
const NOT_WATCHED = "You asked for this time range; it is not watched.";
const ASK_AGAIN = "Some runs are not counted yet: call again.";

interface FindingsQuestion {
  agent: string | undefined;
  lens: Findings["lens"] | undefined;
  from: number | undefined;
  to: number | undefined;
  position: number;
}

/** Which options explain bad runs, one sentence a row. */
export async function answerFindings(
  { findings, workspaceId, publicUrl }: ToolCall,
  { agent, lens, position, ...times }: FindingsQuestion,
): Promise<Answer> {
  const found = await findings.read(workspaceId, { range: parseDayRange(times), agent, lens });
  const lines = fitLines(found.rows.slice(position).map((row) => describeFinding(row, found, publicUrl)));
  const isExplained = found.rows.some(({ group }) => group === "worse");
  const age = findingsAge(found, Date.now());
  const summary = [
    findingsSummary(found),
    ...(isExplained ? [chanceSentence(found), NOT_CAUSE] : []),
    ...found.otherLenses.map((other) => `${otherLensSentence(other)} Call again with lens ${other.lens}.`),
    ...outcomeNotes({ ...found, runs: found.countedRuns + found.leftOut.runs }),
    ...found.notes.map((note) => FINDING_NOTES[note]),
    ...(age === undefined ? [] : [age]),
    ...(found.watched ? [] : [NOT_WATCHED]),
    ...(found.progress === null ? [] : [ASK_AGAIN]),
    `Page: ${pageLinks(publicUrl).why}`,
  ];
  return {
    summary: summary.join(" "),
    lines,
    cursor: cursorAfter(position, lines.length, found.rows.length),
  };
}

/** A row as a sentence, with what other tools need. */
export const describeFinding = (
  row: FindingItem,
  found: Pick<Findings, "badRuns" | "lens" | "rows">,
  publicUrl: string,
) => ({
  says: findingSentence(row, found).text,
  caveats: findingCaveats(row, found),
  group: row.group,
  agent: row.agent,
  type: row.type,
  place: row.place,
  ratio: shortNumber(row.ratio),
  signature: row.signature,
  step: row.step,
  page: pageLinks(publicUrl).decision(row.signature),
});
