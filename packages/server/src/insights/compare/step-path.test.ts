import { describe, expect, it } from "vitest";
import { afterPrefix, branchesTo, commonLength } from "./step-path.ts";

const bytes = (...values: number[]) => Buffer.from(values);

describe("afterPrefix", () => {
  it.each([
    [bytes(1, 2), bytes(1, 3)],
    [bytes(1, 0xff, 0xff), bytes(2)],
  ])("of %j is greater than all that begins with it, and not greater than the next", (prefix, end) => {
    expect(afterPrefix(prefix)).toEqual(end);
    expect(Buffer.compare(Buffer.concat([prefix, Buffer.alloc(300, 0xff)]), end)).toBe(-1);
  });

  it("is greater than every path if the prefix is the greatest", () => {
    expect(Buffer.compare(Buffer.alloc(256, 0xff), afterPrefix(Buffer.alloc(4, 0xff)))).toBe(-1);
  });
});

it("branchesTo leaves the path at every step that chose otherwise, the last one first", () => {
  const path = bytes(0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 2);
  expect(branchesTo(path, 7)).toEqual([bytes(0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 7), bytes(0, 0, 0, 7)]);
});

it("commonLength counts equal steps from the start", () => {
  expect(commonLength([1, 2, 3, 4], [1, 2, 4, 4])).toBe(2);
  expect(commonLength([1], [1, 2])).toBe(1);
});
