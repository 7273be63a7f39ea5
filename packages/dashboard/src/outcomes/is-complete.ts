import type { Condition } from "@whytrace/contract";

const isFilled = (text: string | undefined) => text !== undefined && text.trim() !== "";

/** Whether nothing is left to fill in. The server checks the rest. */
export function isComplete(condition: Condition): boolean {
  switch (condition.kind) {
    case "score":
      return isFilled(condition.name) && isFilled(String(condition.value));
    case "metadata":
      return isFilled(condition.key) && isFilled(String(condition.value));
    case "tag":
      return isFilled(condition.is);
    case "event":
      return isFilled(condition.type) || isFilled(condition.name);
    case "decision":
      return isFilled(condition.type) || isFilled(condition.option);
    default:
      return true;
  }
}
