import {
  outcomeNotes,
  type Quantiles,
  type Scorecard,
  type ScorecardOption,
  type WhyList,
  type WhyRow,
} from "@whytrace/contract";
import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";
import type { DayRange } from "../../insights/days/read-days.ts";
import { windowOf } from "../../insights/findings/stored/finding-windows.ts";
import { describeRange, parseDayRange, rangeParams } from "../../insights/insights-range.ts";
import { agentParam, NO_SUCH_DECISION, parseSignature, releaseParam } from "../../insights/names/params.ts";
import { readScorecard } from "../../insights/scorecards/read-scorecard.ts";
import { whyList } from "../../insights/scorecards/why-list.ts";
import { fitLines } from "../answer.ts";
import { describeFinding } from "../answer-findings.ts";
import { describeRate } from "../describe-decision.ts";
import { cursorAfter, positionParam } from "../page-cursor.ts";
import { pageLinks } from "../page-links.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool, type ToolCall } from "../tool.ts";

const input = z.strictObject({
  signature: z
    .string()
    .optional()
    .describe("14 hexadecimal digits, from why, compare_traces or this tool. Default: list the decisions"),
  agent: agentParam,
  release: releaseParam,
  ...rangeParams,
  cursor: positionParam,
});
type Query = z.output<typeof input>;

export const optionScorecard = defineTool({
  name: "option_scorecard",
  title: "Show what followed the options of a decision",
  description:
    "What followed each option of a decision, over all runs. Without signature, lists decisions, the most frequent first: { signature, " +
    "type, place, isAside, decisions, options }. With signature, one decision: { findings, signature, type, agents, neverChosen, page }, " +
    "then one line per option: { step, name, decisions, failed, recovered, failureRate95, offered, costUsd, durationMs, verdicts }. " +
    "Rates compare nothing: an option that comes early is followed by all failures. findings, like the tool why, compare options in the " +
    "same situation. find_traces takes a step.",
  input,
  run: (call, query) =>
    query.signature === undefined
      ? listDecisions(call, query)
      : describeDecision(call, query, query.signature),
});

async function listDecisions(
  { days, workspaceId }: ToolCall,
  { cursor: position, agent, release, ...times }: Query,
) {
  const range = parseDayRange(times);
  const list = await days.readJudged(workspaceId, { range, agent }, async (read, db) => ({
    ...describeRange(range, read),
    ...(await whyList(db, workspaceId, range, read, { agent, release })),
  }));
  const lines = fitLines(list.rows.slice(position).map(describeRow));
  return {
    summary:
      `${list.decisions} decisions in ${list.runs} runs from ${list.from} to ${list.to}; ${list.failedRuns} runs failed.` +
      describeWithoutDecisions(list) +
      outcomeNotes(list)
        .map((note) => ` ${note}`)
        .join("") +
      ` There are ${list.rows.length} different decisions; these are ${position + 1} to ${position + lines.length}.`,
    lines,
    cursor: cursorAfter(position, lines.length, list.rows.length),
  };
}

const describeWithoutDecisions = ({
  runsWithoutDecisions,
  failedWithoutDecisions,
}: Pick<WhyList, "runsWithoutDecisions" | "failedWithoutDecisions">) =>
  runsWithoutDecisions === 0
    ? ""
    : ` ${runsWithoutDecisions} other runs decided nothing, ${failedWithoutDecisions} of them failed.`;

async function describeDecision(call: ToolCall, query: Query, hash: string) {
  const { days, workspaceId } = call;
  const { cursor: position, agent, release, ...times } = query;
  const signature = parseSignature(hash);
  const range = parseDayRange(times);
  const found = await readScorecard(days, workspaceId, { signature, range, agent, release });
  if (!found) throw new HttpError(404, NO_SUCH_DECISION);
  const heads =
    position > 0
      ? []
      : [{ findings: await findingsOf(call, hash, range, agent), ...describeHead(found, call) }];
  const lines = fitLines([...heads, ...found.options.slice(position).map(describeOption)]);
  return {
    summary: [
      `This was decided ${found.decisions} times; ${found.options.length} options were chosen.`,
      ...outcomeNotes(found),
    ].join(" "),
    lines,
    cursor: cursorAfter(position, lines.length - heads.length, found.options.length),
  };
}

/** What watched findings say of the decision. Those of other time ranges would have to be computed first. */
async function findingsOf(
  { findings, workspaceId, publicUrl }: ToolCall,
  signature: string,
  range: DayRange,
  agent: string | undefined,
) {
  if (windowOf(range) === undefined) return [];
  const found = await findings.read(workspaceId, { range, agent, lens: undefined });
  return found.rows
    .filter((row) => row.signature === signature)
    .map((row) => describeFinding(row, found, publicUrl).says);
}

const describeRow = ({ signature, type, place, isAside, decisions, options }: WhyRow) => ({
  signature,
  type,
  place,
  isAside,
  decisions,
  options: options.map(({ step, name, rate }) => ({
    step,
    name,
    decisions: rate.decisions,
    failed: rate.failed,
  })),
});

const describeHead = (
  { signature, type, agents, place, isAside, neverChosen }: Omit<Scorecard, "from" | "to">,
  { publicUrl }: ToolCall,
) => ({
  signature,
  type,
  agents,
  place,
  isAside,
  neverChosen,
  page: pageLinks(publicUrl).decision(signature),
});

const describeQuantiles = (quantiles: Quantiles | null) =>
  quantiles && { p50: shortNumber(quantiles.p50), p95: shortNumber(quantiles.p95) };

const describeOption = ({ step, name, rate, offered, costUsd, durationMs, verdicts }: ScorecardOption) => ({
  step,
  name,
  ...describeRate(rate),
  offered,
  costUsd: describeQuantiles(costUsd),
  durationMs: describeQuantiles(durationMs),
  verdicts,
});
