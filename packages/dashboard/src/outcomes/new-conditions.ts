import type { Condition } from "@whytrace/contract";

/** What the buttons below the conditions add. Those that are there already are not offered again, except where several make sense. */
export const NEW_CONDITIONS: readonly { label: string; isSingle: boolean; condition: Condition }[] = [
  { label: "Score", isSingle: false, condition: { kind: "score", name: "", op: "is", value: false } },
  { label: "Event", isSingle: false, condition: { kind: "event", name: "" } },
  { label: "Tag", isSingle: false, condition: { kind: "tag", is: "" } },
  { label: "Metadata", isSingle: false, condition: { kind: "metadata", key: "", op: "is", value: "" } },
  { label: "Cost", isSingle: true, condition: { kind: "cost", above: 1 } },
  { label: "Duration", isSingle: true, condition: { kind: "duration", aboveMs: 60_000 } },
  { label: "Decision", isSingle: false, condition: { kind: "decision", option: "" } },
  { label: "Status ERROR", isSingle: true, condition: { kind: "status", is: "ERROR" } },
  { label: "Any user says false", isSingle: true, condition: { kind: "feedback" } },
  { label: "Any judge or check says fail", isSingle: true, condition: { kind: "evaluator" } },
];
