import { z } from "zod";
import { enumParam } from "../../http/request/query-params.ts";
import { LENSES } from "../../insights/findings/stored/finding-windows.ts";
import { rangeParams } from "../../insights/insights-range.ts";
import { agentParam } from "../../insights/names/params.ts";
import { answerBlame } from "../answer-blame.ts";
import { answerFindings } from "../answer-findings.ts";
import { positionParam } from "../page-cursor.ts";
import { defineTool } from "../tool.ts";

export const why = defineTool({
  name: "why",
  title: "Explain why runs go wrong",
  description:
    "Without traceId: which choices explain bad runs of the last 30 days, compared in the same situation. One line a finding: { says, " +
    "caveats, group, agent, signature, step, page }. With traceId: why one run went wrong. Lines: { says, reason, otherReasons, error, otherErrors }; up to 5 " +
    "suspects { rank, says, suspicion, decisionPointId, chose or leftOut, place, clue, signature, step }, the likeliest first; then " +
    "{ nearestGoodRun, firstDifference }, in which a is this run. says is the answer in words. An association, not a proof: check a " +
    "suspect with get_span, kind decision.",
  input: z.strictObject({
    traceId: z.string().optional().describe("The id of a trace. Default: explain all runs"),
    spanId: z
      .string()
      .optional()
      .describe(
        "Only with traceId: the failed span to explain. Default: the error that the trace ended with",
      ),
    reason: z
      .int()
      .min(0)
      .optional()
      .describe(
        "Only with traceId: which reason to explain for which the run is bad, from 0 on. Default: the main one",
      ),
    agent: agentParam,
    lens: enumParam(
      "lens",
      LENSES,
      "Which runs are bad. failed: they failed, or were abandoned; error: an error came, whether or not the run got over it; scored: " +
        "they have a bad score. Default: failed, or scored if no run failed",
    ),
    ...rangeParams,
    cursor: positionParam,
  }),
  run: (call, { traceId, spanId, reason, agent, lens, from, to, cursor: position }) =>
    traceId === undefined
      ? answerFindings(call, { agent, lens, from, to, position })
      : answerBlame(call, traceId, { spanId, reason }),
});
