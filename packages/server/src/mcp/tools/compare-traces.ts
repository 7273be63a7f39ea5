import { type ComparedRun, isGoodRun } from "@whytrace/contract";
import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";
import { compareTraces as compare } from "../../insights/compare/compare-traces.ts";
import { listPartners } from "../../insights/compare/list-partners.ts";
import { fitLines } from "../answer.ts";
import { describeDivergence, describeLine } from "../describe-decision.ts";
import { cursorAfter, positionParam } from "../page-cursor.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool, type ToolCall } from "../tool.ts";

const NO_PARTNER =
  "There is no completed run of this agent to compare with. Pass b, the id of another trace.";

export const compareTraces = defineTool({
  name: "compare_traces",
  title: "Compare the decisions of two traces",
  description:
    "Shows where two runs decided differently. Lines: { a, b }, the runs with status, error, cost and release; " +
    "{ firstDifference } with both decisions, the keys of their contexts that differ and what followed each option elsewhere; then " +
    "every line that differs: { line, relation, a, b }. relation is flipped (another of the same options), changed (other options), " +
    "or a or b if only that run decided there.",
  input: z.strictObject({
    a: z.string().describe("The id of a trace"),
    b: z
      .string()
      .optional()
      .describe("The id of another. Default: the nearest run of the agent that went well"),
    cursor: positionParam,
  }),
  async run(call, { a, b, cursor: position }) {
    const { reads, days, workspaceId } = call;
    const other = b ?? (await findNearest(call, a));
    const comparison = await compare({ reads, days }, workspaceId, { a, b: other });
    const differing = comparison.lines.flatMap((line, index) =>
      line.relation === "same" ? [] : [describeLine(line, index)],
    );
    const heads =
      position > 0
        ? []
        : [
            { a: describeRun(comparison.a), b: describeRun(comparison.b) },
            { firstDifference: describeDivergence(comparison) },
          ];
    const lines = fitLines([...heads, ...differing.slice(position)]);
    const same = comparison.lines.length - differing.length;
    return {
      summary:
        `${comparison.lines.length} decisions were compared: ${same} are the same, ${differing.length} differ.` +
        (comparison.isTruncated ? " Later decisions of these runs were not compared." : ""),
      lines,
      cursor: cursorAfter(position, lines.length - heads.length, differing.length),
    };
  },
});

const describeRun = (run: ComparedRun) => ({
  ...run,
  durationMs: shortNumber(run.durationMs),
  costUsd: shortNumber(run.costUsd),
});

async function findNearest(call: ToolCall, traceId: string): Promise<string> {
  const list = await listPartners(call, call.workspaceId, traceId, undefined);
  if (!list) throw new HttpError(404, "Trace not found");
  const nearest = list.partners.find(isGoodRun);
  if (!nearest) throw new HttpError(400, NO_PARTNER);
  return nearest.traceId;
}
