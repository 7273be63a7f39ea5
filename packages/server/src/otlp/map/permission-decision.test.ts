import { expect, it } from "vitest";
import { permissionDecision } from "./permission-decision.ts";

const decide = (attributes: Record<string, string>) =>
  permissionDecision(new Map(Object.entries({ "span.type": "tool.blocked_on_user", ...attributes })));

it.each(["user_temporary", "user_permanent", "user_reject", "hook"])(
  "the answer of %s is an escalation",
  (source) => {
    expect(decide({ decision: "reject", source })).toEqual({
      type: "ESCALATION",
      chosen: "reject",
      alternatives: ["accept"],
      context: { source },
    });
  },
);

it("what the configuration allows, and what other spans say, is no decision", () => {
  expect(decide({ decision: "accept", source: "config" })).toBeUndefined();
  expect(decide({ decision: "perhaps", source: "hook" })).toBeUndefined();
  expect(decide({ decision: "accept" })).toBeUndefined();
  expect(decide({ "span.type": "tool", decision: "accept", source: "hook" })).toBeUndefined();
});
