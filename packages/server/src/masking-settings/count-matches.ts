import type { CompiledMasking } from "../masking/compiled-masking.ts";
import type { CompiledRule } from "../masking/compiled-rule.ts";
import { TextNotChecked } from "../masking/find/text-not-checked.ts";
import { findMatches } from "../masking/find-matches.ts";
import { Masker } from "../masking/masker.ts";
import type { TraceRecord } from "../traces/trace-chunks.ts";
import type { CountedPlace } from "./counted-place.ts";
import { RepeatedTexts } from "./repeated-texts.ts";
import { splitStructure } from "./split-structure.ts";
import { walkRecord } from "./walk-record.ts";

/**
 * Counts what rules would mask in a record, by place, without content. Yields where the caller may pause. `texts` are those of the records
 * before it, by the same rules.
 */
export function* countMatches(
  record: { kind: TraceRecord["kind"]; value: unknown },
  masking: CompiledMasking,
  texts = new RepeatedTexts(),
): Generator<undefined, CountedPlace[]> {
  let places = new Map<string, CountedPlace>();
  const masker = new Masker(masking);
  const addCounted = ({ place, type, rule, count }: CountedPlace) => {
    const id = JSON.stringify([place, type, rule]);
    const known = places.get(id);
    if (known) known.count += count;
    else places.set(id, { place, type, rule, count });
  };
  const add = (type: string, rule: string | null, place: string) =>
    addCounted({ place, type, rule, count: 1 });
  const addMatch = ({ type, name }: CompiledRule, place: string) =>
    add(type === "key" ? "secret" : type, name, place);
  const find = (text: string, rules: readonly CompiledRule[], place: string) => {
    try {
      for (const { rule } of findMatches(text, rules)) addMatch(rule, place);
    } catch (error) {
      if (!(error instanceof TextNotChecked)) throw error;
      // The value would be replaced.
      add("notChecked", null, place);
    }
  };
  let walked = record;
  if (masking.level === "structure") {
    const { replaced, left } = splitStructure(record);
    for (const place of replaced) add("structure", null, place);
    walked = { ...record, value: left };
  }
  yield* walkRecord(walked, masking, {
    text: find,
    key(key, rules, place) {
      const shown = masker.key(key, "input");
      find(key, rules, `${place}.${shown}`);
      return shown;
    },
    whole: addMatch,
    *long(text, scope, place, walk) {
      let counted = texts.find(text, scope, place);
      if (!counted) {
        const outside = places;
        places = new Map();
        yield* walk();
        counted = [...places.values()];
        places = outside;
        texts.add(text, scope, place, counted);
      }
      counted.forEach(addCounted);
    },
  });
  return [...places.values()];
}
