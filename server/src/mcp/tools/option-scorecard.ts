import type { OptionComparison, Scorecard, ScorecardOption, WhyRow } from "@whytrace/contract";
import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";
import { describeRange, parseDayRange, rangeParams } from "../../insights/insights-range.ts";
import { agentParam, NO_SUCH_DECISION, parseSignature, releaseParam } from "../../insights/names/params.ts";
import { scorecard } from "../../insights/scorecards/scorecard.ts";
import { whyList } from "../../insights/scorecards/why-list.ts";
import { fitLines } from "../answer.ts";
import { describeRate } from "../describe-decision.ts";
import { cursorAfter, positionParam } from "../page-cursor.ts";
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
  title: "Compare the options of a decision",
  description:
    "What followed each option of a decision, over all runs. Without signature, lists decisions, those first whose worst option costs " +
    "the most: { signature, type, place, group, decisions, options, comparison }. With signature, one decision: { signature, type, " +
    "agents, comparison, neverChosen }, then one line per option: { step, name, decisions, failed, recovered, failureRate95, offered, " +
    "lift, costUsd, durationMs, verdicts }. comparison.q is the probability of such a difference by chance; group worse means that " +
    "it holds. find_traces takes a step.",
  input,
  run: (call, query) =>
    query.signature === undefined
      ? listDecisions(call, query)
      : describeDecision(call, query, query.signature),
});

async function listDecisions(
  { days, userId }: ToolCall,
  { cursor: position, agent, release, ...times }: Query,
) {
  const range = parseDayRange(times);
  const list = await days.read(userId, range, async (read, db) => ({
    ...describeRange(range, read),
    ...(await whyList(db, userId, range, read, { agent, release })),
  }));
  const lines = fitLines(list.rows.slice(position).map(describeRow));
  return {
    summary:
      `${list.decisions} decisions in ${list.runs} runs from ${list.from} to ${list.to}; ${list.failedRuns} runs failed.` +
      ` There are ${list.rows.length} different decisions; these are ${position + 1} to ${position + lines.length}.`,
    lines,
    cursor: cursorAfter(position, lines.length, list.rows.length),
  };
}

async function describeDecision({ days, userId }: ToolCall, query: Query, hash: string) {
  const { cursor: position, agent, release, ...times } = query;
  const signature = parseSignature(hash);
  const range = parseDayRange(times);
  const found = await days.read(userId, range, (read, db, readMore) =>
    scorecard(db, userId, read, { signature, range, agent, release }, () =>
      readMore({ sections: ["choices"], signature }),
    ),
  );
  if (!found) throw new HttpError(404, NO_SUCH_DECISION);
  const heads = position > 0 ? [] : [describeHead(found)];
  const lines = fitLines([...heads, ...found.options.slice(position).map(describeOption)]);
  return {
    summary: `This was decided ${found.decisions} times; ${found.options.length} options were chosen.`,
    lines,
    cursor: cursorAfter(position, lines.length - heads.length, found.options.length),
  };
}

const describeComparison = (comparison: OptionComparison | null) =>
  comparison && {
    worst: comparison.worst,
    best: comparison.best,
    failuresAbove: comparison.failures,
    costUsdAbove: comparison.costUsd,
    lift: comparison.lift,
    q: comparison.q,
    isConfounded: comparison.isConfounded,
  };

const describeRow = ({ signature, type, place, group, decisions, options, comparison }: WhyRow) => ({
  signature,
  type,
  place,
  group,
  decisions,
  options: options.map(({ step, name, rate }) => ({
    step,
    name,
    decisions: rate.decisions,
    failed: rate.failed,
  })),
  comparison: describeComparison(comparison),
});

const describeHead = ({
  signature,
  type,
  agents,
  place,
  group,
  comparison,
  neverChosen,
}: Omit<Scorecard, "from" | "to">) => ({
  signature,
  type,
  agents,
  place,
  group,
  comparison: describeComparison(comparison),
  neverChosen,
});

const describeOption = ({
  step,
  name,
  rate,
  offered,
  lift,
  costUsd,
  durationMs,
  verdicts,
}: ScorecardOption) => ({
  step,
  name,
  ...describeRate(rate),
  offered,
  lift,
  costUsd: costUsd && { p50: costUsd.p50, p95: costUsd.p95 },
  durationMs: durationMs && { p50: durationMs.p50, p95: durationMs.p95 },
  verdicts,
});
