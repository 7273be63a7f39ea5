import { explanationSentence } from "@whytrace/contract";
import type { IssueDetail, TimelineEntry } from "@whytrace/contract/schemas/issues/issues";
import { WHYTRACE } from "../started-as.ts";
import { formatAlignedTable } from "./aligned-table.ts";
import { formatCount } from "./format.ts";
import { formatAgo } from "./format-ago.ts";
import { type Output, printable } from "./output.ts";
import { formatShare } from "./print-issues.ts";

const MAX_TEXT_LENGTH = 200;
const MAX_GROUPS = 5;

/** Prints what the page of an issue shows. */
export function printIssue(
  issue: IssueDetail,
  timeline: readonly TimelineEntry[],
  output: Output,
  { url, now, why }: { url: string; now: number; why: string | null },
): void {
  output.line(`${output.paint("bold", `#${issue.number} ${printable(issue.title, MAX_TEXT_LENGTH)}`)}`);
  output.line(
    [
      issue.state,
      printable(issue.agent, MAX_TEXT_LENGTH),
      formatCount(issue.runs, "run"),
      ...(issue.share ? [`${formatShare(issue.share)} of ${issue.share.of}`] : []),
      ...(issue.people === null ? [] : [`${issue.people} ${issue.people === 1 ? "person" : "people"}`]),
      ...(issue.lastSeen === null ? [] : [`last ${formatAgo(Date.parse(issue.lastSeen), now)}`]),
    ].join(" · "),
  );
  output.line(explanationSentence(issue, (option) => printable(option, MAX_TEXT_LENGTH)));
  printGroups(
    "Releases",
    issue.byRelease.map(({ release, runs, share }) => [
      release ?? "none",
      formatCount(runs, "run"),
      formatShare(share),
    ]),
    output,
  );
  printGroups(
    "Models",
    issue.byModel.map(({ model, runs }) => [model, formatCount(runs, "run"), ""]),
    output,
  );
  if (issue.examples && why !== null) {
    output.line();
    output.line(`Newest run:   ${printable(issue.examples.newest)}   ${printable(why)}`);
    if (issue.nearestGoodRun !== null)
      output.line(`Went well:    ${printable(issue.nearestGoodRun)}   ${WHYTRACE} diff shows the difference`);
  }
  if (timeline.length > 0) output.line();
  for (const entry of timeline) output.line(describeEntry(entry, now));
  output.line(output.paint("dim", `${url}/issues/${issue.number}`));
}

function printGroups(title: string, rows: string[][], output: Output) {
  if (rows.length === 0) return;
  output.line();
  output.line(title);
  const shown = rows
    .slice(0, MAX_GROUPS)
    .map(([name = "", ...cells]) => [`  ${printable(name, 40)}`, ...cells]);
  for (const line of formatAlignedTable(["", " ", " "], shown).slice(1)) output.line(line);
}

const describeEntry = ({ kind, at, by, text }: TimelineEntry, now: number): string =>
  [
    `${formatAgo(Date.parse(at), now).padStart(10)}  ${kind}`,
    ...(by?.name ? [`by ${printable(by.name, 40)}`] : []),
    ...(text === undefined ? [] : [`"${printable(text, MAX_TEXT_LENGTH)}"`]),
  ].join(" ");
