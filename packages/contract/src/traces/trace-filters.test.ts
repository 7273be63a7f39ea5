import { describe, expect, it } from "vitest";
import { TRACE_FILTERS, type TraceFilterRow } from "./trace-filters.ts";

const ROWS = Object.entries<TraceFilterRow>(TRACE_FILTERS);

describe("the table of filters", () => {
  it("gives values to every enum, and to no other type", () => {
    for (const [, { type, values }] of ROWS) expect(values !== undefined).toBe(type === "enum");
  });

  it("lets a filter say more only about another one, and gives it no chip then", () => {
    for (const [name, { of, chip }] of ROWS) {
      if (of === undefined) continue;
      expect(Object.keys(TRACE_FILTERS)).toContain(of);
      expect([of === name, chip]).toEqual([false, undefined]);
    }
  });

  it("shares a chip only between the two ends of a range, of which the first has the words", () => {
    const chips = Map.groupBy(
      ROWS.filter(([, { chip }]) => chip),
      ([, { chip }]) => chip?.label,
    );
    for (const [first, second, third] of chips.values()) {
      expect(third).toBeUndefined();
      if (second === undefined) continue;
      expect(first?.[0]).toMatch(/From$/);
      expect(second[0]).toBe(first?.[0].replace(/From$/, "To"));
      expect(second[1].type).toBe(first?.[1].type);
      expect(Object.keys(second[1].chip ?? {})).toEqual(["label"]);
    }
  });

  it("gives every option of the command line to one filter", () => {
    const options = ROWS.flatMap(([, { option }]) => option?.name ?? []);
    expect(new Set(options).size).toBe(options.length);
  });
});
