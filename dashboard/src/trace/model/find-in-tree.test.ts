import { expect, it } from "vitest";
import { outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { found, textMatches } from "./find-in-tree.ts";
import { nextIn } from "./next-in.ts";
import { whatHappenedNext } from "./what-happened-next.ts";

const tree = buildTree(
  outline(
    [
      span("root", [0, 10]),
      span("search", [0, 2], "root", { costUsd: 0.2 }),
      span("pay", [2, 9], "root", { status: "ERROR", statusMessage: "Card DECLINED", costUsd: 0.1 }),
    ],
    [decision("go", 1.9, "root"), decision("end", 9, "root")],
  ),
);
const keys = (nodes: { key: string }[]) => nodes.map(({ key }) => key);

it("finds texts in names, messages, choices and reasons, in any case", () => {
  expect(keys(textMatches(tree, "declined"))).toEqual(["s:pay"]);
  expect(keys(textMatches(tree, "WHY go"))).toEqual(["d:go"]);
  expect(textMatches(tree, "nothing like it")).toEqual([]);
});

it("finds errors, the critical path, the slowest by their own time, the costliest by their own cost", () => {
  expect(keys(found(tree, "errors"))).toEqual(["s:pay"]);
  expect(keys(found(tree, "critical"))).toEqual(["s:root", "s:search", "s:pay"]);
  expect(keys(found(tree, "slowest"))).toEqual(["s:pay", "s:search", "s:root"]);
  expect(keys(found(tree, "costliest"))).toEqual(["s:search", "s:pay"]);
});

it("walks from where one is, and round", () => {
  const [search, pay] = found(tree, "costliest");
  expect(nextIn(tree, tree.decisions, search ?? null, 1)?.key).toBe("d:go");
  expect(nextIn(tree, tree.decisions, pay ?? null, -1)?.key).toBe("d:go");
  expect(nextIn(tree, tree.decisions, tree.decisions[1] ?? null, 1)?.key).toBe("d:go");
  expect(nextIn(tree, [], null, 1)).toBeUndefined();
});

it("says what followed a decision in the same span", () => {
  const [go] = tree.decisions;
  expect(go && keys(whatHappenedNext(tree, go))).toEqual(["s:pay", "d:end"]);
});
