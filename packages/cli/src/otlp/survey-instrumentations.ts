import type { DecisionPoint, Span, WholeTrace } from "@whytrace/contract";
import { type Api, isRecord } from "../api.ts";

export const FEATURES = [
  "messages",
  "tool calls",
  "tools offered",
  "reasoning",
  "tokens",
  "cost",
  "session",
] as const;
export type Feature = (typeof FEATURES)[number];

/** How often something was there, of how often it could have been. */
interface Share {
  found: number;
  of: number;
}

/** What one instrumentation library sent lately. */
export interface Survey {
  /** Empty for spans that do not say which library sent them. */
  name: string;
  version: string | null;
  traces: number;
  spans: number;
  modelCalls: number;
  /** Attributes that the sender's SDK left out because a span had too many. */
  droppedAttributes: number;
  features: Record<Feature, Share>;
}

/** OTLP trace ids are 16 bytes in hexadecimal; traces with other ids came by POST /api/traces. */
const OTLP_TRACE_ID = /^[0-9a-f]{32}$/;
const OTLP_SPAN_ID = /^[0-9a-f]{16}$/;
const LISTED_TRACES = 100;

/** Reads the latest traces that came by OTLP, at most `maxTraces`, and counts what each library sent. */
export async function surveyInstrumentations(api: Api, maxTraces: number): Promise<Survey[]> {
  const { traces: rows } = await api.call("GET /api/traces", { query: { limit: LISTED_TRACES } });
  const surveys = new Map<string, Survey>();
  for (const { id } of rows.filter((row) => OTLP_TRACE_ID.test(row.id)).slice(0, maxTraces)) {
    const reply = await api.ask("GET /api/traces/:id", { params: { id } });
    // The trace may have been deleted since it was listed.
    if (reply.isOk) addTrace(surveys, reply.body);
  }
  return [...surveys.values()].sort((one, other) => other.spans - one.spans);
}

function addTrace(surveys: Map<string, Survey>, trace: WholeTrace): void {
  const surveyOfSpan = new Map<string, Survey>();
  for (const span of trace.spans) {
    const scope = scopeOf(span);
    if (!scope) continue;
    const key = `${scope.name} ${scope.version}`;
    const survey = surveys.get(key) ?? emptySurvey(scope.name, scope.version);
    surveys.set(key, survey);
    surveyOfSpan.set(span.id, survey);
    addSpan(survey, span);
  }
  const participants = new Set(surveyOfSpan.values());
  for (const survey of participants) {
    survey.traces += 1;
    count(survey, "session", trace.sessionId !== null);
  }
  const choosing = new Set<Survey>();
  for (const decision of trace.decisionPoints) {
    const survey = surveyOfSpan.get(decision.parentSpanId ?? "");
    if (!survey || !isInferredToolChoice(decision)) continue;
    choosing.add(survey);
    addToolChoice(survey, decision);
  }
  // Tools ran although no call of this library says that it chose them.
  const hasTools = trace.spans.some(({ type }) => type === "TOOL_CALL");
  for (const survey of participants)
    if (hasTools && !choosing.has(survey) && hasModelCall(trace, surveyOfSpan, survey))
      count(survey, "tool calls", false);
}

function addSpan(survey: Survey, span: Span): void {
  survey.spans += 1;
  if (isRecord(span.metadata) && typeof span.metadata.droppedAttributes === "number")
    survey.droppedAttributes += span.metadata.droppedAttributes;
  if (span.type !== "LLM_CALL") return;
  survey.modelCalls += 1;
  // A call that failed has neither an answer nor tokens.
  if (span.status === "ERROR") return;
  count(survey, "messages", span.output !== null);
  count(survey, "tokens", span.tokenCount !== null);
  if (span.tokenCount !== null) count(survey, "cost", span.costUsd !== null);
}

function addToolChoice(survey: Survey, decision: DecisionPoint): void {
  count(survey, "tool calls", true);
  count(survey, "tools offered", !("alternativesKnown" in decision && decision.alternativesKnown === false));
  count(survey, "reasoning", decision.reasoning !== null);
}

const isInferredToolChoice = (decision: DecisionPoint) =>
  decision.type === "TOOL_SELECTION" && "inferred" in decision && decision.inferred === true;

const hasModelCall = (trace: WholeTrace, surveyOfSpan: ReadonlyMap<string, Survey>, survey: Survey) =>
  trace.spans.some(({ id, type }) => type === "LLM_CALL" && surveyOfSpan.get(id) === survey);

function count({ features }: Survey, feature: Feature, isFound: boolean): void {
  features[feature].of += 1;
  if (isFound) features[feature].found += 1;
}

function scopeOf({ id, metadata }: Span): { name: string; version: string | null } | undefined {
  const scope = isRecord(metadata) ? metadata.scope : undefined;
  if (!isRecord(scope) || typeof scope.name !== "string")
    return OTLP_SPAN_ID.test(id) ? { name: "", version: null } : undefined;
  return { name: scope.name, version: typeof scope.version === "string" ? scope.version : null };
}

const emptySurvey = (name: string, version: string | null): Survey => ({
  name,
  version,
  traces: 0,
  spans: 0,
  modelCalls: 0,
  droppedAttributes: 0,
  features: {
    messages: { found: 0, of: 0 },
    "tool calls": { found: 0, of: 0 },
    "tools offered": { found: 0, of: 0 },
    reasoning: { found: 0, of: 0 },
    tokens: { found: 0, of: 0 },
    cost: { found: 0, of: 0 },
    session: { found: 0, of: 0 },
  },
});
