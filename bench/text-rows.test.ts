import { Random } from "@whytrace/demo";
import { createTestDatabase } from "@whytrace/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { readColumnTypes, readRows, type TextRows } from "./copy-text.ts";
import { encodeTraces } from "./encode-traces.ts";
import { generateTraces } from "./generate.ts";
import { type Packing, writeTextRows } from "./text-rows.ts";

const USER_ID = "00000000-0000-4000-a000-000000000010";
const types = await readColumnTypes(await createTestDatabase());

describe.each<Packing>(["unpacked", "packed"])("%s rows", (packing) => {
  test.each(["full", "conversation"] as const)(
    "are those that the server writes for %s traces",
    async (size) => {
      const traces = generateTraces(new Random(1), {
        count: 5,
        size,
        ids: new Random(2),
        fromMs: 0,
        toMs: 86_400_000,
      });
      const tenant = { userId: USER_ID, email: "", tier: "PRO" as const, traceCount: 0 };
      const [owners, ...written] = await writeTextRows({ tenant, traces }, packing, types);
      const encoded = await encodeTraces(USER_ID, traces, packing === "packed");
      expect(owners?.rows).toEqual(traces.map(({ id }) => [id, USER_ID]));
      expect(byTable(written)).toEqual(byTable(encoded.map((table) => readRows(table, types))));
    },
  );
});

/** Null and an absent column are the same; so are the two texts of a uuid and of a boolean. */
const byTable = (tables: TextRows[]) =>
  Object.fromEntries(
    tables.map(({ table, columns, rows }) => [
      table,
      rows.map((row) =>
        Object.fromEntries(
          columns.flatMap((column, index) => {
            const text = row[index] ?? null;
            return text === null ? [] : [[column, canonical(types.get(`${table}.${column}`), text)]];
          }),
        ),
      ),
    ]),
  );

function canonical(type: string | undefined, text: string): string {
  if (type === "uuid") return text.replaceAll("-", "");
  return type === "bool" ? text.slice(0, 1) : text;
}
