import type { MaskingField } from "@whytrace/contract/schemas/masking/settings";
import type { CompiledMasking } from "./compiled-masking.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { findMatches } from "./find-matches.ts";
import { wholeRule } from "./mask-json.ts";
import { Masker } from "./masker.ts";
import type { Scope } from "./scope.ts";

/** What rules match at one place. */
export interface CountedPlace {
  /** Such as `span.input.messages.*.content`: indexes are `*`, and a key that matches is shown as its token. */
  place: string;
  type: string;
  /** The name of the rule; null if it is the level's. */
  rule: string | null;
  count: number;
}

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

/** Counts what rules would mask in a trace, by place, without content. */
export function countMatches(trace: unknown, masking: CompiledMasking): CountedPlace[] {
  const counter = new MatchCounter(masking);
  if (!isRecord(trace)) return [];
  for (const [record, name, field] of FIELDS) {
    const children = record === "trace" ? [trace] : trace[CHILDREN[record]];
    for (const child of Array.isArray(children) ? children : [])
      if (isRecord(child)) counter.count(child[name], masking.scopeOf(field), `${record}.${name}`);
  }
  return counter.counted;
}

class MatchCounter {
  readonly #masker: Masker;
  readonly #places = new Map<string, CountedPlace>();

  constructor(masking: CompiledMasking) {
    this.#masker = new Masker(masking);
  }

  get counted(): CountedPlace[] {
    return [...this.#places.values()];
  }

  count(value: unknown, scope: Scope, place: string, name?: string, depth = 0, nested = 0) {
    if (value === null || value === undefined || depth > MAX_DEPTH) return;
    const whole = wholeRule(scope, name);
    if (whole) this.#add(place, whole);
    else if (typeof value === "string") this.#countText(value, scope, place, depth, nested);
    else if (typeof value === "number") {
      if (scope.card && findMatches(String(value), [scope.card]).length > 0) this.#add(place, scope.card);
    } else if (Array.isArray(value))
      for (const [index, item] of value.entries())
        this.count(item, scope.below(String(index)), `${place}.*`, undefined, depth + 1, nested);
    else if (isRecord(value)) {
      const inner = typeof value.role === "string" ? scope.inRole(value.role) : scope;
      for (const [key, item] of Object.entries(value)) {
        const keyPlace = `${place}.${this.#masker.key(key, "input")}`;
        for (const { rule } of findMatches(key, inner.texts)) this.#add(keyPlace, rule);
        this.count(item, inner.below(key), keyPlace, key, depth + 1, nested);
      }
    }
  }

  #countText(text: string, scope: Scope, place: string, depth: number, nested: number) {
    const json = nested < MAX_NESTED && /^\s*[[{]/.test(text) ? parse(text) : undefined;
    if (json !== undefined) this.count(json, scope, place, undefined, depth + 1, nested + 1);
    else for (const { rule } of findMatches(text, scope.texts)) this.#add(place, rule);
  }

  #add(place: string, { type, name }: CompiledRule) {
    const counted = type === "key" ? "secret" : type;
    const id = JSON.stringify([place, counted, name]);
    const known = this.#places.get(id);
    if (known) known.count += 1;
    else this.#places.set(id, { place, type: counted, rule: name, count: 1 });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
