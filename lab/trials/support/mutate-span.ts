import type { Random } from "@whytrace/demo";
import type {
  OtlpLogRecord,
  OtlpSpan,
  OtlpValue,
} from "../../../packages/server/src/otlp/decode/otlp-span.ts";

/** Values that a mapping may stumble over, whatever attribute has them. */
const ODD_VALUES: readonly [OtlpValue, ...OtlpValue[]] = [
  null,
  "",
  " ",
  "null",
  "[]",
  "{}",
  '"',
  "[[[[[[",
  '[{"role":"assistant","parts":[null,{"type":"tool_call"},{"type":"tool_call","name":7,"arguments":"{"}]}]',
  '{"choices":[{"message":{"tool_calls":[{"function":{"name":{},"arguments":[]}}]}}]}',
  '{"__proto__":{"tool_calls":1},"constructor":[],"toString":null}',
  "\u0000",
  "\ud800",
  "🙂".repeat(300),
  "LLM",
  "chat",
  "execute_tool",
  "ERROR",
  "NaN",
  "-1",
  "1e999",
  "9223372036854775807",
  0,
  -1,
  0.1,
  1e308,
  2 ** 53 - 1,
  true,
  false,
  [],
  [null],
  ["a", 1, [true]],
  {},
  { __proto__: null },
  { role: "user", content: { parts: [[]] } },
  { a: { a: { a: { a: [{}] } } } },
];

/** A copy with one to five other attributes, parents, times or ids. `ids` are those of the other spans. */
export function mutateSpan(random: Random, span: OtlpSpan, ids: readonly string[]): OtlpSpan {
  const attributes = new Map(span.attributes);
  const copy = { ...span, attributes };
  const otherId = () => ids[random.between(0, ids.length - 1)] ?? span.spanId;
  for (let changes = random.between(1, 5); changes > 0; changes -= 1)
    switch (random.between(0, 9)) {
      case 0:
        copy.parentSpanId = random.chance(0.3) ? null : otherId();
        break;
      case 1:
        copy.spanId = otherId();
        break;
      case 2:
        copy.startMs = random.pick([0, span.endMs, 18446744073709.55, span.startMs + 0.5]);
        break;
      case 3:
        copy.endMs = random.pick([0, span.startMs, 18446744073709.55, span.startMs - 1]);
        break;
      case 4:
        copy.events = span.events.map((event) => ({
          ...event,
          attributes: mutateAttributes(random, new Map(event.attributes)),
        }));
        break;
      default:
        mutateAttributes(random, attributes);
    }
  return copy;
}

/** A copy with another body or attribute. */
export function mutateLog(random: Random, record: OtlpLogRecord): OtlpLogRecord {
  if (random.chance(0.5))
    return { ...record, attributes: mutateAttributes(random, new Map(record.attributes)) };
  const { body } = record;
  return { ...record, body: typeof body === "string" ? mutateText(random, body) : random.pick(ODD_VALUES) };
}

function mutateAttributes(random: Random, attributes: Map<string, OtlpValue>): Map<string, OtlpValue> {
  const keys = [...attributes.keys()];
  const key = keys[random.between(0, keys.length - 1)] ?? "input.value";
  const value = attributes.get(key);
  if (random.chance(0.1)) attributes.delete(key);
  else if (random.chance(0.4) && typeof value === "string") attributes.set(key, mutateText(random, value));
  else attributes.set(key, random.pick(ODD_VALUES));
  return attributes;
}

/** Truncates the text, as SDKs with a limit do, or leaves out or repeats a part of it. */
function mutateText(random: Random, text: string): string {
  const start = random.between(0, text.length);
  const end = random.between(start, text.length);
  if (random.chance(0.4)) return text.slice(0, start);
  return text.slice(0, random.chance(0.5) ? start : end) + text.slice(random.chance(0.5) ? start : end);
}
