import { Random } from "@whytrace/demo";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { expect, test } from "vitest";
import { asWorkspaceId } from "../../packages/server/src/db/workspace-id.ts";
import { PACKED_FIELDS, type PackedKind } from "../../packages/server/src/payloads/packed-fields.ts";
import { readColumnTypes, readRows, type TextRows } from "./copy-text.ts";
import { encodeTraces } from "./encode-traces.ts";
import { generateTraces } from "./generate/generate.ts";
import { addPayloadColumns } from "./payload-columns.ts";
import { writeTextRows } from "./text-rows.ts";

const USER_ID = "00000000-0000-4000-a000-000000000010";
const databaseUrl = await createTestDatabase();
await addPayloadColumns(databaseUrl);
const types = await readColumnTypes(databaseUrl);

test.each(["full", "conversation"] as const)(
  "packed rows of %s traces are those that the server writes, and unpacked ones have their payloads instead of parts",
  async (size) => {
    const traces = generateTraces(new Random(1), {
      count: 5,
      size,
      ids: new Random(2),
      fromMs: 0,
      toMs: 86_400_000,
    });
    const tenant = { workspaceId: asWorkspaceId(USER_ID), email: "", tier: "PRO" as const, traceCount: 0 };
    const [owners, ...packed] = await writeTextRows({ tenant, traces }, "packed", types);
    const encoded = await encodeTraces(USER_ID, traces);
    expect(owners?.rows).toEqual(traces.map(({ id }) => [id, USER_ID]));
    expect(byTable(packed)).toEqual(byTable(encoded.map((table) => readRows(table, types))));

    const [, ...unpacked] = await writeTextRows({ tenant, traces }, "unpacked", types);
    const { trace_payloads: _parts, spans = [], events = [], ...others } = byTable(packed);
    const payloadsOf = (record: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
      Object.fromEntries(
        fields.flatMap((field) => {
          const payload = record[field] ?? null;
          return payload === null ? [] : [[field, JSON.stringify(payload)]];
        }),
      );
    const withPayloads = (kind: PackedKind, rows: object[], children: object[]) =>
      rows.map((row, n) => ({ ...row, ...payloadsOf({ ...children[n] }, PACKED_FIELDS[kind]) }));
    expect(byTable(unpacked)).toEqual({
      ...others,
      spans: withPayloads(
        "spans",
        spans,
        traces.flatMap((trace) => trace.spans),
      ),
      events: withPayloads(
        "events",
        events,
        traces.flatMap((trace) => trace.events),
      ),
    });
  },
);

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
