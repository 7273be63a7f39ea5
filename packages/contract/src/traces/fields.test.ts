import { describe, expect, it } from "vitest";
import { DECISION_POINT, EVENT, type RecordTable, SPAN, TRACE } from "./fields.ts";

const NULLABLE = ["reference", "text", "number", "probability", "optionalInstant", "json", "payload"];

describe.each<RecordTable>([TRACE, DECISION_POINT, SPAN, EVENT])(
  "the table of a $label",
  ({ required, fields }) => {
    it("requires every field that cannot be null, and no other", () => {
      const notNull = Object.keys(fields).filter((name) => !NULLABLE.includes(String(fields[name])));
      expect([...required].sort()).toEqual(notNull.sort());
    });
  },
);
