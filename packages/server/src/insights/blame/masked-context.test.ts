import type { MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { expect, it } from "vitest";
import { maskedContext } from "./masked-context.ts";

const rule = (values: Partial<MaskingRule>): MaskingRule => ({
  name: "customer",
  method: "replace",
  type: "anything",
  source: "context.customer",
  ...values,
});

it("names what is the same in all runs because it was masked, and the rule that did it", () => {
  const context = {
    customer: "[customer]",
    order: { plan: "(hidden)", mail: "[email]", key: "********" },
    hashed: "[customer:9f2c4e1ab0d36b70]",
    state: "[open]",
    count: 1,
  };
  const rules = [
    rule({}),
    rule({ name: "plan", text: "(hidden)" }),
    rule({ name: "open", isEnabled: false }),
  ];
  expect(maskedContext(context, rules)).toEqual([
    { key: "customer", rule: "customer" },
    { key: "order.plan", rule: "plan" },
    { key: "order.mail", rule: null },
  ]);
  expect(maskedContext({ state: "[open]" }, rules)).toEqual([]);
});

it("says of a context of which only the size was kept that all of it is masked", () => {
  expect(maskedContext({ masked: { bytes: 412 } }, [])).toEqual([{ key: null, rule: null }]);
  expect(maskedContext({ masked: { bytes: 412 }, a: 1 }, [])).toEqual([]);
});
