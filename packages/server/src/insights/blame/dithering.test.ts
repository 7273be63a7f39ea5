import { describe, expect, it } from "vitest";
import { type DitheringInput, findDithering } from "./dithering.ts";

const decision = (fields: Partial<DitheringInput>): DitheringInput => ({
  type: "TOOL_SELECTION",
  signature: 1,
  option: "search",
  options: ["search", "ask_human", "refund_api"],
  reasoning: null,
  context: null,
  ...fields,
});
const kinds = (decisions: DitheringInput[]) => findDithering(decisions).map((one) => one?.kind ?? null);

describe("a repeated retry", () => {
  const retry = (context: unknown, option = "retry") => decision({ type: "RETRY", option, context });

  it("does the same again although nothing but the number of the attempt changed", () => {
    const contexts = [
      { error: "timeout", args: { a: 1, b: 2 }, attempt: 1 },
      { error: "timeout", args: { b: 2, a: 1 }, attempt: 2, elapsedMs: 900 },
    ];
    expect(kinds(contexts.map((context) => retry(context)))).toEqual([null, "repeated-retry"]);
  });

  it("is none if the context or the choice changed, or nothing is known of the context", () => {
    expect(kinds([retry({ error: "timeout" }), retry({ error: "429" })])).toEqual([null, null]);
    expect(kinds([retry({ error: "timeout" }), retry({ error: "timeout" }, "give up")])).toEqual([
      null,
      null,
    ]);
    expect(kinds([retry(null), retry(null)])).toEqual([null, null]);
  });

  it("is none for other decisions, which may be right to choose the same again", () => {
    expect(kinds([decision({ context: { a: 1 } }), decision({ context: { a: 1 } })])).toEqual([null, null]);
  });
});

describe("going back and forth", () => {
  const route = (option: string, context: unknown = null) => decision({ type: "ROUTING", option, context });

  it("returns to where it came from", () => {
    expect(kinds(["billing", "support", "billing", "support"].map((option) => route(option)))).toEqual([
      null,
      null,
      "back-and-forth",
      "back-and-forth",
    ]);
  });

  it("is none if it stays, goes on, or is about something else", () => {
    expect(kinds([route("a"), route("a"), route("a")])).toEqual([null, null, null]);
    expect(kinds([route("a"), route("b"), route("c")])).toEqual([null, null, null]);
    expect(kinds([route("a", { ticket: 1 }), route("b", { ticket: 2 }), route("a", { ticket: 3 })])).toEqual([
      null,
      null,
      null,
    ]);
    expect(kinds([route("a"), route("b"), decision({ signature: 2 }), route("a")])).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("naming another option", () => {
  const named = (reasoning: string, option = "search") => findDithering([decision({ reasoning, option })])[0];

  it.each(["The ask_human tool is right for this.", "Ask human: the amount is high", "I call askHuman"])(
    "is found in %j",
    (reasoning) => {
      expect(named(reasoning)).toEqual({ kind: "named-other-option", option: "ask_human" });
    },
  );

  it.each([
    "Search first, ask_human later",
    "ask_human is too slow here",
    "There's no need to ask_human",
    "Either ask_human or refund_api fits",
    "The human asked twice",
    "I would call ask_human if it were urgent",
    "",
  ])("is not found in %j", (reasoning) => {
    expect(named(reasoning)).toBeNull();
  });

  it("takes no part of a longer word for a name", () => {
    const options = ["search", "read"];
    expect(findDithering([decision({ options, reasoning: "Already spread widely" })])).toEqual([null]);
  });
});
