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
  const lastCalls = lastCallsOf(nodes);
  const isTold = new Set<SpanNode>();
  const found: { decision: ParsedDecisionPoint; index: number; position: number }[] = [];
  const add = ({ index }: SpanNode, decisions: ParsedDecisionPoint[]) => {
    for (const [position, decision] of decisions.entries()) found.push({ decision, index, position });
  };
  let charactersLeft = MAX_REPEATED_CHARACTERS;
  for (const node of childrenFirst.toReversed()) {
    const { facts, parent } = node;
    add(node, written(facts, facts.decisions, "decision"));
    if (facts.isRetrieval) add(node, [retrieval(facts)]);
    if (facts.type !== "LLM_CALL") continue;
    // The application has written down what its model chose.
    if (facts.decisions?.some(({ type }) => type === "TOOL_SELECTION")) {
      isTold.add(node);
      continue;
    }
    // A call that two instrumentations report, one inside the other, is one call: the outer one tells its decisions.
    if (parent?.facts.type === "LLM_CALL" && isTold.has(parent)) {
      isTold.add(node);
      continue;
    }
    const logged = logs.get(facts.id);
    let answer = calledTools(node, logged, lastCalls.get(parent) === node);
    const own = facts.offered ?? logged?.offered;
    let offer = own ? offerOf(own) : matching(inherited.get(node), answer);
    charactersLeft -= answer.calls.length * ((answer.reasoning?.length ?? 0) + (offer?.characters ?? 0));
    if (charactersLeft < 0) {
      answer = { ...answer, reasoning: undefined };
      offer = undefined;
    }
    const decisions = [
      ...written(facts, facts.frameworkDecisions, "answer"),
      ...toolSelections(node, answer, offer),
    ];
    if (decisions.length > 0) isTold.add(node);
    add(node, decisions);
  }
  return found
    .sort(
      (a, b) => a.decision.timestamp - b.decision.timestamp || a.index - b.index || a.position - b.position,
    )
    .map(({ decision }) => decision);
}

/**
 * Each call of an answer repeats the answer's reasoning and the tools that it did not call. An answer with very many
 * calls, or an agent with very many tools and answers, would fill the memory. Beyond this, decisions go without them.
 */
const MAX_REPEATED_CHARACTERS = 16_777_216;

/** A step may repeat a call that failed. What the step says is about its last call. */
function lastCallsOf(nodes: readonly SpanNode[]): Map<SpanNode | undefined, SpanNode> {
  const lastCalls = new Map<SpanNode | undefined, SpanNode>();
  for (const node of nodes) if (node.facts.type === "LLM_CALL") lastCalls.set(node.parent, node);
  return lastCalls;
}

/** Tools that a model could call. */
interface Offer {
  names: ReadonlySet<string>;
  characters: number;
}

const offerOf = (names: string[]): Offer => ({
  names: new Set(names),
  characters: names.reduce((sum, name) => sum + name.length, 0),
});

/** An agent above may be another one than the caller. Then it does not offer what was called. */
const matching = (offer: Offer | undefined, { calls }: CalledTools) =>
  offer && calls.every(({ name }) => offer.names.has(name)) ? offer : undefined;

/** The tools that the nearest span above offers, for each span. What an agent offers ends where a tool runs. */
function inheritedTools(childrenFirst: readonly SpanNode[]): Map<SpanNode, Offer> {
  const own = new Map<SpanNode, Offer>();
  const inherited = new Map<SpanNode, Offer>();
  for (const node of childrenFirst.toReversed()) {
    const { facts, parent } = node;
    if (facts.offered && node.children.length > 0) own.set(node, offerOf(facts.offered));
    if (!parent || parent.facts.type === "TOOL_CALL") continue;
    const offer = own.get(parent) ?? inherited.get(parent);
    if (offer) inherited.set(node, offer);
  }
  return inherited;
}

function toolSelections(
  node: SpanNode,
  { calls, reasoning, isShown }: CalledTools,
  offer: Offer | undefined,
): ParsedDecisionPoint[] {
  const called = new Set(calls.map(({ name }) => name));
  const left = [...(offer?.names ?? [])].filter((name) => !called.has(name));
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
      inference: { alternativesKnown: offer !== undefined },
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

const written = (facts: SpanFacts, decisions: WrittenDecision[] = [], id: string): ParsedDecisionPoint[] =>
  decisions.map((decision, index) => ({
    ...emptyDecision(facts, `${id}-${index}`),
    type: decision.type,
    chosen: decision.chosen,
    alternatives: decision.alternatives ?? [],
    reasoning: decision.reasoning ?? null,
    contextSnapshot: decision.context ?? null,
    costUsd: decision.costUsd ?? null,
    durationMs: decision.durationMs ?? null,
    timestamp: within(facts, decision.timeMs || facts.endMs),
  }));

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
