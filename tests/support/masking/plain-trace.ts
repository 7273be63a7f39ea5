import type { Json, PlainMasking } from "./plain-masking.ts";

/** The fields of a trace that masking is about. */
export interface PlainTrace {
  name: string;
  sessionId: string | null;
  tags: string[];
  metadata: Json;
  spans: {
    id: string;
    name: string;
    input: Json;
    output: Json;
    metadata: Json;
    statusMessage: string | null;
  }[];
  decisionPoints: {
    id: string;
    reasoning: string | null;
    chosen: Json;
    alternatives: Json[];
    contextSnapshot: Json;
  }[];
  events: { id: string; name: string; metadata: Json }[];
}

/** These fields of a trace that was sent or read; its children in an order that does not depend on where they are stored. */
export function toPlainTrace(trace: PlainTrace): PlainTrace {
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return {
    name: trace.name,
    sessionId: trace.sessionId ?? null,
    tags: trace.tags,
    metadata: trace.metadata ?? null,
    spans: trace.spans
      .map(({ id, name, input = null, output = null, metadata = null, statusMessage = null }) => ({
        id,
        name,
        input,
        output,
        metadata,
        statusMessage,
      }))
      .sort(byId),
    decisionPoints: trace.decisionPoints
      .map(({ id, reasoning = null, chosen = null, alternatives, contextSnapshot = null }) => ({
        id,
        reasoning,
        chosen,
        alternatives,
        contextSnapshot,
      }))
      .sort(byId),
    events: trace.events.map(({ id, name, metadata = null }) => ({ id, name, metadata })).sort(byId),
  };
}

/** What masking makes of a trace. */
export const maskPlainTrace = (trace: PlainTrace, masking: PlainMasking): PlainTrace => ({
  name: masking.name(trace.name),
  sessionId: trace.sessionId === null ? null : masking.identifier(trace.sessionId, "session"),
  tags: trace.tags.map((tag) => masking.identifier(tag, "tags")),
  metadata: masking.payload(trace.metadata, "metadata"),
  spans: trace.spans.map((span) => ({
    id: span.id,
    name: masking.name(span.name),
    input: masking.payload(span.input, "input"),
    output: masking.payload(span.output, "output"),
    metadata: masking.payload(span.metadata, "metadata"),
    statusMessage: masking.error(span.statusMessage),
  })),
  decisionPoints: trace.decisionPoints.map((decision) => ({
    id: decision.id,
    reasoning: masking.reasoning(decision.reasoning),
    chosen: masking.option(decision.chosen),
    alternatives: toList(masking.options(decision.alternatives)),
    contextSnapshot: masking.payload(decision.contextSnapshot, "context"),
  })),
  events: trace.events.map((event) => ({
    id: event.id,
    name: masking.name(event.name),
    metadata: masking.payload(event.metadata, "events"),
  })),
});

/** An attribute that says the session of a trace is masked once, and is then in the metadata of its span, too. */
export const withSessionKeys = (masked: PlainTrace, sent: PlainTrace, masking: PlainMasking): PlainTrace => ({
  ...masked,
  spans: masked.spans.map((span, index) => {
    const metadata = sent.spans[index]?.metadata ?? null;
    const session = isRecord(metadata) ? metadata["session.id"] : undefined;
    if (typeof session !== "string" || !isRecord(span.metadata)) return span;
    return {
      ...span,
      metadata: { ...span.metadata, "session.id": masking.identifier(session, "session") },
    };
  }),
});

const isRecord = (value: Json): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const toList = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);
