import type { DecisionPoint, Span, WholeTrace } from "@whytrace/contract";
import { formatMs, formatTokens, formatType, formatUsd } from "./format.ts";
import { optionName } from "./option-name.ts";
import { type Output, printable } from "./output.ts";

type Outline = Pick<
  WholeTrace,
  | "id"
  | "name"
  | "status"
  | "sessionId"
  | "tags"
  | "totalCost"
  | "totalTokens"
  | "totalDuration"
  | "startedAt"
  | "spans"
  | "decisionPoints"
  | "events"
>;
type Node = { at: number; span: Span } | { at: number; decision: DecisionPoint };
const STATUS_STYLE = { ERROR: "red", RUNNING: "yellow", COMPLETED: "green" } as const;
const STATUS_MARK = { ERROR: "✕", RUNNING: "…", COMPLETED: "✓" } as const;

/** Prints a trace as a tree of spans and the decisions made inside them, ordered by time. */
export function renderTrace(trace: Outline, output: Output): void {
  const { paint } = bound(output);
  output.line(
    `${paint(STATUS_STYLE[trace.status], STATUS_MARK[trace.status])} ${paint("bold", printable(trace.name))}`,
  );
  output.line(
    paint(
      "dim",
      [
        trace.id,
        trace.sessionId === null ? "" : `session ${printable(trace.sessionId)}`,
        trace.tags.map(printable).join(" "),
        new Date(trace.startedAt).toISOString(),
        formatMs(trace.totalDuration),
        formatUsd(trace.totalCost),
        trace.totalTokens === null ? "" : `${formatTokens(trace.totalTokens)} tokens`,
        `${trace.spans.length} spans, ${trace.decisionPoints.length} decisions, ${trace.events.length} events`,
      ]
        .filter((part) => part !== "")
        .join(" · "),
    ),
  );
  const children = childrenOf(trace);
  // An explicit stack instead of recursion: a trace can be deeper than the call stack.
  const stack: { node: Node; indent: string; isLast: boolean }[] = [];
  const push = (parent: string | null, indent: string) => {
    const nodes = children.get(parent) ?? [];
    for (const [index, node] of [...nodes.entries()].reverse())
      stack.push({ node, indent, isLast: index === nodes.length - 1 });
  };
  push(null, "");
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, indent, isLast } = next;
    const below = `${indent}${isLast ? "   " : "│  "}`;
    const branch = `${indent}${isLast ? "└─ " : "├─ "}`;
    if ("decision" in node) decisionLines(node.decision, branch, below, output);
    else {
      output.line(spanLine(node.span, branch, output));
      push(node.span.id, below);
    }
  }
}

function childrenOf({ spans, decisionPoints }: Outline): Map<string | null, Node[]> {
  const ids = new Set(spans.map((span) => span.id));
  const nodes: [string | null, Node][] = [
    ...spans.map((span): [string | null, Node] => [
      span.parentSpanId,
      { at: Date.parse(span.startedAt), span },
    ]),
    ...decisionPoints.map((decision): [string | null, Node] => [
      decision.parentSpanId,
      { at: Date.parse(decision.timestamp), decision },
    ]),
  ];
  const children = new Map<string | null, Node[]>();
  for (const [parent, node] of nodes) {
    // A node whose parent is missing or is the node itself becomes a root, so that its subtree is printed.
    const isRoot = parent === null || !ids.has(parent) || ("span" in node && node.span.id === parent);
    const key = isRoot ? null : parent;
    const siblings = children.get(key);
    if (siblings) siblings.push(node);
    else children.set(key, [node]);
  }
  for (const siblings of children.values()) siblings.sort((one, other) => one.at - other.at);
  return children;
}

function spanLine(
  { name, status, type, durationMs, costUsd, tokenCount, statusMessage }: Span,
  branch: string,
  output: Output,
): string {
  const { paint } = bound(output);
  const title = printable(name);
  const metrics = [
    formatMs(durationMs),
    formatUsd(costUsd),
    tokenCount === null ? "" : formatTokens(tokenCount),
  ];
  const rest = paint("dim", [type, ...metrics.filter((metric) => metric !== "")].join(" · "));
  const message =
    statusMessage === null ? "" : ` ${paint(status === "ERROR" ? "red" : "dim", printable(statusMessage))}`;
  const mark = status === "COMPLETED" ? "" : `${paint(STATUS_STYLE[status], STATUS_MARK[status])} `;
  return `${paint("dim", branch)}${mark}${title} ${rest}${message}`;
}

function decisionLines(
  { type, chosen, alternatives, reasoning, costUsd }: DecisionPoint,
  branch: string,
  below: string,
  output: Output,
): void {
  const { paint } = bound(output);
  const others = alternatives.map(optionName);
  const against = others.length === 0 ? "" : ` ${paint("dim", `not ${others.join(", ")}`)}`;
  const cost = costUsd === null ? "" : ` ${paint("dim", formatUsd(costUsd))}`;
  output.line(
    `${paint("dim", branch)}${paint("magenta", "◆")} ${formatType(type)}: ${paint("bold", optionName(chosen))}${against}${cost}`,
  );
  if (reasoning !== null)
    output.line(`${paint("dim", below)}  ${paint("italic", `“${printable(reasoning)}”`)}`);
}

const bound = (output: Output) => ({ paint: output.paint.bind(output) });
