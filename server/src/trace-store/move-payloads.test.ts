import { randomBytes, randomUUID } from "node:crypto";
import { CHILDREN, type ChildKind, TRACE } from "@whytrace/contract";
import { type Booted, boot } from "@whytrace/testing/boot.ts";
import { isDistributed } from "@whytrace/testing/citus-cluster.ts";
import { event, newSender, type Sender, sendAs, span, trace } from "@whytrace/testing/sample-traces.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { copyJson } from "../db/copy-json.ts";
import { createPool } from "../db/database.ts";
import { payloadFields } from "../payloads/packed-fields.ts";
import { countPayloadMoves, movePayloads } from "./move-payloads.ts";
import { outlineFields, selectJsonFields } from "./record-columns.ts";

/** Writes payloads into rows, as the version before packing did. */
let older: Booted;
/** Packs payloads. */
let newer: Booted;
let pool: ReturnType<typeof createPool>;
let user: Sender;
const warnings: string[] = [];
beforeAll(async () => {
  older = await boot({ PACK_PAYLOADS: "false" });
  newer = await boot({ DATABASE_URL: older.databaseUrl });
  pool = createPool(older.databaseUrl, { max: 2 });
});
afterAll(() => pool.end());
beforeEach(async () => {
  await sql`truncate traces, spans, events, trace_payloads, trace_manifests, trace_owners`.execute(older.db);
  await setLease("infinity");
  user = await newSender(older.client, older.db);
});

interface Run {
  stopping?: AbortSignal;
  onMoved?: (traceCount: number) => void;
}

/** A lease without an end keeps the workers of both servers from moving anything. */
const setLease = (endsAt: string) =>
  sql`
    insert into worker_leases (job, number, ends_at) values ('move payloads', 1, ${endsAt}::timestamptz)
    on conflict (job) do update set ends_at = excluded.ends_at`.execute(older.db);

/** Takes over the expired lease of another process. */
async function move(packPayloads: boolean, run?: Run): Promise<number> {
  await setLease("2026-01-01");
  const moved = await moveWithLease(packPayloads, run);
  await setLease("infinity");
  return moved;
}

async function moveWithLease(packPayloads: boolean, { stopping, onMoved }: Run = {}): Promise<number> {
  let moved = 0;
  await movePayloads({
    db: older.db,
    pool,
    packPayloads,
    log: { warn: (_fields, message) => warnings.push(message) },
    stopping: stopping ?? new AbortController().signal,
    pauseRatio: 0,
    onMoved(traceCount) {
      moved += traceCount;
      onMoved?.(traceCount);
    },
  });
  return moved;
}

const sendTo = ({ client }: Booted, traces: unknown[]) => sendAs(client, user.key, { traces });

/** JSON that a parser and a serializer would change. */
const ODD_PAYLOADS = [
  '{ "a" : 1 , "a" : 2 }',
  "9007199254740993",
  "1e400",
  '"\\u0000\\ud800 \\/ \\u00e9 é 😀"',
  "\t[ \n]\r",
  '""',
  "false",
  '{"deep":[[[[[{}]]]]]}',
];

/** A trace as JSON text, with odd payloads in every field that is packed. */
function oddTrace(id: string): string {
  const payload = (n: number) => ODD_PAYLOADS[n % ODD_PAYLOADS.length];
  const spans = ODD_PAYLOADS.map((odd, n) =>
    JSON.stringify(span({ id: `s${n}` })).replace(
      "{",
      `{"input":${odd},${n % 3 === 0 ? "" : `"output":${payload(n + 1)},`}"metadata":${payload(n + 2)},`,
    ),
  );
  const events = ODD_PAYLOADS.map((odd, n) =>
    JSON.stringify(event({ id: `e${n}` })).replace("{", `{"metadata":${odd},`),
  );
  return JSON.stringify(trace({ id }))
    .replace('"spans":[]', `"spans":[${spans}]`)
    .replace('"events":[]', `"events":[${events}]`);
}

const sendText = ({ client }: Booted, traces: string[]) =>
  client.request("POST", "/api/traces", {
    raw: `{"traces":[${traces}]}`,
    headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
  });

const textOf = async (id: string) => (await user.get(`/api/traces/${id}`)).text;
const inputsOf = async (id: string) =>
  (await user.get(`/api/traces/${id}`)).json.spans.map(({ input }: { input: unknown }) => input);

/** How many rows of the user have payloads of their own, and how many parts and packed traces there are. */
async function stored() {
  const { rows } = await sql<{ rows: number; parts: number; packed: number }>`
    select
      (select count(*) from spans
        where user_id = ${user.id} and (input is not null or output is not null or metadata is not null))
      + (select count(*) from events where user_id = ${user.id} and metadata is not null) as rows,
      (select count(*) from trace_payloads where user_id = ${user.id}) as parts,
      (select count(*) from traces where user_id = ${user.id} and is_packed) as packed`.execute(older.db);
  return rows[0];
}

/** What a server returned that did not know models. */
const withoutModels = (text: string) =>
  text.replaceAll(/"model":null,.*?"priceSource":null,|"models":\[],"isCostDerived":false,/g, "");

/** Reads a trace with the statements of the version before packing. */
async function readAsOlder(id: string): Promise<string> {
  const select = (fields: Parameters<typeof outlineFields>[0], names: string[]) =>
    selectJsonFields([...names, ...payloadFields(fields)], fields);
  const [traceId = "", ...outline] = outlineFields(TRACE.fields);
  const tables: [ChildKind, string][] = [
    ["spans", "spans"],
    ["decisionPoints", "decision_points"],
    ["events", "events"],
  ];
  const client = await pool.connect();
  try {
    const whole = await copyJson(
      client,
      sql`select row_to_json(trace) from (
        select ${select(TRACE.fields, [traceId, "userId", ...outline, "createdAt"])}
        from traces where user_id = ${user.id} and id = ${id}) as trace`,
    );
    let text = whole.toString().slice(0, -1);
    for (const [kind, table] of tables) {
      const { fields } = CHILDREN[kind];
      const children = await copyJson(
        client,
        sql`select row_to_json(child) from (
          select ${select(fields, outlineFields(fields))} from ${sql.table(table)}
          where user_id = ${user.id} and trace_id = ${id} order by position) as child`,
      );
      text += `,"${kind}":[${children}]`;
    }
    return `${text}}`;
  } finally {
    client.release();
  }
}

describe("payloads of an older version", () => {
  it("are packed and moved back byte for byte, so that the older version can read them again", async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const response = await sendText(older, ids.map(oddTrace));
    expect(response.status, response.text).toBe(200);
    const before = await Promise.all(ids.map(textOf));
    const rows = ids.length * 2 * ODD_PAYLOADS.length;
    expect(await stored()).toEqual({ rows, parts: 0, packed: 0 });

    expect(await move(true)).toBe(ids.length);
    expect(await stored()).toEqual({ rows: 0, parts: ids.length, packed: ids.length });
    expect(await Promise.all(ids.map(textOf))).toEqual(before);
    expect(await readAsOlder(ids[0] ?? "")).not.toBe(withoutModels(before[0] ?? ""));

    expect(await move(false)).toBe(ids.length);
    expect(await stored()).toEqual({ rows, parts: 0, packed: 0 });
    expect(await Promise.all(ids.map(textOf))).toEqual(before);
    expect(await Promise.all(ids.map(readAsOlder))).toEqual(before.map(withoutModels));
  });

  it("of several parts and many children are packed and moved back", async () => {
    const id = randomUUID();
    const large = [900_000, 300_000, 2_500_000].map((bytes) => randomBytes(bytes / 2).toString("hex"));
    const small = Array.from({ length: 2_500 }, (_, n) => ({ n }));
    await sendTo(older, [
      trace({ id, spans: [...large, ...small].map((input, n) => span({ id: `s${n}`, input })) }),
    ]);
    const before = await textOf(id);
    expect(await move(true)).toBe(1);
    expect(await stored()).toMatchObject({ rows: 0, parts: 4 });
    expect(await textOf(id)).toBe(before);
    expect(await move(false)).toBe(1);
    expect(await stored()).toMatchObject({ rows: 2_503, parts: 0 });
    expect(await readAsOlder(id)).toBe(withoutModels(before));
  });

  it("of a running trace are packed, and what is sent next replaces them", async () => {
    for (const isPackedFirst of [true, false]) {
      const id = randomUUID();
      const inputs: unknown[] = Array.from({ length: 6 }, (_, n) => ({ n }));
      const running = () =>
        trace({ id, status: "RUNNING", spans: inputs.map((input, n) => span({ id: `s${n}`, input })) });
      await sendTo(isPackedFirst ? newer : older, [running()]);
      for (const packPayloads of [!isPackedFirst, isPackedFirst]) {
        expect(await move(packPayloads)).toBe(1);
        expect(await inputsOf(id)).toEqual(inputs);
        inputs[2] = { changed: packPayloads };
        inputs.push("one more");
        for (const server of [newer, older, packPayloads ? newer : older]) {
          inputs.push(null, { next: true });
          expect((await sendTo(server, [running()])).status).toBe(200);
          expect(await inputsOf(id)).toEqual(inputs);
        }
      }
      await user.delete(`/api/traces/${id}`);
    }
  });

  it("stay where they are while another transaction writes their trace", async () => {
    const [busy, idle] = [randomUUID(), randomUUID()];
    await sendText(older, [oddTrace(busy), oddTrace(idle)]);
    await older.db.transaction().execute(async (trx) => {
      await sql`select from traces where user_id = ${user.id} and id = ${busy} for update`.execute(trx);
      expect(await move(true)).toBe(1);
    });
    expect(await stored()).toMatchObject({ parts: 1, packed: 1 });
    expect(await move(true)).toBe(1);
    expect(await stored()).toMatchObject({ rows: 0, parts: 2 });
  });

  // A cluster allows no trigger on a distributed table.
  it.skipIf(isDistributed)("that cannot be moved do not keep others waiting", async () => {
    const [failing, other] = [randomUUID(), randomUUID()];
    await sendText(older, [oddTrace(failing), oddTrace(other)]);
    await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
      older.db,
    );
    await sql`
      create trigger refuse before update on traces for each row
      when (old.id = ${sql.lit(failing)}) execute function refuse()`.execute(older.db);
    warnings.length = 0;
    expect(await move(true)).toBe(1);
    expect(await stored()).toMatchObject({ parts: 1, packed: 1 });
    expect(warnings).toEqual(["payloads of a trace not moved; will retry"]);
    await sql`drop function refuse cascade`.execute(older.db);
    expect(await move(true)).toBe(1);
  });

  it("are moved by one process at a time, and by another one if it dies", async () => {
    await sendText(older, [oddTrace(randomUUID())]);
    await setLease("2100-01-01");
    expect(await moveWithLease(true)).toBe(0);
    await setLease("2026-01-01");
    expect(await moveWithLease(true)).toBe(1);
  });

  it("are moved in short transactions, and the rest later if the process stops", async () => {
    const text = randomBytes(100_000).toString("hex");
    for (let n = 0; n < 6; n += 1)
      await sendTo(
        older,
        Array.from({ length: 10 }, () => trace({ spans: [span({ input: text })] })),
      );
    const stopping = new AbortController();
    const moved = await move(true, { stopping: stopping.signal, onMoved: () => stopping.abort() });
    expect(moved).toBeGreaterThan(0);
    expect(moved).toBeLessThan(60);
    expect(await countPayloadMoves(older.db, true)).toBe(60 - moved);
    expect(await move(true)).toBe(60 - moved);
    expect(await countPayloadMoves(older.db, true)).toBe(0);
    expect(await countPayloadMoves(older.db, false)).toBe(60);
  });
});

describe("what an older server leaves", () => {
  it("in rows beside outdated parts is read from the rows, and moved from there", async () => {
    const id = randomUUID();
    const spans = ["one", "two"].map((input, n) => span({ id: `s${n}`, input, output: { n } }));
    await sendTo(newer, [trace({ id, spans, events: [event({ id: "e", metadata: "packed" })] })]);
    // An older server deletes and inserts the rows, and knows neither the parts nor the columns.
    const rewriteRow = () =>
      sql`
        update spans set is_packed = null, input = '"rewritten"'
        where user_id = ${user.id} and trace_id = ${id} and id = 's0'`.execute(older.db);
    await rewriteRow();
    const expected = {
      spans: [
        { input: "rewritten", output: null },
        { input: "two", output: { n: 1 } },
      ],
      events: [{ metadata: "packed" }],
    };
    const check = async () => {
      expect((await user.get(`/api/traces/${id}`)).json).toMatchObject(expected);
      expect((await user.get(`/api/traces/${id}/spans/s0`)).json).toMatchObject(expected.spans[0] ?? {});
      expect((await user.get(`/api/traces/${id}/spans/s1`)).json).toMatchObject(expected.spans[1] ?? {});
    };
    await check();
    await sql`update traces set is_packed = false where user_id = ${user.id}`.execute(older.db);
    await move(true);
    await check();
    expect(await stored()).toEqual({ rows: 0, parts: 1, packed: 1 });
    await rewriteRow();
    await move(false);
    await check();
    expect(JSON.parse(await readAsOlder(id))).toMatchObject(expected);
    expect(await stored()).toEqual({ rows: 3, parts: 0, packed: 0 });
    await move(true);
    await check();
    expect(await stored()).toEqual({ rows: 0, parts: 1, packed: 1 });
  });

  it("of a deleted trace does not keep the user from storing a trace with its id", async () => {
    const id = randomUUID();
    const send = (input: string) => sendTo(newer, [trace({ id, spans: [span({ id: "s", input })] })]);
    // An older server deletes everything but the parts; an operator deletes by hand only the row of the trace.
    for (const tables of [["traces", "spans", "trace_owners"], ["traces"]]) {
      expect((await send("first")).status).toBe(200);
      for (const table of tables)
        await sql`delete from ${sql.table(table)} where user_id = ${user.id}`.execute(older.db);
      const response = await send("second");
      expect(response.status, response.text).toBe(200);
      expect(await inputsOf(id)).toEqual(["second"]);
    }
  });

  it("of deleted traces in parts is deleted when payloads are moved back", async () => {
    await sendTo(newer, [trace({ spans: [span({ input: "x" })] })]);
    for (const table of ["traces", "spans"])
      await sql`delete from ${sql.table(table)} where user_id = ${user.id}`.execute(older.db);
    expect(await stored()).toEqual({ rows: 0, parts: 1, packed: 0 });
    expect(await move(false)).toBe(0);
    expect(await stored()).toEqual({ rows: 0, parts: 0, packed: 0 });
  });
});
