import {
  type DecisionPoint,
  drawnWords,
  type RunOutcome,
  type Span,
  type Status,
  type TraceEvent,
  type TraceNode,
  traceNodes,
  type WholeTrace,
} from "@whytrace/contract";
import { isRecord } from "../api.ts";
import { optionName } from "../option-name.ts";
import { formatCount, formatMs, formatTokens, formatType, formatUsd } from "./format.ts";
import { type Output, printable } from "./output.ts";
import { EXPECTED_OUTCOME, OUTCOME_STYLE, STATUS_MARK, STATUS_STYLE } from "./status-style.ts";

const MAX_JSON_LENGTH = 80;
const MAX_REASONS = 3;

/** Prints a trace as a tree of spans, with the decisions and events inside them, ordered by time. */
export function renderTrace(trace: WholeTrace, judged: RunOutcome, output: Output): void {
  printHeader(trace, judged, output);
  // An explicit stack instead of recursion: a trace can be deeper than the call stack.
  const stack: { node: TraceNode<Span, DecisionPoint, TraceEvent>; indent: string; isLast: boolean }[] = [];
  const push = (nodes: TraceNode<Span, DecisionPoint, TraceEvent>[], indent: string) => {
    for (const [index, node] of [...nodes.entries()].reverse())
      stack.push({ node, indent, isLast: index === nodes.length - 1 });
  };
  push(traceNodes(trace), "");
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, indent, isLast } = next;
    const below = `${indent}${isLast ? "   " : "│  "}`;
    const branch = output.paint("dim", `${indent}${isLast ? "└─ " : "├─ "}`);
    if (node.kind === "span") {
      output.line(`${branch}${spanText(node.span, output)}`);
      push(node.children, below);
    } else if (node.kind === "event") output.line(`${branch}${eventText(node.event, output)}`);
    else {
      output.line(`${branch}${decisionText(node.decision, output)}`);
      const { reasoning, probability } = node.decision;
      if (probability !== null)
        output.line(`${output.paint("dim", below)}  ${output.paint("dim", drawnWords(probability))}`);
      if (reasoning !== null)
        output.line(`${output.paint("dim", below)}  ${output.paint("italic", `“${printable(reasoning)}”`)}`);
    }
  }
}

function printHeader(trace: WholeTrace, judged: RunOutcome, output: Output): void {
  const mark = output.paint(STATUS_STYLE[trace.status], STATUS_MARK[trace.status]);
  const outcome = outcomeText(trace.status, judged, output);
  output.line(`${mark} ${output.paint("bold", printable(trace.name))}${outcome}`);
  const counts = [
    formatCount(trace.spans.length, "span"),
    formatCount(trace.decisionPoints.length, "decision"),
    formatCount(trace.events.length, "event"),
  ];
  const facts = [
    printable(trace.id),
    trace.sessionId === null ? "" : `session ${printable(trace.sessionId)}`,
    trace.tags.map((tag) => printable(tag)).join(" "),
    new Date(trace.startedAt).toISOString(),
    formatMs(trace.totalDuration),
    formatUsd(trace.totalCost),
    trace.totalTokens === null ? "" : `${formatTokens(trace.totalTokens)} tokens`,
    counts.join(", "),
  ];
  output.line(output.paint("dim", facts.filter((fact) => fact !== "").join(" · ")));
}

/** The outcome and why, unless the status says it all. */
function outcomeText(status: Status, { outcome, reasons }: RunOutcome, output: Output): string {
  const told = reasons.filter(({ kind }) => kind !== "status").map(({ text }) => printable(text));
  if (outcome === EXPECTED_OUTCOME[status] && told.length === 0) return "";
  const more = told.length > MAX_REASONS ? [`${told.length - MAX_REASONS} more`] : [];
  const why = told.length === 0 ? "" : `: ${[...told.slice(0, MAX_REASONS), ...more].join("; ")}`;
  return `  ${output.paint(OUTCOME_STYLE[outcome], `${outcome}${why}`)}`;
}

function spanText(span: Span, output: Output): string {
  const { name, status, type, durationMs, costUsd, tokenCount, statusMessage } = span;
  const mark = status === "COMPLETED" ? "" : `${output.paint(STATUS_STYLE[status], STATUS_MARK[status])} `;
  const input = type === "TOOL_CALL" ? shortJson(span.input) : "";
  const facts = [
    type,
    type === "LLM_CALL" ? modelOf(span) : "",
    formatMs(durationMs),
    formatUsd(costUsd),
    formatTokens(tokenCount),
  ].filter((fact) => fact !== "");
  const message =
    statusMessage === null
      ? ""
      : ` ${output.paint(status === "ERROR" ? "red" : "dim", printable(statusMessage))}`;
  return `${mark}${printable(name)}${input} ${output.paint("dim", facts.join(" · "))}${message}`;
}

function decisionText({ type, chosen, alternatives, costUsd }: DecisionPoint, output: Output): string {
  const others = alternatives.map(optionName);
  const against = others.length === 0 ? "" : ` ${output.paint("dim", `not ${others.join(", ")}`)}`;
  const cost = costUsd === null ? "" : ` ${output.paint("dim", formatUsd(costUsd))}`;
  const mark = output.paint("magenta", "◆");
  return `${mark} ${formatType(type)}: ${output.paint("bold", optionName(chosen))}${against}${cost}`;
}

function eventText({ type, name, metadata }: TraceEvent, output: Output): string {
  const mark = output.paint(type === "ERROR" ? "red" : "yellow", "•");
  return `${mark} ${formatType(type)}: ${printable(name)}${output.paint("dim", shortJson(metadata))}`;
}

const shortJson = (value: unknown) =>
  value === null || value === undefined ? "" : ` ${printable(JSON.stringify(value), MAX_JSON_LENGTH)}`;

/** The SDK records the model in the metadata; providers name it in their requests and responses, too. */
function modelOf({ metadata, input, output }: Span): string {
  for (const payload of [metadata, output, input])
    if (isRecord(payload) && typeof payload.model === "string") return printable(payload.model);
  return "";
}
