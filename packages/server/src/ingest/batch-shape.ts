import { DECISION_POINT, EVENT, type RecordTable, SPAN, TRACE } from "@whytrace/contract";
import { jsonFields } from "../trace-store/rows/record-columns.ts";
import { PLAIN, RAW, type Shape } from "./json-shape.ts";

/** JSON values are passed on as the bytes that were sent; all other fields are parsed. */
function recordShape({ fields }: RecordTable, lists: Record<string, Shape> = {}): Shape {
  const json = new Set(jsonFields(fields));
  const shapes = Object.keys(fields).map((name) => [name, json.has(name) ? RAW : PLAIN] as const);
  return { record: new Map<string, Shape>([...shapes, ...Object.entries(lists)]) };
}

/** What the scan of a request body returns. */
export const BATCH_SHAPE: Shape = {
  record: new Map([
    [
      "traces",
      {
        list: recordShape(TRACE, {
          spans: { list: recordShape(SPAN) },
          decisionPoints: { list: recordShape(DECISION_POINT) },
          events: { list: recordShape(EVENT) },
        }),
      },
    ],
  ]),
};
