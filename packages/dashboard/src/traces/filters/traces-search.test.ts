import { type FilterType, TRACE_FILTERS, type TraceFilterRow } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { parseTracesSearch, toTracesRequest } from "./traces-search.ts";

const VALUES: Record<Exclude<FilterType, "pairs" | "enum">, { valid: string; invalid?: string }> = {
  text: { valid: "some text" },
  list: { valid: "one,two" },
  number: { valid: "0.5", invalid: "-1" },
  anyNumber: { valid: "-1.5", invalid: "much" },
  integer: { valid: "5", invalid: "five" },
  date: { valid: "2026-11-09T00:00:00Z", invalid: "yesterday" },
  hash: { valid: "0123abcd", invalid: "xyz" },
};

const valuesOf = ({ type, values = [] }: TraceFilterRow): { valid: string; invalid?: string } =>
  type === "pairs"
    ? { valid: "value" }
    : type === "enum"
      ? { valid: values[0] ?? "", invalid: "OTHER" }
      : VALUES[type];

const nameOf = (name: string, { type }: TraceFilterRow) => (type === "pairs" ? `${name}.key` : name);

/** Filters that say more about another one have no effect without it. */
const withBase = ({ of }: TraceFilterRow) => {
  const base = Object.entries<TraceFilterRow>(TRACE_FILTERS).find(([name]) => name === of);
  return base ? { [base[0]]: valuesOf(base[1]).valid } : {};
};

describe.each(Object.entries<TraceFilterRow>(TRACE_FILTERS))("the filter %s", (name, row) => {
  const { valid, invalid } = valuesOf(row);
  const parameter = nameOf(name, row);

  it("is read from the address and sent to the server as it is", () => {
    const search = { ...withBase(row), [parameter]: valid };
    expect(parseTracesSearch(search)).toEqual(search);
    expect(toTracesRequest(parseTracesSearch(search), 0)).toEqual({ ...search, limit: "20" });
  });

  it("counts as absent if its value is invalid, or without the filter of which it says more", () => {
    if (invalid !== undefined)
      expect(parseTracesSearch({ ...withBase(row), [parameter]: invalid })).toEqual(withBase(row));
    if (row.of !== undefined) expect(parseTracesSearch({ [parameter]: valid })).toEqual({});
  });
});
