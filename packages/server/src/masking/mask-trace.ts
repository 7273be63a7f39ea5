import type { ParsedDecisionPoint, ParsedEvent, ParsedSpan, ParsedTrace } from "@whytrace/contract";
import { mapInSteps } from "../concurrency/map-in-steps.ts";
import type { CompiledMasking } from "./compiled-masking.ts";
import { MaskedFields } from "./masked-fields.ts";
import { Masker } from "./masker.ts";

/** Masks the texts and payloads of traces, before anything is computed from them. Yields where the caller may pause. */
export function* maskTraces(
  traces: readonly ParsedTrace[],
  masking: CompiledMasking,
): Generator<undefined, ParsedTrace[]> {
  const masked: ParsedTrace[] = [];
  for (const trace of traces) {
    masked.push(masking.isOff ? withMasking(trace, masking, null) : yield* maskTrace(trace, masking));
    yield;
  }
  return masked;
}

const withMasking = (
  trace: ParsedTrace,
  { version }: CompiledMasking,
  counts: Masker["counts"],
): ParsedTrace => ({ ...trace, masking: { version, counts } });

function* maskTrace(trace: ParsedTrace, masking: CompiledMasking): Generator<undefined, ParsedTrace> {
  const masker = new Masker(masking, { traceId: trace.id });
  const fields = new MaskedFields(masker, masking.level === "structure");
  const masked: ParsedTrace = {
    ...trace,
    name: fields.name(trace.name),
    sessionId: fields.session(trace.sessionId),
    tags: fields.tags(trace.tags),
    metadata: fields.payload(trace.metadata, "metadata"),
    spans: yield* mapInSteps(trace.spans, (span) => maskSpan(span, fields)),
    decisionPoints: yield* mapInSteps(trace.decisionPoints, (decision) => maskDecision(decision, fields)),
    events: yield* mapInSteps(trace.events, (event) => maskEvent(event, fields)),
  };
  return withMasking(masked, masking, masker.counts);
}

const maskSpan = (span: ParsedSpan, fields: MaskedFields): ParsedSpan => ({
  ...span,
  name: fields.name(span.name),
  input: fields.payload(span.input, "input"),
  output: fields.payload(span.output, "output"),
  metadata: fields.payload(span.metadata, "metadata"),
  statusMessage: fields.error(span.statusMessage),
});

const maskDecision = (decision: ParsedDecisionPoint, fields: MaskedFields): ParsedDecisionPoint => ({
  ...decision,
  reasoning: fields.reasoning(decision.reasoning),
  chosen: fields.option(decision.chosen),
  alternatives: fields.options(decision.alternatives),
  contextSnapshot: fields.payload(decision.contextSnapshot, "context"),
});

const maskEvent = (event: ParsedEvent, fields: MaskedFields): ParsedEvent => ({
  ...event,
  name: fields.name(event.name),
  metadata: fields.payload(event.metadata, "events"),
});
