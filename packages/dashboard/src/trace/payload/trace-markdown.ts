import type { DecisionPoint, SharedTrace, Span } from "@whytrace/contract";
import { optionName } from "@whytrace/contract";
import { formatCost, formatDuration } from "../../ui/format/format.ts";
import { buildTree } from "../model/build-tree.ts";
import type { DecisionNode, SpanNode } from "../model/trace-tree.ts";

const MAX_PAYLOAD_LENGTH = 1_500;
const MAX_LENGTH = 200_000;

/** A trace as text for a language model: the tree in time order, decisions with reasoning, and truncated payloads. */
export function traceMarkdown(trace: SharedTrace): string {
  const tree = buildTree(trace);
  const spansById = new Map(trace.spans.map((span) => [span.id, span]));
  const decisionsById = new Map(trace.decisionPoints.map((decision) => [decision.id, decision]));
  const lines = [
    `# Trace: ${oneLine(trace.name)}`,
    "",
    `Status ${trace.status}, duration ${formatDuration(tree.durationMs)}, cost ${formatCost(tree.costUsd)}, tokens ${tree.tokenCount ?? "—"}, ${tree.spans.length} spans, ${tree.decisions.length} decisions, ${tree.errors.length} errors. Id ${trace.id}, started ${trace.startedAt}.`,
    "",
    "## What happened, in order",
    "",
  ];
  let length = 0;
  for (const node of tree.order) {
    const depth = depthOf(node);
    const block =
      node.kind === "span"
        ? spanLines(node, spansById.get(node.span.id), tree.startMs)
        : decisionLines(node, decisionsById.get(node.decision.id), tree.startMs);
    const text = block.map((line, index) => `${"  ".repeat(depth)}${index === 0 ? "- " : "  "}${line}`);
    length += text.reduce((sum, line) => sum + line.length + 1, 0);
    if (length > MAX_LENGTH) {
      lines.push("", "… truncated: the trace is too long.");
      break;
    }
    lines.push(...text);
  }
  if (trace.events.length > 0) {
    lines.push("", "## Events", "");
    for (const event of trace.events)
      lines.push(`- ${event.type} ${oneLine(event.name)} at ${event.timestamp}${json(" ", event.metadata)}`);
  }
  return lines.join("\n");
}

function spanLines(
  { span, startMs, durationMs, costUsd, parentError }: SpanNode,
  whole: Span | undefined,
  traceStartMs: number,
) {
  const lines = [
    `**${oneLine(span.name)}** (${span.type}, ${span.status}) at +${formatDuration(startMs - traceStartMs)}, took ${formatDuration(durationMs)}, ${formatCost(costUsd)}${parentError ? `, ${parentError}` : ""}`,
  ];
  if (span.statusMessage) lines.push(`message: ${oneLine(span.statusMessage)}`);
  for (const name of ["input", "output"] as const) {
    const text = json("", whole?.[name] ?? null);
    if (text) lines.push(`${name}: ${text}`);
  }
  return lines;
}

function decisionLines(
  { decision, startMs }: DecisionNode,
  whole: DecisionPoint | undefined,
  traceStartMs: number,
) {
  const { type, chosen, alternatives, reasoning } = decision;
  const lines = [
    `**Decision** ${type} at +${formatDuration(startMs - traceStartMs)}: chose \`${oneLine(optionName(chosen))}\``,
  ];
  if (typeof chosen === "object") lines.push(`chosen: ${json("", chosen)}`);
  if (alternatives.length > 0)
    lines.push(
      `instead of: ${alternatives.map((option) => `\`${oneLine(optionName(option))}\``).join(", ")}`,
    );
  if (reasoning) lines.push(`because: ${oneLine(reasoning)}`);
  const context = json("", whole?.contextSnapshot ?? null);
  if (context) lines.push(`context: ${context}`);
  return lines;
}

function depthOf(node: { parent: SpanNode | null }): number {
  let depth = 0;
  for (let ancestor = node.parent; ancestor; ancestor = ancestor.parent) depth++;
  return Math.min(depth, 12);
}

function json(prefix: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? oneLine(value) : JSON.stringify(value);
  const truncated =
    text.length > MAX_PAYLOAD_LENGTH
      ? `${text.slice(0, MAX_PAYLOAD_LENGTH)} … (${text.length} characters)`
      : text;
  return prefix + truncated;
}

const oneLine = (text: string) => text.replace(/\s*\n\s*/g, " ⏎ ");
