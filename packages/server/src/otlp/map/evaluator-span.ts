import type { SpanType } from "@whytrace/contract";
import { MAX_SCORE_TEXT_BYTES } from "@whytrace/contract/schemas/scores";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import { asText, parseJsonObject } from "../decode/attribute-value.ts";
import type { OtlpSpan } from "../decode/otlp-span.ts";
import { EVALUATION_NAME, readEvaluation, scoreTeller } from "./read-evaluation.ts";
import type { ScoreFacts } from "./span-facts.ts";
import { spanTimes } from "./span-times.ts";

const KINDS = ["openinference.span.kind", "gen_ai.operation.name", "langfuse.observation.type"];
const EVALUATOR = /^evaluat(e|or)$/i;
const BRAINTRUST_SCORES = "braintrust.scores";
const SCORER = "score";

/** Whether a span is the work of an evaluator, and not of the agent. */
export const isEvaluator = (span: OtlpSpan, type: SpanType): boolean =>
  KINDS.some((key) => EVALUATOR.test(asText(span.attributes.get(key)) ?? "")) ||
  (type === "CUSTOM" && span.attributes.has(EVALUATION_NAME)) ||
  braintrustType(span) === SCORER;

/** Reads the scores that a span itself tells, beside those of its events. */
export const spanScores = (span: OtlpSpan, type: SpanType): ScoreFacts[] => [
  ...ownEvaluation(span, type),
  ...braintrustScores(span),
];

/**
 * Strands writes the result of an evaluation on the span of its evaluator, which says no more about what it is. On a span that is known
 * to be an agent's work, it is about that span.
 */
function ownEvaluation(span: OtlpSpan, type: SpanType): ScoreFacts[] {
  const { attributes, scope } = span;
  if (!attributes.has(EVALUATION_NAME)) return [];
  const score = readEvaluation(Object.fromEntries(attributes), { scope, timeMs: spanTimes(span).endMs });
  return score ? [{ ...score, about: isEvaluator(span, type) ? "parent" : "span" }] : [];
}

/** The type that Braintrust gives a span; undefined for a span of others. */
const braintrustType = ({ attributes }: OtlpSpan): string | undefined => {
  const own = attributes.get("braintrust.span_attributes");
  return own === undefined ? undefined : asText(parseJsonObject(own)?.type);
};

/**
 * Reads the scores that Braintrust's SDK writes on a span: a number or null by name. A scorer's span judges the span above it. A
 * span that says to be anything else judges itself.
 */
function braintrustScores(span: OtlpSpan): ScoreFacts[] {
  const scores = parseJsonObject(span.attributes.get(BRAINTRUST_SCORES));
  if (!scores) return [];
  const type = braintrustType(span);
  const about = type === undefined || type === SCORER ? "parent" : "span";
  const teller = scoreTeller(span.attributes.get("whytrace.score.source"), {
    scope: span.scope,
    timeMs: spanTimes(span).endMs,
  });
  return Object.entries(scores).flatMap(([key, value]): ScoreFacts[] => {
    const name = storableText(key, MAX_SCORE_TEXT_BYTES);
    const isValue = typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
    return name !== "" && isValue ? [{ name, value, ...teller, about }] : [];
  });
}
