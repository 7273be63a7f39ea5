import type { CompiledMasking } from "../masking/compiled-masking.ts";
import type { CompiledRule } from "../masking/compiled-rule.ts";
import { findMatches } from "../masking/find-matches.ts";
import { Masker } from "../masking/masker.ts";
import { walkTrace } from "./walk-trace.ts";

/** What rules match at one place. */
export interface CountedPlace {
  /** Such as `span.input.messages.*.content`: indexes are `*`, and a key that matches is shown as its token. */
  place: string;
  type: string;
  /** The name of the rule; null if it is the level's. */
  rule: string | null;
  count: number;
}

/** Counts what rules would mask in a trace, by place, without content. */
export function countMatches(trace: unknown, masking: CompiledMasking): CountedPlace[] {
  const places = new Map<string, CountedPlace>();
  const masker = new Masker(masking);
  const add = ({ type, name }: CompiledRule, place: string) => {
    const counted = type === "key" ? "secret" : type;
    const id = JSON.stringify([place, counted, name]);
    const known = places.get(id);
    if (known) known.count += 1;
    else places.set(id, { place, type: counted, rule: name, count: 1 });
  };
  walkTrace(trace, masking, {
    text(text, rules, place) {
      for (const { rule } of findMatches(text, rules)) add(rule, place);
    },
    key(key, rules, place) {
      const shown = masker.key(key, "input");
      for (const { rule } of findMatches(key, rules)) add(rule, `${place}.${shown}`);
      return shown;
    },
    whole: add,
  });
  return [...places.values()];
}
