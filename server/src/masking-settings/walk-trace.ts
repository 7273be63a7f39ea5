import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledMasking } from "../masking/compiled-masking.ts";
import type { CompiledRule } from "../masking/compiled-rule.ts";
import { wholeRule } from "../masking/mask-json.ts";
import type { Scope } from "../masking/scope.ts";

const MAX_NESTED = 4;
const MAX_DEPTH = 256;

/** The fields of records, as they are returned, and which field of masking each is. */
const FIELDS: readonly [
  record: "trace" | "span" | "decision" | "event",
  name: string,
  field: MaskingField,
][] = [
  ["trace", "name", "names"],
  ["trace", "sessionId", "session"],
  ["trace", "tags", "tags"],
  ["trace", "metadata", "metadata"],
  ["span", "name", "names"],
  ["span", "input", "input"],
  ["span", "output", "output"],
  ["span", "metadata", "metadata"],
  ["span", "statusMessage", "errors"],
  ["decision", "reasoning", "reasoning"],
  ["decision", "chosen", "chosen"],
  ["decision", "alternatives", "chosen"],
  ["decision", "contextSnapshot", "context"],
  ["event", "name", "names"],
  ["event", "metadata", "events"],
];
const CHILDREN = { span: "spans", decision: "decisionPoints", event: "events" } as const;

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Is told what rules look at in a trace. A place is such as `span.input.messages.*.content`. */
export interface TraceVisitor {
  /** A text, or a number that may be one, and the rules that are matched in it. */
  text(text: string, rules: readonly CompiledRule[], place: string): void;
  /** A key of an object. Returns how places show it. */
  key(key: string, rules: readonly CompiledRule[], place: string): string;
  /** A value that a rule masks as a whole. */
  whole(rule: CompiledRule, place: string): void;
}

/** Walks over a trace as it is returned, without changing it. */
export function walkTrace(trace: unknown, masking: CompiledMasking, visitor: TraceVisitor) {
  if (!isRecord(trace)) return;
  for (const [record, name, field] of FIELDS) {
    const children = record === "trace" ? [trace] : trace[CHILDREN[record]];
    for (const child of Array.isArray(children) ? children : [])
      if (isRecord(child)) new Walk(visitor).value(child[name], masking.scopeOf(field), `${record}.${name}`);
  }
}

class Walk {
  readonly #visitor: TraceVisitor;

  constructor(visitor: TraceVisitor) {
    this.#visitor = visitor;
  }

  value(value: unknown, scope: Scope, place: string, name?: string, depth = 0, nested = 0) {
    if (value === null || value === undefined || depth > MAX_DEPTH) return;
    const whole = wholeRule(scope, name);
    if (whole) this.#visitor.whole(whole, place);
    else if (typeof value === "string") this.#text(value, scope, place, depth, nested);
    else if (typeof value === "number") {
      if (scope.card) this.#visitor.text(String(value), [scope.card], place);
    } else if (Array.isArray(value))
      for (const [index, item] of value.entries())
        this.value(item, scope.below(String(index)), `${place}.*`, undefined, depth + 1, nested);
    else if (isRecord(value)) {
      const inner = typeof value.role === "string" ? scope.inRole(value.role) : scope;
      for (const [key, item] of Object.entries(value)) {
        const shown = this.#visitor.key(key, inner.texts, place);
        this.value(item, inner.below(key), `${place}.${shown}`, key, depth + 1, nested);
      }
    }
  }

  #text(text: string, scope: Scope, place: string, depth: number, nested: number) {
    const json = nested < MAX_NESTED && /^\s*[[{]/.test(text) ? parse(text) : undefined;
    if (json !== undefined) this.value(json, scope, place, undefined, depth + 1, nested + 1);
    else this.#visitor.text(text, scope.texts, place);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
