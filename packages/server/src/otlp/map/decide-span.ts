import type { Slots } from "../conventions/slots.ts";
import { asNumber, asObject, asText, type JsonObject, parseJsonObject } from "../decode/attribute-value.ts";
import type { WrittenDecision } from "./span-facts.ts";

/** The decisions of a span of the AI SDK's `decide`: one for each of its questions. */
export function decisionsOfDecide(slots: Partial<Slots>): WrittenDecision[] {
  const answers = parseJsonObject(slots.decisionAnswers ?? null);
  if (!answers) return [];
  const questions = parseJsonObject(slots.decisionQuestions ?? null) ?? {};
  return Object.entries(answers).map(([name, answer]) =>
    decision(name, asObject(questions[name]), asObject(answer)),
  );
}

/** A choice has options that were not taken. A score or a probability has none. */
function decision(name: string, question: JsonObject = {}, answer: JsonObject = {}): WrittenDecision {
  const context = { question: name, ...question, answer };
  const choice = asText(answer.choice);
  if (choice === undefined)
    return {
      type: "CUSTOM",
      chosen: asNumber(answer.score) ?? asNumber(answer.probability) ?? null,
      context,
    };
  const options = Object.keys(asObject(question.criteria) ?? asObject(answer.probabilities) ?? {});
  return {
    type: "ROUTING",
    chosen: choice,
    alternatives: options.filter((option) => option !== choice),
    context,
  };
}
