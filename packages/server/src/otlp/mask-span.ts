import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import { Masker, type MaskingCounts } from "../masking/masker.ts";
import { type AttributeField, attributeField } from "./attribute-field.ts";
import { parseJson } from "./decode/attribute-value.ts";
import type { Attributes, OtlpEvent, OtlpLogRecord, OtlpSpan, OtlpValue } from "./decode/otlp-span.ts";
import { OPERATION_DETAILS, roleOf } from "./map/message-events.ts";
import { EVALUATION_RESULT, EXPLANATION } from "./map/read-evaluation.ts";
import { WRITTEN_DECISION } from "./map/written-decision.ts";

/*
 * Masks what OpenTelemetry sends before it is mapped, so that rows, facts, derived decisions and log records that wait for
 * their span all come from masked values.
 */

/** Says in which field the value of an attribute will be; null: it is never masked. */
type FieldOf = (key: string, value: OtlpValue) => AttributeField | null;

type InstrumentationScope = OtlpSpan["scope"];

interface MaskedOnce<Value> {
  masked: Value;
  counts: MaskingCounts | null;
}

/** The processes and scopes of a request, each masked once: thousands of spans and traces may share a large one. */
export class SharedMasking {
  readonly #masking: CompiledMasking;
  readonly #resources = new Map<Attributes, MaskedOnce<Attributes>>();
  readonly #scopes = new Map<InstrumentationScope, MaskedOnce<InstrumentationScope>>();

  constructor(masking: CompiledMasking) {
    this.#masking = masking;
  }

  resource(resource: Attributes): MaskedOnce<Attributes> {
    return this.#once(this.#resources, resource, (masker) => maskAttributes(resource, masker, inMetadata));
  }

  scope(scope: InstrumentationScope): MaskedOnce<InstrumentationScope> {
    return this.#once(this.#scopes, scope, (masker) => maskScope(scope, masker));
  }

  #once<Value>(known: Map<Value, MaskedOnce<Value>>, value: Value, mask: (masker: Masker) => Value) {
    const found = known.get(value);
    if (found) return found;
    const masker = new Masker(this.#masking);
    const once = { masked: mask(masker), counts: masker.counts };
    known.set(value, once);
    return once;
  }
}

/** Masks the spans of one trace. What they share counts once. */
export class SpanMasking {
  readonly #masker: Masker;
  readonly #shared: SharedMasking;
  readonly #counted = new Set<unknown>();

  constructor(masker: Masker, shared: SharedMasking) {
    this.#masker = masker;
    this.#shared = shared;
  }

  span(span: OtlpSpan): OtlpSpan {
    const masker = this.#masker;
    return {
      ...span,
      name: masker.text(span.name, "names"),
      statusMessage: masker.text(span.statusMessage, "errors"),
      attributes: maskAttributes(span.attributes, masker, attributeField),
      events: span.events.map((event) => maskEvent(event, masker)),
      links: span.links.map((link) => ({
        ...link,
        attributes: maskAttributes(link.attributes, masker, inMetadata),
      })),
      scope: this.#count(this.#shared.scope(span.scope)),
      resource: this.#count(this.#shared.resource(span.resource)),
    };
  }

  #count<Value>(once: MaskedOnce<Value>): Value {
    if (!this.#counted.has(once)) this.#masker.addCounts(once.counts);
    this.#counted.add(once);
    return once.masked;
  }
}

const maskScope = ({ name, version }: InstrumentationScope, masker: Masker): InstrumentationScope => ({
  name: masker.text(name, "metadata"),
  version: masker.text(version, "metadata"),
});

/** Masks a log record. */
export function maskLog(record: OtlpLogRecord, masker: Masker): OtlpLogRecord {
  const role = roleOf(record.eventName);
  return {
    ...record,
    attributes: maskAttributes(record.attributes, masker, fieldsOfLog(record), rolesOf(role)),
    body: maskBody(record, masker, role),
    scope: maskScope(record.scope, masker),
  };
}

const inMetadata: FieldOf = (key) => ({ field: "metadata", path: key });
const inField =
  (field: MaskingField): FieldOf =>
  (key) => ({ field, path: key });
const rolesOf = (role: string | undefined) => (role === undefined ? [] : [role]);

function maskEvent(event: OtlpEvent, masker: Masker): OtlpEvent {
  const { name } = event;
  const role = roleOf(name);
  // A name that says what the event is stays: such events are not stored under their names.
  const isKnown = role !== undefined || name === OPERATION_DETAILS || name === WRITTEN_DECISION;
  return {
    ...event,
    name: isKnown ? name : masker.text(name, "names"),
    attributes: maskAttributes(event.attributes, masker, fieldsOfEvent(name, role), rolesOf(role)),
  };
}

const DECISION_FIELDS: ReadonlyMap<string, MaskingField> = new Map([
  ["chosen", "chosen"],
  ["alternatives", "chosen"],
  ["reasoning", "reasoning"],
  ["context", "context"],
]);

const inDecision: FieldOf = (key) => {
  const field = DECISION_FIELDS.get(key.slice(WRITTEN_DECISION.length + 1));
  return field ? { field } : { field: "metadata", path: key };
};

/** What an evaluator says in words is the comment of a score. */
const inEvaluation: FieldOf = (key) =>
  key === EXPLANATION ? { field: "comments" } : { field: "events", path: key };

/** The fields of a message are an object of the input or output. */
const inMessage = (eventName: string): FieldOf => inField(eventName === "gen_ai.choice" ? "output" : "input");

function fieldsOfEvent(name: string, role: string | undefined): FieldOf {
  if (role !== undefined) return inMessage(name);
  if (name === OPERATION_DETAILS) return attributeField;
  if (name === WRITTEN_DECISION) return inDecision;
  if (name === "tool.output") return inField("output");
  if (name === EVALUATION_RESULT) return inEvaluation;
  if (name === "exception")
    return (key) => (key === "exception.message" ? { field: "errors" } : { field: "events", path: key });
  return inField("events");
}

/** What Claude Code says about a span in attributes of its log records. */
const CLAUDE_FIELDS: ReadonlyMap<string, MaskingField> = new Map([
  ["tool_input", "input"],
  ["response", "output"],
  ["body", "input"],
]);

function fieldsOfLog({ eventName, body }: OtlpLogRecord): FieldOf {
  if (roleOf(eventName) !== undefined) return inMessage(eventName);
  if (eventName === OPERATION_DETAILS) return attributeField;
  if (eventName === EVALUATION_RESULT) return inEvaluation;
  if (typeof body === "string" && body.startsWith("claude_code."))
    return (key, value) => {
      const field = CLAUDE_FIELDS.get(key);
      return field ? { field } : attributeField(key, value);
    };
  return inField("events");
}

/** The body of a record is a message, or has fields that others send as attributes. Other texts are not stored. */
function maskBody({ eventName, body }: OtlpLogRecord, masker: Masker, role: string | undefined): OtlpValue {
  if (role !== undefined)
    return masker.value(body, eventName === "gen_ai.choice" ? "output" : "input", { roles: [role] });
  if (!isObject(body)) return body;
  const fieldOf =
    eventName === OPERATION_DETAILS
      ? attributeField
      : eventName === EVALUATION_RESULT
        ? inEvaluation
        : inField("events");
  return Object.fromEntries(maskAttributes(new Map(Object.entries(body)), masker, fieldOf));
}

const isObject = (value: OtlpValue): value is { readonly [key: string]: OtlpValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function maskAttributes(
  attributes: Attributes,
  masker: Masker,
  fieldOf: FieldOf,
  roles: readonly string[] = [],
): Attributes {
  const masked = new Map<string, OtlpValue>();
  for (const [key, value] of attributes) {
    const place = fieldOf(key, value);
    if (!place) masked.set(key, value);
    else if (place.path === undefined) masked.set(key, maskField(value, place.field, masker, roles));
    else
      masked.set(
        place.path === key ? masker.key(key, place.field) : key,
        masker.value(value, place.field, {
          name: place.path,
          roles: [...roles, ...rolesAround(attributes, key, place.path)],
        }),
      );
  }
  return masked;
}

function maskField(
  value: OtlpValue,
  field: MaskingField,
  masker: Masker,
  roles: readonly string[],
): OtlpValue {
  if (field === "session" && typeof value === "string") return masker.identifier(value, field);
  if (field === "tags" && typeof value === "string") {
    const json = parseJson(value);
    if (Array.isArray(json)) return JSON.stringify(json.map((tag) => maskTag(tag, masker)));
    const tags = json ? [value] : value.split(",");
    return tags.map((tag) => masker.identifier(tag, field)).join();
  }
  if (field === "tags" && Array.isArray(value)) return value.map((tag) => maskTag(tag, masker));
  return masker.value(value, field, { roles });
}

const maskTag = (tag: OtlpValue, masker: Masker): OtlpValue =>
  typeof tag === "string" ? masker.identifier(tag, "tags") : masker.value(tag, "tags");

/** A flattened list has the role of a message in an attribute beside its content. */
function rolesAround(attributes: Attributes, key: string, path: string): string[] {
  if (path === key) return [];
  const roles: string[] = [];
  for (let end = key.lastIndexOf("."); end > key.length - path.length; end = key.lastIndexOf(".", end - 1)) {
    const role = attributes.get(`${key.slice(0, end)}.role`);
    if (typeof role === "string") roles.push(role);
  }
  return roles;
}
