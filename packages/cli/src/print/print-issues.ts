import { unexplainedWords } from "@whytrace/contract";
import type { Issue, IssueList } from "@whytrace/contract/schemas/issues/issues";
import { WHYTRACE } from "../started-as.ts";
import { formatAlignedTable } from "./aligned-table.ts";
import { formatCount } from "./format.ts";
import { formatAgo } from "./format-ago.ts";
import { type Output, printable } from "./output.ts";

const MAX_TITLE_LENGTH = 40;
const MAX_NAME_LENGTH = 20;

/** Prints a row for each issue, and how many there are. */
export function printIssues({ issues, counts }: IssueList, output: Output, now: number): void {
  const open = counts.new + counts.ongoing + counts.regressed;
  const rows = issues.map((issue) => rowOf(issue, now));
  for (const line of formatAlignedTable(["", "", "", " ", " ", "", "", " "], rows).slice(1))
    output.line(line);
  const [first] = issues;
  output.line(
    `${formatCount(open, "open issue")}, ${counts.regressed} regressed, ${counts.new} new.` +
      (first ? ` ${WHYTRACE} issue ${first.number} shows one.` : ""),
  );
}

const rowOf = (issue: Issue, now: number): string[] => [
  `#${issue.number} ${issue.state}`,
  printable(issue.title, MAX_TITLE_LENGTH),
  printable(issue.agent, MAX_NAME_LENGTH),
  formatCount(issue.runs, "run"),
  formatShare(issue.share),
  formatExplanation(issue),
  printable(issue.lastRelease ?? "", MAX_NAME_LENGTH),
  issue.lastSeen === null ? "" : formatAgo(Date.parse(issue.lastSeen), now),
];

/** "9 % ±3": the share of the agent's runs, and half of its interval. */
export function formatShare(share: Issue["share"]): string {
  if (!share) return "";
  const points = (value: number) => (value > 0 && value < 0.1 ? value * 100 : Math.round(value * 100));
  const half = Math.max(1, Math.round(((share.high - share.low) / 2) * 100));
  return `${Number(points(share.value).toPrecision(2))} % ±${half}`;
}

/** "refund_api → ask_human likely". */
function formatExplanation(issue: Issue): string {
  const { likely } = issue;
  if (!likely) return unexplainedWords(issue);
  const { option, alternative, word } = likely;
  const names = [option, ...(alternative === null ? [] : [alternative])];
  return `${names.map((name) => printable(name, MAX_NAME_LENGTH)).join(" → ")} ${word}`;
}
