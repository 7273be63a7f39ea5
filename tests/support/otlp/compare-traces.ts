import { isDeepStrictEqual } from "node:util";

/** Fields that depend on where and when a trace is stored. */
const STORED_FIELDS = ["userId", "traceId", "createdAt", "updatedAt"];

type Comparable = Record<string, unknown>;

/** A trace without what differs between two copies of it, and its records in an order that does not depend on that. */
export function comparableTrace({ spans, decisionPoints, events, ...trace }: Comparable): Comparable {
  const sorted = (records: unknown, leftOut: string[]) =>
    (Array.isArray(records) ? records : [])
      .map((record: Comparable) => without(record, leftOut))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    ...without(trace, ["id"]),
    spans: sorted(spans, []),
    decisionPoints: sorted(decisionPoints, ["id"]),
    events: sorted(events, ["id"]),
  };
}

const without = (record: Comparable, leftOut: string[]): Comparable =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => ![...STORED_FIELDS, ...leftOut].includes(name)),
  );

/** The first place in which a value is not as expected, and both values there; undefined if there is none. */
export function firstDifference(stored: unknown, expected: unknown, place = ""): string | undefined {
  if (isDeepStrictEqual(stored, expected)) return undefined;
  if (isContainer(stored) && isContainer(expected))
    for (const key of Object.keys({ ...stored, ...expected })) {
      const difference = firstDifference(stored[key], expected[key], place === "" ? key : `${place}.${key}`);
      if (difference !== undefined) return difference;
    }
  return `${place}: ${shown(stored)} instead of ${shown(expected)}`;
}

const isContainer = (value: unknown): value is Comparable => typeof value === "object" && value !== null;
const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 300);
