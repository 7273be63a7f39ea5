import { type RawBuilder, sql } from "kysely";

/** Labels with which evaluators say that something failed, in lower case. */
const FAILING = ["fail", "failed", "failure", "incorrect", "wrong", "bad", "unsafe"];
const BEGINNINGS = ["not ", "not_"];

/** Whether a label says that something failed. */
export function isFailingLabel(label: string): boolean {
  const lower = label.toLowerCase();
  return FAILING.includes(lower) || BEGINNINGS.some((beginning) => lower.startsWith(beginning));
}

/** The same in SQL; false without a label. */
export const isFailingLabelSql = (column: string): RawBuilder<unknown> =>
  sql.raw(
    `coalesce(lower(${column}) in (${FAILING.map((word) => `'${word}'`).join(", ")})
      or left(lower(${column}), 4) in (${BEGINNINGS.map((beginning) => `'${beginning}'`).join(", ")}), false)`,
  );
