import { MAX_TRACE_RECORDS, type ParsedDecisionPoint } from "@whytrace/contract";
import { asObject, asText } from "../decode/attribute-value.ts";
import type { SpanFacts, ToolCall, WrittenDecision } from "../map/span-facts.ts";
import { type CalledTools, CalledToolsFinder } from "./called-tools.ts";
import type { LoggedCall } from "./combine-logs.ts";
import type { SpanForest, SpanNode } from "./span-forest.ts";
import { type ToolOffer, ToolOffers } from "./tool-offers.ts";

/**
 * Each call of an answer repeats the answer's reasoning and the tools that it did not call. An answer with very many
 * calls, or an agent with very many tools and answers, would fill the memory. Beyond this, decisions go without them.
 */
const MAX_REPEATED_CHARACTERS = 16_777_216;

/**
 * The decisions of a trace, in the order of their time: those that were written down, and those that spans show. The first
 * ones, if there are more than a trace may have.
 */
export function deriveDecisions(
  forest: SpanForest,
  logs: ReadonlyMap<string, LoggedCall>,
): ParsedDecisionPoint[] {
  const { childrenFirst } = forest;
  const calledTools = new CalledToolsFinder(forest, logs);
  const offers = new ToolOffers(childrenFirst, logs);
  const isTold = new Set<SpanNode>();
  const found: { decision: ParsedDecisionPoint; index: number }[] = [];
  let charactersLeft = MAX_REPEATED_CHARACTERS;
  for (const node of childrenFirst.toReversed()) {
    const { facts, parent, index } = node;
    const decisions = written(facts, facts.decisions, "decision");
    if (facts.isRetrieval) decisions.push(retrieval(facts));
    if (facts.type === "LLM_CALL") {
      // A call that two instrumentations report, one inside the other, is one call: the outer one tells its decisions.
      if (parent?.facts.type === "LLM_CALL" && isTold.has(parent)) isTold.add(node);
      // The application has written down what its model chose.
      else if (decisions.some(({ type }) => type === "TOOL_SELECTION")) isTold.add(node);
      else {
        let answer = calledTools.find(node);
        let offer = offers.find(node, answer.calls);
        charactersLeft -= answer.calls.length * ((answer.reasoning?.length ?? 0) + (offer?.characters ?? 0));
        if (charactersLeft < 0) {
          answer = { ...answer, reasoning: undefined };
          offer = undefined;
        }
        const own = [
          ...written(facts, facts.frameworkDecisions, "answer"),
          ...toolSelections(node, answer, offer),
        ];
        if (own.length > 0) isTold.add(node);
        for (const decision of own) decisions.push(decision);
      }
    }
    for (const decision of decisions) found.push({ decision, index });
  }
  return found
    .sort((a, b) => a.decision.timestamp - b.decision.timestamp || a.index - b.index)
    .slice(0, MAX_TRACE_RECORDS)
    .map(({ decision }) => decision);
}

function toolSelections(
  node: SpanNode,
  { calls, reasoning, isSent }: CalledTools,
  offer: ToolOffer | undefined,
): ParsedDecisionPoint[] {
  if (calls.length === 0) return [];
  const called = new Set(calls.map(({ name }) => name));
  const left = [...(offer?.names ?? [])].filter((name) => !called.has(name));
  // All calls of an answer share them: there may be many of both.
  const otherTools = left.map((name) => ({ name }));
  const otherAgents = left.map((name) => ({ name: handedOffTo({ name }) ?? name }));
  const timestamp = decidedAt(node);
  return calls.map((call, index) => {
    const agent = handedOffTo(call);
    return {
      ...emptyDecision(node.facts, `call-${index}`),
      type: agent === undefined ? "TOOL_SELECTION" : "ROUTING",
      chosen: { name: agent ?? call.name, arguments: call.arguments ?? {} },
      alternatives: agent === undefined ? otherTools : otherAgents,
      reasoning: reasoning ?? null,
      contextSnapshot: isSent ? null : FOLLOWING_SPANS,
      timestamp,
      inference: { alternativesKnown: offer !== undefined },
    };
  });
}

const FOLLOWING_SPANS = {
  evidence: "The tools that ran after the call. The call itself does not name them.",
};

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
    probability: decision.probability ?? null,
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
  probability: null,
});
