import type { ComparedLine, LineRelation } from "@whytrace/contract";
import { expect, it } from "vitest";
import { foldLines } from "./fold-lines.ts";

const line = (relation: LineRelation): ComparedLine => ({ relation, a: null, b: null, context: null });

it("replaces lines that are the same by their number, and keeps the numbers of the others", () => {
  const lines = [line("same"), line("same"), line("flipped"), line("same"), line("b")];
  expect(foldLines(lines, true)).toEqual([
    { folded: 2, number: 1 },
    { line: lines[2], number: 3 },
    { folded: 1, number: 4 },
    { line: lines[4], number: 5 },
  ]);
  expect(foldLines(lines, false).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});
