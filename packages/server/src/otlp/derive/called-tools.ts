import { shortArguments } from "../map/short-arguments.ts";
import type { SpanFacts, ToolCall } from "../map/span-facts.ts";
import type { LoggedCall } from "./combine-logs.ts";
import type { SpanForest, SpanNode } from "./span-forest.ts";

/** The tools that a model called in one answer. */
export interface CalledTools {
  calls: ToolCall[];
  reasoning: string | undefined;
  /** Whether the calls themselves were sent. Otherwise they are the tools that ran. */
  isSent: boolean;
}

const NONE: CalledTools = { calls: [], reasoning: undefined, isSent: true };

/** Finds what each call of a model called. */
export class CalledToolsFinder {
  readonly #logs: ReadonlyMap<string, LoggedCall>;
  /** A step may repeat a call that failed. What the step says is about its last call. */
  readonly #lastCalls = new Map<SpanNode | undefined, SpanNode>();
  /** Calls of models with a report of the same call inside it that names the tools. */
  readonly #isToldInside = new Set<SpanNode>();

  constructor({ nodes, childrenFirst }: SpanForest, logs: ReadonlyMap<string, LoggedCall>) {
    this.#logs = logs;
    for (const node of nodes) if (node.facts.type === "LLM_CALL") this.#lastCalls.set(node.parent, node);
    for (const node of childrenFirst)
      if (node.parent?.facts.type === "LLM_CALL" && node.facts.type === "LLM_CALL")
        if (this.#isToldInside.has(node) || this.#sent(node)) this.#isToldInside.add(node.parent);
  }

  find(node: SpanNode): CalledTools {
    const sent = this.#sent(node);
    if (sent) return sent;
    const logged = this.#logs.get(node.facts.id);
    const asksForTools = node.facts.asksForTools || logged?.asksForTools;
    if (!asksForTools || this.#isToldInside.has(node)) return NONE;
    const calls = followingTools(node).flatMap(({ facts }) => this.#ran(facts) ?? []);
    return { calls, reasoning: logged?.reasoning, isSent: false };
  }

  /** The tool that a span ran. Its arguments may be in a log record. */
  #ran({ id, tool }: SpanFacts): ToolCall | undefined {
    const given = tool?.arguments ?? shortArguments(this.#logs.get(id)?.input);
    return tool && given !== undefined ? { ...tool, arguments: given } : tool;
  }

  #sent(node: SpanNode): CalledTools | undefined {
    const { facts, parent } = node;
    if (facts.calls) return { calls: facts.calls, reasoning: facts.reasoning, isSent: true };
    const logged = this.#logs.get(facts.id);
    if (logged && logged.calls.length > 0)
      return { calls: logged.calls, reasoning: logged.reasoning, isSent: true };
    // Mastra has the calls on the step around the call, and the reasoning on a span below it.
    const step = parent?.facts.type === "LLM_CALL" ? undefined : parent?.facts;
    if (!step?.calls || this.#lastCalls.get(parent) !== node) return undefined;
    const chunk = node.children.find((child) => child.facts.chunk !== undefined)?.facts.chunk;
    return { calls: step.calls, reasoning: step.reasoning ?? chunk, isSent: true };
  }
}

/** The tools that ran below a call, or else beside it, before the next call. */
function followingTools(node: SpanNode): SpanNode[] {
  const below = node.children.filter(({ facts }) => facts.type === "TOOL_CALL");
  if (below.length > 0) return below;
  const tools: SpanNode[] = [];
  for (let at = positionOf(node) + 1; at < node.siblings.length; at++) {
    const next = node.siblings[at];
    if (!next || next.facts.type === "LLM_CALL") break;
    if (next.facts.type === "TOOL_CALL") tools.push(next);
  }
  return tools;
}

/** The position of a span among its siblings, which are in the order of `index`. */
function positionOf({ siblings, index }: SpanNode): number {
  let [low, high] = [0, siblings.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((siblings[middle]?.index ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
