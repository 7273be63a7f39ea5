import { describe, expect, it } from "vitest";
import { compareContexts as compare, countContextKeys, type DecisionContext } from "./compare-contexts.ts";

const run = (context: unknown, reasoning: string | null = null) => ({
  context: JSON.stringify(context),
  reasoning,
});

const compareContexts = (a: DecisionContext, b: DecisionContext) => compare(a, b).keys;

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

describe("a context that is too large", () => {
  const many = (count: number, value = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]));

  it("is compared in part, and no key is called absent that may be in the rest", () => {
    const [a, b] = [run({ ...many(6_000), last: 1 }), run({ last: 1, ...many(1_000, 2), only: 3 })];
    expect(countContextKeys(a, b)).toEqual({ differing: 2_000, keys: 2_000, isTruncated: true });
    expect(countContextKeys(b, b)).toEqual({ differing: 0, keys: 1_002, isTruncated: false });
    expect(compare(a, b).isTruncated).toBe(true);
    expect(compare(a, b).keys.map(({ key }) => key)).not.toContain("last");
    expect(compare(b, a).keys.map(({ key }) => key)).not.toContain("only");
  });

  it.each([
    ["a long key over many values", { ["k".repeat(40_000)]: many(4_000) }],
    ["long keys of one length", Object.fromEntries([..."abc"].map((end) => ["k".repeat(17_000) + end, 1]))],
    ["as many objects as fit", Array.from({ length: 20_000 }, () => ({}))],
    [
      "values that are almost what the reasoning says",
      Array.from({ length: 300 }, () => ({ b: `b${"a".repeat(190)}` })),
    ],
    ["words of one letter", Array.from({ length: 300 }, () => ({ b: `${"a ".repeat(90)}b` }))],
  ])("takes time in proportion to it: %s", (_, context) => {
    const reasonings = ["a".repeat(4_000), "a ".repeat(2_000)];
    const before = process.cpuUsage();
    for (const reasoning of reasonings) compare(run(context, reasoning), run(context, "other"));
    // Paths of one length that are not shortened take ten seconds.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
  });

  it.each([2_000, 20_000])("may be nested %i levels deep", (depth) => {
    const context = { context: `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`, reasoning: null };
    const { differing, keys, isTruncated } = countContextKeys(context, context);
    expect({ differing, isRead: keys === 1 || isTruncated }).toEqual({ differing: 0, isRead: true });
  });
});
