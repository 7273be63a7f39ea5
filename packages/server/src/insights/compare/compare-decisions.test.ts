import { finishSteps } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { compareDecisions } from "./compare-decisions.ts";
import { decisionLine } from "./decision-line.ts";

/** "x<p 1-50" is a span x inside of span p, from 1 to 50 ms. */
function parseSpan(text: string) {
  const [, name = "", parent = null, from, to] = /^(\w+)(?:<(\w+))? (\d+)-(\d+)$/.exec(text) ?? [];
  return {
    id: name,
    name,
    parentSpanId: parent,
    startedAt: Number(from),
    endedAt: Number(to),
    durationMs: null,
  };
}

/** "2 x: a of ab" is a decision in span x, after 2 ms: a was chosen of a and b. */
function parseDecision(text: string) {
  const [, at, span = null, chosen, options = "", type = "ROUTING"] =
    /^(\d+) (?:(\w+): )?(\w) of (\w+)(?: (\w+))?$/.exec(text) ?? [];
  const alternatives = [...options].filter((option) => option !== chosen);
  return { type, chosen, alternatives, parentSpanId: span, timestamp: Number(at) };
}

const run = (decisions: string[], spans: string[] = []) =>
  finishSteps(decisionLine("agent", spans.map(parseSpan), decisions.map(parseDecision)));

type Run = ReturnType<typeof run>;

/** "a" is the same in both, "a→b" a flipped choice, "a~b" other options, "-a" only in the first, "+b" only in the second. */
const compare = (one: Run, other: Run) =>
  finishSteps(compareDecisions(one, other)).map(({ relation, a, b }) => {
    const signs = { same: "", flipped: "→", changed: "~", a: "-", b: "+" };
    if (relation === "same") return a?.option;
    return `${relation === "a" ? "" : (a?.option ?? "")}${signs[relation]}${relation === "a" ? a?.option : b?.option}`;
  });

const PARALLEL = ["p 0-99", "x<p 1-50", "y<p 1-60"];

describe("compareDecisions", () => {
  it.each<[string, Run, Run, string]>([
    ["equal runs", run(["1 a of ab", "2 c of cd"]), run(["1 a of ab", "2 c of cd"]), "a c"],
    [
      "a flipped choice",
      run(["1 a of ab", "2 c of cd", "3 e of ef"]),
      run(["1 a of ab", "2 d of cd", "3 e of ef"]),
      "a c→d e",
    ],
    [
      "an inserted decision",
      run(["1 a of ab", "3 e of ef"]),
      run(["1 a of ab", "2 c of cd", "3 e of ef"]),
      "a +c e",
    ],
    [
      "a missing decision",
      run(["1 a of ab", "2 c of cd", "3 e of ef"]),
      run(["1 a of ab", "3 e of ef"]),
      "a -c e",
    ],
    [
      "a flip that leads another way and back",
      run(["1 a of ab", "2 c of cd", "3 g of gh", "4 e of ef"]),
      run(["1 b of ab", "2 i of ij", "3 k of kl", "4 e of ef"]),
      "a→b c~i g~k e",
    ],
    [
      "a loop with one turn more",
      run(["1 a of ab", "2 a of ab", "3 e of ef"]),
      run(["1 a of ab", "2 a of ab", "3 a of ab", "4 e of ef"]),
      "a a +a e",
    ],
    [
      "a retry in between",
      run(["1 a of ab", "2 c of cd"]),
      run(["1 a of ab", "2 y of yn RETRY", "3 c of cd"]),
      "a +y c",
    ],
    [
      "parallel branches that ran in another order",
      run(["2 x: a of ab", "3 y: c of cd", "70 p: e of ef"], PARALLEL),
      run(["2 y: c of cd", "5 x: a of ab", "70 p: e of ef"], ["p 0-99", "y<p 1-40", "x<p 2-60"]),
      "a c e",
    ],
    [
      "interleaved decisions of parallel branches, one of them flipped",
      run(["2 x: a of ab", "3 y: c of cd", "4 x: e of ef", "5 y: g of gh"], PARALLEL),
      run(["2 y: c of cd", "3 y: g of gh", "4 x: a of ab", "5 x: f of ef"], PARALLEL),
      "a e→f c g",
    ],
    [
      "branches one after the other, whose order counts",
      run(["2 x: a of ab", "33 y: c of cd"], ["p 0-99", "x<p 1-20", "y<p 30-60"]),
      run(["2 y: c of cd", "33 x: a of ab"], ["p 0-99", "y<p 1-20", "x<p 30-60"]),
      "-a c +a",
    ],
    [
      "a branch that only one run has",
      run(["2 x: a of ab", "70 p: e of ef"], ["p 0-99", "x<p 1-50"]),
      run(["2 x: a of ab", "3 y: c of cd", "70 p: e of ef"], PARALLEL),
      "a +c e",
    ],
    [
      "other options in the same place",
      run(["1 a of ab", "2 c of cd"]),
      run(["1 a of ab", "2 c of cde"]),
      "a c~c",
    ],
  ])("tells %s", (_, one, other, lines) => {
    expect(compare(one, other).join(" ")).toBe(lines);
  });

  it("never pairs decisions of different places that are not equal", () => {
    const one = run(["2 x: a of ab"], ["x 1-50"]);
    const other = run(["2 y: b of ab"], ["y 1-50"]);
    expect(compare(one, other)).toEqual(["-a", "+b"]);
  });
});
