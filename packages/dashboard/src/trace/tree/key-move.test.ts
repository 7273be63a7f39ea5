import { expect, it } from "vitest";
import { outline, outlineSpan as span } from "../../../test/outline.ts";
import { buildTree } from "../model/build-tree.ts";
import { flattenRows } from "../model/flatten-rows.ts";
import { keyMove } from "./key-move.ts";

const tree = buildTree(
  outline([span("a", [0, 9]), span("b", [1, 5], "a"), span("c", [2, 3], "b"), span("d", [6, 7], "a")]),
);
const open = flattenRows(tree, new Set());
const closed = flattenRows(tree, new Set(["s:b"]));
const press = (rows: typeof open, active: number, key: string) => keyMove(rows, active, { key, page: 2 });

it("moves like the ARIA tree grid pattern", () => {
  expect(press(open, 0, "ArrowDown")?.to).toBe(1);
  expect(press(open, 0, "ArrowUp")?.to).toBe(0);
  expect(press(open, 0, "End")?.to).toBe(3);
  expect(press(open, 3, "Home")?.to).toBe(0);
  expect(press(open, 1, "PageDown")?.to).toBe(3);
  expect(press(open, 3, "PageUp")?.to).toBe(1);
  expect(press(open, 0, "x")).toBeUndefined();
});

it("expands with the right arrow, collapses with the left one, else goes to the child or the parent", () => {
  expect(press(closed, 1, "ArrowRight")).toMatchObject({ to: 1, toggle: [{ item: { key: "s:b" } }] });
  expect(press(open, 1, "ArrowRight")).toEqual({ to: 2, toggle: [] });
  expect(press(open, 1, "ArrowLeft")).toMatchObject({ to: 1, toggle: [{ item: { key: "s:b" } }] });
  expect(press(open, 2, "ArrowLeft")?.to).toBe(1);
  expect(press(open, 3, "ArrowLeft")?.to).toBe(0);
  expect(press(closed, 2, "*")?.toggle.map(({ item }) => item.key)).toEqual(["s:b"]);
});

it("starts at the first row when none is active", () => {
  expect(press(open, -1, "ArrowDown")?.to).toBe(0);
});
