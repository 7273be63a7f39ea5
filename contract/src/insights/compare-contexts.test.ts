import { describe, expect, it } from "vitest";
import { compareContexts } from "./compare-contexts.ts";

const run = (context: unknown, reasoning: string | null = null) => ({
  context: JSON.stringify(context),
  reasoning,
});

describe("compareContexts", () => {
  it("lists every key once, those of the first context first", () => {
    const keys = compareContexts(
      run({ order: { id: "A-1", state: "paid" }, age: 1 }),
      run({ order: { id: "A-2" }, age: 1, region: "eu" }),
    );
    expect(keys.map(({ key, a, b, isEqual }) => [key, a, b, isEqual])).toEqual([
      ["order.id", '"A-1"', '"A-2"', false],
      ["order.state", '"paid"', null, false],
      ["age", "1", "1", true],
      ["region", null, '"eu"', false],
    ]);
  });

  it("compares long values completely, and returns their beginning", () => {
    const text = "x".repeat(1_000);
    const [key] = compareContexts(run({ text: `${text}a` }), run({ text: `${text}b` }));
    expect(key).toMatchObject({ isEqual: false, a: key?.b });
    expect(key?.a?.length).toBeLessThan(400);
  });

  it.each([
    ["its value", "The order was refunded before.", "b"],
    ["its key", "The state says no.", "b"],
    ["another word that contains it", "It is stateless and unrefunded.", null],
    ["nothing", null, null],
  ])("flags an equal value if only one reasoning names %s", (_, reasoning, namedIn) => {
    const context = { order: { state: "refunded" } };
    expect(compareContexts(run(context, "Cheapest."), run(context, reasoning))[0]?.namedIn).toBe(namedIn);
    expect(compareContexts(run(context, reasoning), run(context, reasoning))[0]?.namedIn).toBeNull();
  });

  it("finds a key of several words in a sentence", () => {
    const context = { refundCount: 3 };
    const [key] = compareContexts(run(context, "The refund count is high."), run(context, "Fine."));
    expect(key?.namedIn).toBe("a");
  });

  it("flags neither a value that differs nor a word that says nothing", () => {
    const named = (a: unknown, b: unknown, reasoning: string) =>
      compareContexts(run(a, reasoning), run(b))[0]?.namedIn;
    expect(named({ state: "paid" }, { state: "open" }, "state is paid")).toBeNull();
    expect(named({ ok: true }, { ok: true }, "It is true, ok.")).toBeNull();
    expect(named({ id: 1 }, { id: 1 }, "id 1")).toBeNull();
  });
});
