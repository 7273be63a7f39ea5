import type { Condition } from "@whytrace/contract";
import { expect, it } from "vitest";
import { conditionWords } from "./condition-words.ts";

const CASES: [Condition, string][] = [
  [{ kind: "status", is: "ERROR" }, "Status is ERROR"],
  [{ kind: "feedback" }, "A user says false, under any name"],
  [{ kind: "evaluator" }, "A judge or a check says false or fail, under any name"],
  [
    { kind: "score", name: "helpful", op: "is", value: false, source: "user", missing: "asked" },
    "Score helpful by users is false; no answer means good where asked, else unknown",
  ],
  [
    { kind: "score", name: "mood", op: "in", value: ["sad", "angry"], at: "span" },
    "Score mood on a span is one of sad, angry; no answer means good",
  ],
  [{ kind: "tag", is: "refunded" }, "Tag is refunded"],
  [
    { kind: "metadata", key: "tries", op: "above", value: 3, missing: "unknown" },
    "Metadata tries is above 3; missing means unknown",
  ],
  [{ kind: "cost", above: 0.5 }, "Cost is above $0.5; unknown cost means good"],
  [{ kind: "duration", aboveMs: 90_000 }, "Takes longer than 90 s"],
  [{ kind: "event", type: "ERROR", name: "handover" }, "Event of type ERROR named handover"],
  [{ kind: "decision", option: "give up" }, "Decision chose give up"],
];

it.each(CASES)("the condition %j is a sentence that can be read aloud: %s", (condition, words) => {
  expect(conditionWords(condition)).toBe(words);
});
