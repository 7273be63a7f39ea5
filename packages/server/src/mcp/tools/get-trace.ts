import { type Outline, optionName, type RunOutcome } from "@whytrace/contract";
import { sql } from "kysely";
import type pg from "pg";
import { z } from "zod";
import { copyOut } from "../../db/copy/copy-out.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { HttpError } from "../../http/http-error.ts";
import { readRunOutcome } from "../../scores/outcomes/read-run-outcome.ts";
import { readNodes, type TraceNodeRow } from "../../traces/read-nodes.ts";
import { recordsQuery } from "../../traces/stored-record.ts";
import { TraceOrder } from "../../traces/trace-order.ts";
import { fitLines, MAX_DATA_CHARACTERS } from "../answer.ts";
import { cursorAfter, positionParam } from "../page-cursor.ts";
import { shortNumber } from "../short-number.ts";
import { defineTool } from "../tool.ts";

/** Records per read, until the answer is full. */
const NODES_PER_READ = 60;
const MAX_REASONING_CHARACTERS = 300;

export const getTrace = defineTool({
  name: "get_trace",
  title: "Get the outline of a trace",
  description:
    "What a run did, in causal order: each span is followed by what happened inside it, one level deeper. The first line is " +
    "the trace, with outcome, reasons (why it is bad) and missing (names of scores that are needed). Then one line each: { span, depth, name, type, atMs, durationMs, status, error, model, costUsd, tokens }, " +
    "{ decision, depth, type, chose, not, because, atMs } or { event, depth, type, name, atMs }; span, decision and event are " +
    "ids, atMs counts from the start of the trace. Payloads are left out: get them with get_span.",
  input: z.strictObject({
    traceId: z.string().describe("The id of the trace"),
    cursor: positionParam,
  }),
  async run({ reads, workspaceId }, { traceId, cursor: position }) {
    return reads.run(workspaceId, async (db, client) => {
      const trace = await readTrace(client, workspaceId, traceId);
      if (!trace) throw new HttpError(404, "Trace not found");
      const [counts, order, judged] = await Promise.all([
        countRecords(db, workspaceId, traceId),
        TraceOrder.read(client, workspaceId, traceId),
        position === 0 ? readRunOutcome(db, workspaceId, traceId) : undefined,
      ]);
      const lines: string[] = position === 0 ? fitLines([{ ...trace, ...describeOutcome(judged) }]) : [];
      let characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
      let shownCount = 0;
      for (const batch of batchesOf(order.nodes(position))) {
        const nodes = await readNodes(db, workspaceId, traceId, batch);
        const described = fitLines(
          nodes.map((node) => describeNode(node, Date.parse(trace.startedAt))),
          MAX_DATA_CHARACTERS - characters,
        );
        lines.push(...described);
        shownCount += described.length;
        characters += described.reduce((sum, line) => sum + line.length + 1, 0);
        if (described.length < batch.length) break;
      }
      return {
        summary:
          `The trace has ${counts.spans} spans, ${counts.failed} of which failed, ${counts.decisions} decisions and ` +
          `${counts.events} events. Of these records, this answer has ${shownCount}, after ${position} others.`,
        lines,
        cursor: cursorAfter(position, shownCount, order.length),
      };
    });
  },
});

/** A run may have very many reasons. */
const MAX_REASONS = 10;

const describeOutcome = (judged: RunOutcome | undefined) =>
  judged && {
    outcome: judged.outcome,
    ...(judged.reasons.length > 0 && {
      reasons: judged.reasons
        .slice(0, MAX_REASONS)
        .map(({ text, place }) => (place.id === null ? text : `${text} (${place.kind} ${place.id})`)),
    }),
    ...(judged.missing.length > 0 && { missing: judged.missing }),
  };

type DescribedTrace = Omit<Outline, "spans" | "decisionPoints" | "events" | "userId">;

async function readTrace(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  traceId: string,
): Promise<DescribedTrace | undefined> {
  const query = recordsQuery(
    "anonymousTrace",
    "outline",
    sql`workspace_id = ${workspaceId} and stored.id = ${traceId}`,
  );
  const [[json] = []] = await copyOut(client, query);
  return json ? JSON.parse(json.toString()) : undefined;
}

async function countRecords(db: Database, workspaceId: WorkspaceId, traceId: string) {
  const { rows } = await sql<{ spans: number; failed: number; decisions: number; events: number }>`
    select span_count as spans, decision_point_count as decisions, event_count as events, (
      select count(*) from spans where workspace_id = ${workspaceId} and trace_id = ${traceId} and status = 'ERROR') as failed
    from traces where workspace_id = ${workspaceId} and id = ${traceId}`.execute(db);
  return rows[0] ?? { spans: 0, failed: 0, decisions: 0, events: 0 };
}

function* batchesOf<Item>(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < NODES_PER_READ) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function describeNode(node: TraceNodeRow, startedAtMs: number) {
  const { id, depth, type } = node;
  const atMs = Date.parse(node.at) - startedAtMs;
  if (node.kind === "event") return { event: id, depth, type, name: node.name, atMs };
  if (node.kind === "decision") {
    const { chosen, alternatives, reasoning } = node;
    return {
      decision: id,
      depth,
      type,
      chose: optionName(chosen),
      not: alternatives.map(optionName),
      ...(reasoning !== null && { because: reasoning.slice(0, MAX_REASONING_CHARACTERS) }),
      atMs,
    };
  }
  const { name, durationMs, status, statusMessage, model, costUsd, tokenCount } = node;
  return {
    span: id,
    depth,
    name,
    type,
    atMs,
    ...withoutNulls({
      durationMs: shortNumber(durationMs),
      model,
      costUsd: shortNumber(costUsd),
      tokens: tokenCount,
    }),
    ...(status !== "COMPLETED" && { status }),
    ...(statusMessage !== null && { [status === "ERROR" ? "error" : "message"]: statusMessage }),
  };
}

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
