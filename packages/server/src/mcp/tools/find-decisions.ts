import { DECISION_SORTS, type DecisionRow, optionName } from "@whytrace/contract";
import { z } from "zod";
import { readJsonChunks } from "../../db/copy/read-json-chunks.ts";
import { decisionFilterParams } from "../../decisions/decision-filter-params.ts";
import { listDecisions, listedDecisionsQuery } from "../../decisions/list-decisions.ts";
import { enumParam } from "../../http/request/query-params.ts";
import { fitLines } from "../answer.ts";
import { cursorAfter, pageAt, positionParam } from "../page-cursor.ts";
import { readRows } from "../read-rows.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool } from "../tool.ts";

export const findDecisions = defineTool({
  name: "find_decisions",
  title: "Find decisions",
  description:
    "Lists decisions of all traces, the newest first. Each line: { id, traceId, agent, traceStatus, at, type, chose, not, because, " +
    "costUsd }; chose is the option that was taken, not has its alternatives. get_span with kind decision has the context.",
  input: z.strictObject({
    ...decisionFilterParams,
    sort: enumParam("sort", DECISION_SORTS, "Default: newest"),
    cursor: positionParam,
  }),
  async run(call, { sort = "newest", cursor: position, ...filter }) {
    const { reads, workspaceId } = call;
    const { page, skip } = pageAt(position);
    const { rows, total } = await reads.run(workspaceId, (db) =>
      listDecisions(db, workspaceId, { ...page, sort }, filter),
    );
    const chunks = readJsonChunks(reads, workspaceId, rows.slice(skip), (chunk) =>
      listedDecisionsQuery(workspaceId, chunk),
    );
    const lines = fitLines(await readRows(call, chunks, describe));
    return {
      summary:
        total === 0
          ? "No decision matches."
          : `${total} decisions match; these are ${position + 1} to ${position + lines.length}.`,
      lines,
      cursor: cursorAfter(position, lines.length, total),
    };
  },
});

const describe = ({
  id,
  traceId,
  trace,
  timestamp,
  type,
  chosen,
  alternatives,
  reasoning,
  costUsd,
}: DecisionRow) => ({
  id,
  traceId,
  agent: trace.name,
  traceStatus: trace.status,
  at: timestamp,
  type,
  chose: optionName(chosen),
  not: alternatives.map(optionName),
  because: reasoning,
  costUsd: shortNumber(costUsd),
});
