import { expect, it } from "vitest";
import { outlineDecision as decision, outline, outlineSpan as span } from "../../../test/outline.ts";
import { buildTree } from "./build-tree.ts";
import { nextNode } from "./next-node.ts";
import { quickSearch, searchText } from "./search-tree.ts";

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

it("finds text in names, messages, choices and reasoning, ignoring case", () => {
  expect(keys(searchText(tree, "declined"))).toEqual(["s:pay"]);
  expect(keys(searchText(tree, "WHY go"))).toEqual(["d:go"]);
  expect(searchText(tree, "nothing like it")).toEqual([]);
});

it("finds errors, the critical path, the slowest by self time and the costliest by own cost", () => {
  expect(keys(quickSearch(tree, "errors"))).toEqual(["s:pay"]);
  expect(keys(quickSearch(tree, "critical"))).toEqual(["s:root", "s:search", "s:pay"]);
  expect(keys(quickSearch(tree, "slowest"))).toEqual(["s:pay", "s:search", "s:root"]);
  expect(keys(quickSearch(tree, "costliest"))).toEqual(["s:search", "s:pay"]);
});

it("goes to the next node from the selection, and wraps around", () => {
  const [search, pay] = quickSearch(tree, "costliest");
  expect(nextNode(tree, tree.decisions, search ?? null, 1)?.key).toBe("d:go");
  expect(nextNode(tree, tree.decisions, pay ?? null, -1)?.key).toBe("d:go");
  expect(nextNode(tree, tree.decisions, tree.decisions[1] ?? null, 1)?.key).toBe("d:go");
  expect(nextNode(tree, [], null, 1)).toBeUndefined();
});
