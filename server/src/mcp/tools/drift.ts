import type { DriftRow, RuleResult } from "@whytrace/contract";
import { z } from "zod";
import { dateParam, textParam } from "../../http/query-params.ts";
import { driftReport } from "../../insights/drift/drift-report.ts";
import { agentParam } from "../../insights/names/params.ts";
import { fitLines } from "../answer.ts";
import { cursorAfter, positionParam } from "../page-cursor.ts";
import { defineTool } from "../tool.ts";

const MAX_RULES = 15;

export const drift = defineTool({
  name: "drift",
  title: "Find what agents choose differently than before",
  description:
    "Compares what agents choose between two releases, tags or time ranges, and checks decision rules. Without arguments: the newest " +
    "release with the one before it, or else the last 7 days with the 7 before. Lines: { base, current }; broken rules { rule, " +
    "decisions, chosen, traceId }; then one line per decision, those that drift first: { signature, agent, type, isDrifting, distance, " +
    "p, options with their counts on both sides }.",
  input: z.strictObject({
    agent: agentParam,
    from: dateParam("from", "Start of the current side, an ISO 8601 date"),
    to: dateParam("to", "End of the current side. Default: now"),
    baseFrom: dateParam("baseFrom", "Start of the base"),
    baseTo: dateParam("baseTo", "End of the base. Default: the start of the current side"),
    release: textParam("The release of the current side"),
    baseRelease: textParam("The release of the base"),
    tag: textParam("Only traces with this tag on the current side"),
    baseTag: textParam("Only traces with this tag in the base"),
    cursor: positionParam,
  }),
  async run({ days, reads, userId }, { cursor: position, ...query }) {
    const { base, current, rows, rules } = await driftReport({ days, reads }, userId, query);
    const broken = rules.filter(({ isKept }) => !isKept);
    const heads = position > 0 ? [] : [{ base, current }, ...broken.slice(0, MAX_RULES).map(describeRule)];
    const lines = fitLines([...heads, ...rows.slice(position).map(describeRow)]);
    const drifting = rows.filter(({ isDrifting }) => isDrifting).length;
    return {
      summary:
        `${current.runs} runs were compared with ${base.runs} before. ${drifting} of ${rows.length} decisions drift; ` +
        `${broken.length} of ${rules.length} rules are broken.`,
      lines,
      cursor: cursorAfter(position, lines.length - heads.length, rows.length),
    };
  },
});

const describeRow = ({ signature, agent, type, isDrifting, distance, p, options }: DriftRow) => ({
  signature,
  agent,
  type,
  isDrifting,
  distance,
  p,
  options: options.map(({ step, name, base, current }) => ({ step, name, base, current })),
});

const describeRule = ({ rule, decisions, chosen, traceId }: RuleResult) => ({
  rule,
  decisions,
  chosen,
  traceId,
});
