import type { Condition, ConditionValue } from "@whytrace/contract";

export const SOURCE_WORDS = { user: "users", judge: "judges", code: "checks", person: "people" } as const;
export const OP_WORDS = { is: "is", in: "is one of", below: "is below", above: "is above" } as const;
export const MISSING_WORDS = {
  good: "good",
  asked: "good where asked, else unknown",
  unknown: "unknown",
} as const;
export const PLACE_WORDS = { run: "the run", span: "a span", decision: "a decision" } as const;

export const valueText = (value: ConditionValue | ConditionValue[]): string =>
  Array.isArray(value) ? value.map(String).join(", ") : String(value);

/** A condition as a sentence: `Score helpful by users is false; no answer means good`. */
export function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case "status":
      return "Status is ERROR";
    case "feedback":
      return "A user says false, under any name";
    case "evaluator":
      return "A judge or a check says false or fail, under any name";
    case "score": {
      const { name, op, value, source, at, missing = "good" } = condition;
      const by = source ? ` by ${SOURCE_WORDS[source]}` : "";
      const on = at ? ` on ${PLACE_WORDS[at]}` : "";
      return `Score ${name}${by}${on} ${OP_WORDS[op]} ${valueText(value)}; no answer means ${MISSING_WORDS[missing]}`;
    }
    case "tag":
      return `Tag is ${condition.is}`;
    case "metadata": {
      const { key, op, value, missing = "good" } = condition;
      return `Metadata ${key} ${OP_WORDS[op]} ${valueText(value)}; missing means ${MISSING_WORDS[missing]}`;
    }
    case "cost":
      return `Cost is above $${condition.above}; unknown cost means ${MISSING_WORDS[condition.missing ?? "good"]}`;
    case "duration":
      return `Takes longer than ${condition.aboveMs / 1_000} s`;
    case "event":
      return `Event${condition.type ? ` of type ${condition.type}` : ""}${condition.name ? ` named ${condition.name}` : ""}`;
    case "decision":
      return `Decision${condition.type ? ` of type ${condition.type}` : ""}${condition.option ? ` chose ${condition.option}` : ""}`;
  }
}
