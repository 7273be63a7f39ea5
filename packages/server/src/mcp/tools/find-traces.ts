import { TRACE_SORTS, type TraceRow } from "@whytrace/contract";
import { z } from "zod";
import { readJsonChunks } from "../../db/copy/read-json-chunks.ts";
import { enumParam } from "../../http/request/query-params.ts";
import { listedTracesQuery, listTraces } from "../../traces/list-traces.ts";
import { traceFilterParams } from "../../traces/trace-filter-params.ts";
import { fitLines } from "../answer.ts";
import { cursorAfter, pageAt, positionParam } from "../page-cursor.ts";
import { readRows } from "../read-rows.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool } from "../tool.ts";

export const findTraces = defineTool({
  name: "find_traces",
  title: "Find traces",
  description:
    "Lists runs of agents, the newest first. Each line: { id, name, status, outcome, scores, startedAt, durationMs, costUsd, tokens, " +
    "spans, decisions, events, models, tags, sessionId }; scores is their number. For runs that failed or were judged bad pass outcome " +
    "bad, for those that ended in an error status ERROR; then call why with an id.",
  input: z.strictObject({
    ...traceFilterParams,
    sort: enumParam("sort", TRACE_SORTS, "Default: newest"),
    cursor: positionParam,
  }),
  async run(call, { sort = "newest", cursor: position, ...filter }) {
    const { reads, workspaceId } = call;
    const { page, skip } = pageAt(position);
    const { rows, total } = await reads.run(workspaceId, (db) =>
      listTraces(db, workspaceId, { ...page, sort }, filter),
    );
    const chunks = readJsonChunks(reads, workspaceId, rows.slice(skip), (chunk) =>
      listedTracesQuery(workspaceId, chunk, ["models", "outcome"]),
    );
    const lines = fitLines(await readRows(call, chunks, describe));
    return {
      summary:
        total === 0
          ? "No trace matches. Leave out a filter, or use search to look inside traces."
          : `${total} traces match; these are ${position + 1} to ${position + lines.length}.`,
      lines,
      cursor: cursorAfter(position, lines.length, total),
    };
  },
});

const describe = ({
  id,
  name,
  status,
  startedAt,
  totalDuration,
  totalCost,
  totalTokens,
  ...trace
}: TraceRow) => ({
  id,
  name,
  status,
  outcome: trace.outcome,
  scores: trace.scoreCount,
  startedAt,
  durationMs: shortNumber(totalDuration),
  costUsd: shortNumber(totalCost),
  tokens: totalTokens,
  spans: trace._count.spans,
  decisions: trace._count.decisionPoints,
  events: trace._count.events,
  models: trace.models,
  tags: trace.tags,
  sessionId: trace.sessionId,
});
