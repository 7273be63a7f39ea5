import type { ParsedDecisionPoint } from "@whytrace/contract";
import { asObject, asText } from "./attribute-value.ts";
import type { LoggedCall } from "./combine-logs.ts";
import type { SpanFacts, ToolCall, WrittenDecision } from "./span-facts.ts";
import type { SpanForest, SpanNode } from "./span-forest.ts";

/** The decisions of a trace, in the order of their time: those that were written down, and those that spans show. */
export function deriveDecisions(
  { nodes, childrenFirst }: SpanForest,
  logs: ReadonlyMap<string, LoggedCall>,
): ParsedDecisionPoint[] {
  const inherited = inheritedTools(childrenFirst);
  // A step may repeat a call that failed: what the step says is about the last one.
  const lastCalls = new Map<SpanNode | undefined, SpanNode>();
  for (const node of nodes) if (node.facts.type === "LLM_CALL") lastCalls.set(node.parent, node);
  let charactersLeft = MAX_REPEATED_CHARACTERS;
  const isTold = new Set<SpanNode>();
  const found: { decision: ParsedDecisionPoint; index: number; position: number }[] = [];
  const add = ({ index }: SpanNode, decisions: ParsedDecisionPoint[]) => {
    for (const [position, decision] of decisions.entries()) found.push({ decision, index, position });
  };
  for (let at = childrenFirst.length - 1; at >= 0; at--) {
    const node = childrenFirst[at];
    if (!node) continue;
    const { facts } = node;
    const written = facts.decisions ?? [];
    add(
      node,
      written.map((decision, index) => writtenDecision(facts, decision, `decision-${index}`)),
    );
    if (facts.isRetrieval) add(node, [retrieval(facts)]);
    if (facts.type !== "LLM_CALL") continue;
    // The application has written down what its model chose.
    if (written.some(({ type }) => type === "TOOL_SELECTION")) {
      isTold.add(node);
      continue;
    }
    // A call that two instrumentations report, one inside the other, is one call: the outer one tells its decisions.
    if (node.parent?.facts.type === "LLM_CALL" && isTold.has(node.parent)) {
      isTold.add(node);
      continue;
    }
    const answered = (facts.frameworkDecisions ?? []).map((decision, index) =>
      writtenDecision(facts, decision, `answer-${index}`),
    );
    const called = calledTools(node, logs.get(facts.id), lastCalls.get(node.parent) === node);
    const offered = facts.offered ?? logs.get(facts.id)?.offered ?? inheritedBy(node, called, inherited);
    charactersLeft -= called.calls.length * repeatedCharacters(called, offered);
    const selections = toolSelections(node, called, charactersLeft < 0 ? undefined : offered);
    if (answered.length + selections.length > 0) isTold.add(node);
    add(node, [...answered, ...selections]);
  }
  return found
    .sort(
      (a, b) => a.decision.timestamp - b.decision.timestamp || a.index - b.index || a.position - b.position,
    )
    .map(({ decision }) => decision);
}

/** The tools that the nearest span above offers, for each span. What an agent offers ends where a tool runs. */
function inheritedTools(childrenFirst: readonly SpanNode[]): Map<SpanNode, string[]> {
  const inherited = new Map<SpanNode, string[]>();
  for (let at = childrenFirst.length - 1; at >= 0; at--) {
    const node = childrenFirst[at];
    const { parent } = node ?? {};
    if (!node || !parent || parent.facts.type === "TOOL_CALL") continue;
    const offered = parent.facts.offered ?? inherited.get(parent);
    if (offered) inherited.set(node, offered);
  }
  return inherited;
}

/**
 * Each of the calls of an answer repeats the answer's reasoning and the tools that it left. An answer with very many of
 * them, or an agent with very many answers, would fill the memory: then decisions do without.
 */
const MAX_REPEATED_CHARACTERS = 16_777_216;

const repeatedCharacters = ({ reasoning = "" }: CalledTools, offered: string[] = []) =>
  reasoning.length + offered.reduce((sum, name) => sum + name.length, 0);

/** An agent above may be another one than the caller; then it does not offer what was called. */
function inheritedBy(node: SpanNode, { calls }: CalledTools, inherited: ReadonlyMap<SpanNode, string[]>) {
  const offered = new Set(inherited.get(node));
  return calls.every(({ name }) => offered.has(name)) ? inherited.get(node) : undefined;
}

function toolSelections(
  node: SpanNode,
  { calls, reasoning, isShown }: CalledTools,
  offered: string[] | undefined,
): ParsedDecisionPoint[] {
  const called = new Set(calls.map(({ name }) => name));
  const left = (offered ?? []).filter((name) => !called.has(name));
  return calls.map((call, index) => {
    const agent = handedOffTo(call);
    return {
      ...emptyDecision(node.facts, `call-${index}`),
      type: agent === undefined ? "TOOL_SELECTION" : "ROUTING",
      chosen: { name: agent ?? call.name, arguments: call.arguments ?? {} },
      alternatives: left.map((name) => ({
        name: agent === undefined ? name : (handedOffTo({ name }) ?? name),
      })),
      reasoning: reasoning ?? null,
      contextSnapshot: isShown ? null : FOLLOWING_SPANS,
      timestamp: decidedAt(node),
      inference: { alternativesKnown: offered !== undefined },
    };
  });
}

const FOLLOWING_SPANS = {
  evidence: "The tools that ran after the call. The call itself does not name them.",
};

interface CalledTools {
  calls: ToolCall[];
  reasoning?: string | undefined;
  /** Whether the calls were sent. Otherwise they are the tools that ran. */
  isShown: boolean;
}

function calledTools(node: SpanNode, logged: LoggedCall | undefined, isLast: boolean): CalledTools {
  const { facts, parent } = node;
  if (facts.calls) return { calls: facts.calls, reasoning: facts.reasoning, isShown: true };
  if (logged && logged.calls.length > 0)
    return { calls: logged.calls, reasoning: logged.reasoning, isShown: true };
  const chunk = node.children.find((child) => child.facts.chunk !== undefined)?.facts.chunk;
  if (parent?.facts.calls && parent.facts.type !== "LLM_CALL" && isLast)
    return { calls: parent.facts.calls, reasoning: parent.facts.reasoning ?? chunk, isShown: true };
  if (!facts.asksForTools && !logged?.asksForTools) return { calls: [], isShown: true };
  return { calls: followingTools(node).flatMap(({ facts: { tool } }) => tool ?? []), isShown: false };
}

/** The tools below a call, or else beside it, before the next call. */
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

/** The agent that a call hands over to; undefined for any other tool. */
function handedOffTo({ name, arguments: given }: ToolCall): string | undefined {
  const agent = /^(?:transfer|handoff)_to_(.+)$/.exec(name)?.[1];
  // Google's ADK has one tool for all agents.
  return agent === "agent" ? (asText(asObject(given)?.agent_name) ?? agent) : agent;
}

const retrieval = (facts: SpanFacts): ParsedDecisionPoint => ({
  ...emptyDecision(facts, "retrieval"),
  type: "MEMORY_RETRIEVAL",
  chosen: { name: facts.name },
  inference: { alternativesKnown: false },
});

function writtenDecision(facts: SpanFacts, written: WrittenDecision, id: string): ParsedDecisionPoint {
  return {
    ...emptyDecision(facts, id),
    type: written.type,
    chosen: written.chosen,
    alternatives: written.alternatives ?? [],
    reasoning: written.reasoning ?? null,
    contextSnapshot: written.context ?? null,
    costUsd: written.costUsd ?? null,
    durationMs: written.durationMs ?? null,
    timestamp: within(facts, written.timeMs || facts.endMs),
  };
}

/** A model has decided when it has answered. Some spans of calls go on while the tools run. */
function decidedAt({ facts, children }: SpanNode): number {
  const tool = children.find((child) => child.facts.type === "TOOL_CALL");
  return within(facts, Math.min(facts.endMs, tool?.facts.startMs ?? facts.endMs));
}

const within = ({ startMs, endMs }: SpanFacts, timeMs: number) =>
  Math.floor(Math.max(startMs, Math.min(timeMs, endMs)));

const emptyDecision = (facts: SpanFacts, id: string): ParsedDecisionPoint => ({
  id: `${facts.id}-${id}`,
  type: "CUSTOM",
  reasoning: null,
  chosen: null,
  alternatives: [],
  contextSnapshot: null,
  durationMs: null,
  costUsd: null,
  parentSpanId: facts.id,
  timestamp: within(facts, facts.startMs),
});
