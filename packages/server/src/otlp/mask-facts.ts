import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import { mapInSteps } from "../concurrency/map-in-steps.ts";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { MaskedFields } from "../masking/masked-fields.ts";
import type { Masker } from "../masking/masker.ts";
import { metadataPair, splitMetadataPair } from "../trace-store/rows/metadata-pairs.ts";
import type { FactsPart } from "./derive/facts-part.ts";
import type { LogFacts, ScoreFacts, SpanFacts, ToolCall, WrittenDecision } from "./map/span-facts.ts";
import { structureOfFacts, structureOfLog } from "./structure-of-span.ts";

/**
 * Masks what is kept of spans and log records that are stored already, so that a trace that is derived again is derived from masked
 * values. What arrives is masked before it is mapped; here only what the mapping kept is known. Yields where the caller may pause.
 * Returns the same part if nothing changes.
 */
export function* maskFacts(
  part: FactsPart,
  masking: CompiledMasking,
  masker: Masker,
): Generator<undefined, FactsPart> {
  const facts = new MaskedFacts(masker, new MaskedFields(masker, false), masking.level === "structure");
  let isChanged = false;
  // Compared one by one: writing a large part as JSON at once would keep other requests waiting.
  const note = <Facts>(stored: Facts, masked: Facts): Facts => {
    isChanged ||= JSON.stringify(masked) !== JSON.stringify(stored);
    return masked;
  };
  const masked: FactsPart = {
    ...(part.spans && { spans: yield* mapInSteps(part.spans, (span) => note(span, facts.span(span))) }),
    ...(part.logs && { logs: yield* mapInSteps(part.logs, (log) => note(log, facts.log(log))) }),
    // Those of posted spans have no texts.
    ...(part.posted && { posted: part.posted }),
    ...(part.maskingVersion !== undefined && { maskingVersion: part.maskingVersion }),
  };
  return isChanged ? masked : part;
}

class MaskedFacts {
  readonly #masker: Masker;
  readonly #fields: MaskedFields;
  readonly #isStructureOnly: boolean;

  constructor(masker: Masker, fields: MaskedFields, isStructureOnly: boolean) {
    this.#masker = masker;
    this.#fields = fields;
    this.#isStructureOnly = isStructureOnly;
  }

  span(span: SpanFacts): SpanFacts {
    const { error, errorEvents, label, session, tags, version, pairs, calls, offered, reasoning } = span;
    const { tool, chunk, decisions, frameworkDecisions, scores } = span;
    const masked: SpanFacts = {
      ...span,
      name: this.#fields.name(span.name),
      ...(error !== undefined && { error: this.#text(error, "errors") }),
      ...(errorEvents && {
        errorEvents: errorEvents.map((event) => ({ ...event, name: this.#text(event.name, "names") })),
      }),
      ...(label !== undefined && { label: this.#text(label, "names") }),
      ...(session !== undefined && { session: this.#fields.session(session) ?? session }),
      ...(tags && { tags: this.#fields.tags(tags) }),
      ...(version !== undefined && { version: this.#text(version, "metadata") }),
      ...(pairs && { pairs: pairs.map((pair) => this.#pair(pair)) }),
      ...(calls && { calls: calls.map((call) => this.#call(call, "output")) }),
      ...(offered && { offered: offered.map((name) => this.#text(name, "input")) }),
      ...(reasoning !== undefined && { reasoning: this.#text(this.#text(reasoning, "reasoning"), "output") }),
      ...(tool && { tool: this.#call(tool, "input") }),
      ...(chunk !== undefined && { chunk: this.#text(chunk, "output") }),
      ...(decisions && { decisions: decisions.map((decision) => this.#decision(decision)) }),
      ...(frameworkDecisions && {
        frameworkDecisions: frameworkDecisions.map((decision) => this.#decision(decision)),
      }),
      ...(scores && { scores: scores.map((score) => this.#score(score)) }),
    };
    return this.#isStructureOnly ? structureOfFacts(masked, this.#masker) : masked;
  }

  log(log: LogFacts): LogFacts {
    const { message, choice, input, output, system, offered, event, score } = log;
    const masked: LogFacts = {
      ...log,
      ...(message !== undefined && { message: this.#json(message, "input") }),
      ...(choice !== undefined && { choice: this.#json(choice, "output") }),
      ...(input !== undefined && { input: this.#json(input, "input") }),
      ...(output !== undefined && { output: this.#json(output, "output") }),
      ...(system !== undefined && { system: this.#json(system, "input") }),
      ...(offered && { offered: offered.map((name) => this.#text(name, "input")) }),
      ...(event && {
        event: {
          name: this.#text(event.name, "names"),
          metadata: event.metadata && toRecord(this.#json(event.metadata, "events")),
        },
      }),
      ...(score && { score: this.#score(score) }),
    };
    return this.#isStructureOnly ? structureOfLog(masked, this.#masker) : masked;
  }

  #text(text: string, field: MaskingField): string {
    return this.#masker.text(text, field);
  }

  #json(value: unknown, field: MaskingField): unknown {
    const sent = Buffer.from(JSON.stringify(value));
    const masked = this.#masker.json(sent, field);
    return masked === sent ? value : JSON.parse(Buffer.from(masked).toString());
  }

  #pair(pair: string): string {
    const { key, value } = splitMetadataPair(pair);
    const masked = this.#masker.value(value, "metadata", { name: key });
    return metadataPair(this.#masker.key(key, "metadata"), String(masked));
  }

  #call(call: ToolCall, field: MaskingField): ToolCall {
    const { name, arguments: sent } = call;
    return {
      name: this.#text(name, "names"),
      ...(sent !== undefined && { arguments: this.#json(sent, field) }),
    };
  }

  #decision(decision: WrittenDecision): WrittenDecision {
    const { chosen, alternatives, reasoning, context } = decision;
    return {
      ...decision,
      chosen: this.#json(chosen, "chosen"),
      ...(alternatives && { alternatives: alternatives.map((option) => this.#json(option, "chosen")) }),
      ...(reasoning !== undefined && { reasoning: this.#text(reasoning, "reasoning") }),
      ...(context !== undefined && { context: this.#json(context, "context") }),
    };
  }

  /** All of it came in attributes, and its author is the name of a library: see `mask-span.ts`. */
  #score(score: ScoreFacts): ScoreFacts {
    const { name, value, label, author, comment, metadata } = score;
    return {
      ...score,
      name: this.#text(name, "events"),
      value: typeof value === "string" ? this.#text(value, "events") : value,
      ...(label !== undefined && { label: this.#text(label, "events") }),
      ...(author !== undefined && { author: this.#text(author, "metadata") }),
      ...(comment !== undefined && { comment: this.#text(comment, "comments") }),
      ...(metadata !== undefined && {
        metadata: Buffer.from(this.#masker.json(Buffer.from(metadata), "comments")).toString(),
      }),
    };
  }
}

/** Masking a whole object may make another value of it. */
const toRecord = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
