import type { DriftRow, RuleResult } from "@whytrace/contract";
import { z } from "zod";
import { dateParam, textParam } from "../../http/request/query-params.ts";
import { driftReport } from "../../insights/drift/drift-report.ts";
import { agentParam } from "../../insights/names/params.ts";
import { fitLines } from "../answer.ts";
import { cursorAfter, positionParam } from "../page-cursor.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool } from "../tool.ts";

const MAX_RULES = 15;

export const drift = defineTool({
  name: "drift",
  title: "Find what agents choose differently than before",
  description:
    "Compares what agents choose between two releases, tags or time ranges, and checks decision rules. Without arguments: the newest " +
    "release with the one before it, or else the last 7 days with the 7 before. Lines: { base, current }; broken rules { rule, " +
    "decisions, chosen, traceId }; then one line per decision that drifts: { signature, agent, type, isDrifting, distance, p, options " +
    "with their counts on both sides }, and one per decision that could not be tested: isDrifting is null.",
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
  async run({ days, reads, workspaceId }, { cursor: position, ...query }) {
    const { base, current, rows, rules } = await driftReport({ days, reads }, workspaceId, query);
    const broken = rules.filter(({ isKept }) => !isKept);
    const heads = position > 0 ? [] : [{ base, current }, ...broken.slice(0, MAX_RULES).map(describeRule)];
    const drifting = rows.filter(({ isDrifting }) => isDrifting);
    const untested = rows.filter(({ p }) => p === null);
    const listed = [...drifting.map(describeDrift), ...untested.map(describeUntested)];
    const lines = fitLines([...heads, ...listed.slice(position)]);
    const nothing = untested.length === 0 ? "Nothing drifts" : "Nothing that could be tested drifts";
    return {
      summary:
        `${drifting.length === 0 ? nothing : `${drifting.length} of ${rows.length} decisions drift`}; ` +
        `${broken.length} of ${rules.length} rules are broken. ${current.runs} runs were compared with ${base.runs} before; ` +
        `${untested.length} of ${rows.length} decisions could not be tested.`,
      lines,
      cursor: cursorAfter(position, lines.length - heads.length, listed.length),
    };
  },
});

const describeDrift = ({ signature, agent, type, distance, p, options }: DriftRow) => ({
  signature,
  agent,
  type,
  isDrifting: true,
  distance: shortNumber(distance),
  p: shortNumber(p),
  options: options.map(({ step, name, base, current }) => ({ step, name, base, current })),
});

const describeUntested = ({ signature, agent, type, untested }: DriftRow) => ({
  signature,
  agent,
  type,
  isDrifting: null,
  untested,
});

const describeRule = ({ rule, decisions, chosen, traceId }: RuleResult) => ({
  rule,
  decisions,
  chosen,
  traceId,
});
