import {
  type Outline,
  type OutlineDecision,
  type OutlineEvent,
  type OutlineSpan,
  optionName,
  type TraceNode,
  traceNodes,
} from "@whytrace/contract";
import { z } from "zod";
import { HttpError } from "../../http/http-error.ts";
import { getTrace as readTrace } from "../../traces/get-trace.ts";
import { fitLines } from "../answer.ts";
import { cursorAfter, positionParam } from "../page-cursor.ts";
import { readJsonText } from "../read-json-text.ts";
import { defineTool } from "../tool.ts";

const MAX_REASONING_CHARACTERS = 300;

export const getTrace = defineTool({
  name: "get_trace",
  title: "Get the outline of a trace",
  description:
    "What a run did, in causal order: each span is followed by what happened inside it, one level deeper. The first line is " +
    "the trace. Then one line each: { span, depth, name, type, atMs, durationMs, status, error, model, costUsd, tokens }, " +
    "{ decision, depth, type, chose, not, because, atMs } or { event, depth, type, name, atMs }; span, decision and event are " +
    "ids, atMs counts from the start of the trace. Payloads are left out: get them with get_span.",
  input: z.strictObject({
    traceId: z.string().describe("The id of the trace"),
    cursor: positionParam,
  }),
  async run(call, { traceId, cursor: position }) {
    const { reads, userId } = call;
    const stored = await reads.run(userId, (_db, client) => readTrace(client, userId, traceId, "outline"));
    if (!stored) throw new HttpError(404, "Trace not found");
    const outline: Outline = JSON.parse(await readJsonText(call, stored.chunks()));
    const { spans, decisionPoints, events } = outline;
    const nodes = listNodes(outline);
    const shown = nodes.slice(position).map((node) => describeNode(node, outline));
    const lines = fitLines(position === 0 ? [describeTrace(outline), ...shown] : shown);
    const shownCount = lines.length - (position === 0 ? 1 : 0);
    const failed = spans.filter(({ status }) => status === "ERROR").length;
    return {
      summary:
        `The trace has ${spans.length} spans, ${failed} of which failed, ${decisionPoints.length} decisions and ` +
        `${events.length} events. Of these records, this answer has ${shownCount}, after ${position} others.`,
      lines,
      cursor: cursorAfter(position, shownCount, nodes.length),
    };
  },
});

type Node = TraceNode<OutlineSpan, OutlineDecision, OutlineEvent> & { depth: number };

/** Every node after the span that contains it. An explicit stack: a trace can be deeper than the call stack. */
function listNodes(outline: Outline): Node[] {
  const children = traceNodes(outline);
  const childrenAt = (parent: string | null, depth: number): Node[] =>
    (children.get(parent) ?? []).map((node) => ({ ...node, depth })).reverse();
  const nodes: Node[] = [];
  const stack = childrenAt(null, 0);
  for (let node = stack.pop(); node; node = stack.pop()) {
    nodes.push(node);
    if (node.kind === "span") for (const child of childrenAt(node.span.id, node.depth + 1)) stack.push(child);
  }
  return nodes;
}

const describeTrace = ({ spans: _, decisionPoints: __, events: ___, userId: ____, ...trace }: Outline) =>
  trace;

function describeNode(node: Node, { startedAt }: Outline) {
  const { depth, at } = node;
  const atMs = at - Date.parse(startedAt);
  if (node.kind === "event") {
    const { id, type, name } = node.event;
    return { event: id, depth, type, name, atMs };
  }
  if (node.kind === "decision") {
    const { id, type, chosen, alternatives, reasoning } = node.decision;
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
  const { id, name, type, durationMs, status, statusMessage, model, costUsd, tokenCount } = node.span;
  return {
    span: id,
    depth,
    name,
    type,
    atMs,
    ...withoutNulls({ durationMs, model, costUsd, tokens: tokenCount }),
    ...(status !== "COMPLETED" && { status }),
    ...(statusMessage !== null && { [status === "ERROR" ? "error" : "message"]: statusMessage }),
  };
}

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
