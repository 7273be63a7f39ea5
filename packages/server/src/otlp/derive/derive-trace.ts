import type { Status } from "@whytrace/contract";
import type { DerivedTrace, SpanCompletion } from "../../trace-store/rows/derived-trace.ts";
import type { LogFacts, SpanFacts } from "../map/span-facts.ts";
import { combineLogs, type LoggedCall } from "./combine-logs.ts";
import { deriveDecisions } from "./derive-decisions.ts";
import { deriveScores } from "./derive-scores.ts";
import { deriveTotals } from "./derive-totals.ts";
import { loggedEvents } from "./logged-events.ts";
import { buildForest, type SpanNode } from "./span-forest.ts";

/**
 * Derives a trace and its decisions from all its spans and log records. The result is the same for any order of them,
 * and takes time in proportion to their number.
 */
export function deriveTrace(spans: Iterable<SpanFacts>, logs: Iterable<LogFacts>): DerivedTrace {
  const forest = buildForest(spans);
  const { nodes } = forest;
  const allLogs = withSpansOfCalls([...logs], nodes);
  const logged = combineLogs(allLogs);
  const roots = nodes.filter(({ facts }) => (facts.parentId ?? null) === null);
  const status = statusOf(roots);
  const top = (roots[0] ?? nodes.find(({ parent }) => !parent))?.facts;
  const startedAt = nodes[0]?.facts.startMs ?? 0;
  const endedAt = Math.floor(nodes.reduce((latest, { facts }) => Math.max(latest, facts.endMs), startedAt));
  const isRunning = status === "RUNNING";
  const { tokens, costUsd } = deriveTotals(forest);
  return {
    name: top?.label ?? firstWith(nodes, agentLabel) ?? top?.name ?? "trace",
    status,
    sessionId: top?.session ?? firstWith(nodes, ({ session }) => session) ?? null,
    tags: top?.tags ?? firstWith(nodes, ({ tags }) => tags) ?? [],
    serviceVersion: top?.version ?? null,
    metadataPairs: top?.pairs ?? null,
    totalTokens: tokens,
    totalCost: costUsd,
    totalDuration: isRunning ? null : endedAt - startedAt,
    startedAt,
    endedAt: isRunning ? null : endedAt,
    sampleProbability: top?.sampled ?? null,
    decisionPoints: deriveDecisions(forest, logged),
    completions: completionsOf(nodes, logged),
    loggedEvents: loggedEventsOf(nodes, allLogs),
    scores: deriveScores(nodes, allLogs, startedAt),
  };
}

/** A trace has failed if one of its roots has. Without a root it is still running: roots are sent last. */
function statusOf(roots: SpanNode[]): Status {
  const statuses = roots.map(({ facts }) => facts.status);
  if (statuses.length === 0 || statuses.includes("RUNNING")) return "RUNNING";
  return statuses.includes("ERROR") ? "ERROR" : "COMPLETED";
}

const agentLabel = ({ type, label }: SpanFacts) => (type === "AGENT" ? label : undefined);

function firstWith<Value>(nodes: readonly SpanNode[], read: (facts: SpanFacts) => Value | undefined) {
  for (const { facts } of nodes) {
    const value = read(facts);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Assigns log records about a call to its span. Those about an unknown call, or one of several spans, are left out. */
function withSpansOfCalls(logs: LogFacts[], nodes: readonly SpanNode[]): LogFacts[] {
  if (logs.every(({ callId }) => callId === undefined)) return logs;
  const called = Map.groupBy(nodes, ({ facts }) => facts.callId);
  return logs.flatMap((log) => {
    if (log.callId === undefined) return log;
    const [node, other] = called.get(log.callId) ?? [];
    return node && !other ? { ...log, spanId: node.facts.id } : [];
  });
}

function loggedEventsOf(nodes: readonly SpanNode[], logs: readonly LogFacts[]) {
  const events = logs.filter(({ event }) => event);
  if (events.length === 0) return [];
  const ids = new Set(nodes.map(({ facts }) => facts.id));
  return loggedEvents(events, (id) => ids.has(id));
}

function completionsOf(nodes: readonly SpanNode[], logged: ReadonlyMap<string, LoggedCall>) {
  const completions = new Map<string, SpanCompletion>();
  for (const { facts } of nodes) {
    const { input, output } = logged.get(facts.id) ?? {};
    const completion = {
      ...(input !== undefined && !facts.hasInput && { input }),
      ...(output !== undefined && !facts.hasOutput && { output }),
    };
    if (!("input" in completion || "output" in completion)) continue;
    completions.set(facts.id, { ...completion, ...(facts.callId !== undefined && { callId: facts.callId }) });
  }
  return completions;
}
