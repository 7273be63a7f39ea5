import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import type { CompiledRule } from "../masking/compiled-rule.ts";
import { wholeRule } from "../masking/json/mask-json.ts";
import type { Scope } from "../masking/scope.ts";
import type { TraceRecord } from "../traces/trace-chunks.ts";

const MAX_NESTED = 4;
const MAX_DEPTH = 256;
const LONG_TEXT = 128;

/** The fields of records, as they are returned, and which field of masking each is. */
export const RECORD_FIELDS: Readonly<Record<TraceRecord["kind"], Readonly<Record<string, MaskingField>>>> = {
  trace: { name: "names", sessionId: "session", tags: "tags", metadata: "metadata" },
  spans: { name: "names", input: "input", output: "output", metadata: "metadata", statusMessage: "errors" },
  decisionPoints: {
    reasoning: "reasoning",
    chosen: "chosen",
    alternatives: "chosen",
    contextSnapshot: "context",
  },
  events: { name: "names", metadata: "events" },
};
export const RECORD_NAMES = {
  trace: "trace",
  spans: "span",
  decisionPoints: "decision",
  events: "event",
} as const;

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Is told what rules look at in a record. A place is such as `span.input.messages.*.content`. */
interface RecordVisitor {
  /** A text, or a number that may be one, and the rules that are matched in it. */
  text(text: string, rules: readonly CompiledRule[], place: string): void;
  /** A key of an object. Returns how places show it. */
  key(key: string, rules: readonly CompiledRule[], place: string): string;
  /** A value that a rule masks as a whole. */
  whole(rule: CompiledRule, place: string): void;
  /** A long text, which may have been there before. `walk` tells what rules look at in it. */
  long(text: string, scope: Scope, place: string, walk: () => Generator<undefined>): Generator<undefined>;
}

/** A value that is still to be looked at, and where it is. */
interface Pending {
  value: unknown;
  scope: Scope;
  place: string;
  /** The key that it is under. */
  name?: string;
  depth: number;
  /** How many strings of JSON it is in. */
  nested: number;
  /** Whether the strings of an array are the pieces of one text. */
  hasPieces: boolean;
}

/** Walks over a record of a trace, as it is returned, without changing it. Yields where the caller may pause. */
export function* walkRecord(
  { kind, value: record }: { kind: TraceRecord["kind"]; value: unknown },
  masking: CompiledMasking,
  visitor: RecordVisitor,
): Generator<undefined> {
  if (!isRecord(record)) return;
  for (const [name, field] of Object.entries(RECORD_FIELDS[kind])) {
    const scope = masking.scopeOf(field);
    const place = `${RECORD_NAMES[kind]}.${name}`;
    const hasPieces = field === "output";
    yield* walk([{ value: record[name], scope, place, depth: 0, nested: 0, hasPieces }], visitor);
  }
}

function* walk(pending: Pending[], visitor: RecordVisitor): Generator<undefined> {
  for (let next = pending.pop(); next; next = pending.pop()) {
    const at = next;
    const text = visit(at, pending, visitor);
    if (text !== undefined)
      yield* visitor.long(text, at.scope, at.place, () => walk(insideText(text, at, visitor), visitor));
    yield;
  }
}

/**
 * Tells the visitor of a value, and adds what is in it to those that are still to be looked at. Returns the value if it is a long text, which
 * is looked at apart. Texts in it belong to it.
 */
function visit(at: Pending, pending: Pending[], visitor: RecordVisitor): string | undefined {
  const { value, scope, place, name, depth } = at;
  if (value === null || value === undefined || depth > MAX_DEPTH) return undefined;
  const whole = wholeRule(scope, name, () => (typeof value === "string" ? value : undefined));
  if (whole) visitor.whole(whole, place);
  else if (typeof value === "string") {
    if (value.length >= LONG_TEXT && at.nested === 0) return value;
    pending.push(...insideText(value, at, visitor));
  } else if (typeof value === "number") {
    if (scope.card) visitor.text(String(value), [scope.card], place);
  } else if (Array.isArray(value)) {
    const items: unknown[] = value;
    if (at.hasPieces && arePieces(items, scope)) visitor.text(items.join(""), scope.texts, `${place}.*`);
    else
      for (const [index, item] of items.entries())
        pending.push({
          ...inside(at),
          value: item,
          scope: scope.below(String(index)),
          place: `${place}.*`,
        });
  } else if (isRecord(value)) {
    const inner = typeof value.role === "string" ? scope.inRole(value.role) : scope;
    for (const [key, item] of Object.entries(value)) {
      const shown = visitor.key(key, inner.texts, place);
      pending.push({
        ...inside(at),
        value: item,
        scope: inner.below(key),
        place: `${place}.${shown}`,
        name: key,
      });
    }
  }
  return undefined;
}

const inside = ({ depth, nested, hasPieces }: Pending) => ({ depth: depth + 1, nested, hasPieces });

/** The value of JSON in a text. Tells the visitor of a text that is none. */
function insideText(text: string, at: Pending, visitor: RecordVisitor): Pending[] {
  const { scope, place, depth, nested } = at;
  const json = nested < MAX_NESTED && /^\s*[[{]/.test(text) ? parse(text) : undefined;
  if (json !== undefined)
    return [{ value: json, scope, place, depth: depth + 1, nested: nested + 1, hasPieces: false }];
  visitor.text(text, scope.texts, place);
  return [];
}

/** Rules for an index of the array apply to one string alone, and JSON in a string is masked as JSON. */
const arePieces = (items: readonly unknown[], scope: Scope) =>
  items.length > 1 &&
  items.every((item) => typeof item === "string" && !(/^\s*[[{]/.test(item) && parse(item) !== undefined)) &&
  !scope.hasRulesForItems(items.length);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
