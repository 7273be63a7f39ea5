import { randomBytes, randomUUID } from "node:crypto";
import { event, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { volume } from "@whytrace/testing/volume.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

let booted: Booted;
let alice: Sender;
beforeAll(async () => {
  booted = await boot();
  alice = await newSender(booted.client, booted.db);
});

const MIB = 1024 * 1024;

/** JSON that a parser and a serializer would change. */
const ODD_PAYLOADS = [
  '{ "a" : 1 , "a" : 2 }',
  "9007199254740993",
  "1e400",
  '"\\u0000\\ud800 \\/ \\u00e9 é 😀"',
  "[ ]",
  '""',
  "false",
  '{"deep":[[[[[{}]]]]]}',
];

/** Sends JSON text as it is. */
const sendText = (body: string) =>
  booted.client.request("POST", "/api/traces", {
    raw: body,
    headers: { authorization: `Bearer ${alice.key}`, "content-type": "application/json" },
  });

async function partsOf(traceId: string) {
  const { rows } = await sql<{ part: number; bytes: number }>`
    select part, length(bytes) as bytes from trace_payloads where trace_id = ${traceId} order by part`.execute(
    booted.db,
  );
  return rows;
}

describe("the payloads of spans and events", () => {
  it("come back byte for byte from the trace, from one record and from the export", async () => {
    const id = randomUUID();
    const spans = ODD_PAYLOADS.map((payload, n) => {
      const other = ODD_PAYLOADS[(n + 1) % ODD_PAYLOADS.length];
      return JSON.stringify(span({ id: `s${n}` })).replace(
        "{",
        `{"input":${payload},"output":${other},"metadata":${payload},`,
      );
    });
    const events = ODD_PAYLOADS.map((payload, n) =>
      JSON.stringify(event({ id: `e${n}` })).replace("{", `{"metadata": ${payload} ,`),
    );
    const whole = JSON.stringify(trace({ id })).replace('"spans":[]', `"spans":[${spans}]`);
    const response = await sendText(`{"traces":[${whole.replace('"events":[]', `"events":[${events}]`)}]}`);
    expect(response.status, response.text).toBe(200);

    const texts = [
      (await alice.get(`/api/traces/${id}`)).text,
      (await alice.get("/api/account/export")).text.split("\n").find((line) => line.includes(id)) ?? "",
    ];
    for (const [n, payload] of ODD_PAYLOADS.entries()) {
      const other = ODD_PAYLOADS[(n + 1) % ODD_PAYLOADS.length];
      const expected = `"input":${payload},"output":${other},"metadata":${payload}}`;
      for (const text of texts) {
        expect(text).toContain(expected);
        expect(text).toContain(`"metadata":${payload}}`);
      }
      expect((await alice.get(`/api/traces/${id}/spans/s${n}`)).text).toContain(expected);
      expect((await alice.get(`/api/traces/${id}/events/e${n}`)).text).toContain(`"metadata":${payload}}`);
    }
    expect(await partsOf(id)).toHaveLength(1);
  });

  it("are split into parts of about 1 MiB, and each is found in its part", async () => {
    const id = randomUUID();
    const text = (n: number, bytes: number) => `${n} ${randomBytes(bytes / 2).toString("hex")}`;
    const inputs = [300_000, 900_000, 10, 2.5 * MIB, 10, 400_000].map((bytes, n) => ({
      text: text(n, bytes),
    }));
    const sent = trace({
      id,
      spans: inputs.map((input, n) => span({ id: `s${n}`, input, output: { n } })),
      events: [event({ id: "e0", metadata: { last: true } })],
    });
    expect((await alice.send([sent])).status).toBe(200);
    expect(await partsOf(id)).toHaveLength(4);
    const { json } = await alice.get(`/api/traces/${id}`);
    expect(json.spans.map(({ input }: { input: unknown }) => input)).toEqual(inputs);
    expect(json.events[0].metadata).toEqual({ last: true });
    for (const [n, input] of inputs.entries())
      expect((await alice.get(`/api/traces/${id}/spans/s${n}`)).json).toMatchObject({ input, output: { n } });
    expect((await alice.get(`/api/traces/${id}/events/e0`)).json.metadata).toEqual({ last: true });
  });

  it("that are absent take no space, and come back as null", async () => {
    const id = randomUUID();
    await alice.send([trace({ id, spans: [span({ id: "s", input: null })], events: [event()] })]);
    expect(await partsOf(id)).toEqual([]);
    expect((await alice.get(`/api/traces/${id}/spans/s`)).json).toMatchObject({ input: null, output: null });
  });

  it("go with their trace", async () => {
    const id = randomUUID();
    await alice.send([trace({ id, spans: [span({ input: "x" })] })]);
    expect(await partsOf(id)).toHaveLength(1);
    await alice.delete(`/api/traces/${id}`);
    expect(await partsOf(id)).toEqual([]);
  });

  it("of a trace whose row was deleted by hand do not keep its id from being stored again", async () => {
    const id = randomUUID();
    const send = (input: string) => alice.send([trace({ id, spans: [span({ id: "s", input })] })]);
    await send("first");
    await sql`delete from traces where workspace_id = ${alice.workspaceId} and id = ${id}`.execute(booted.db);
    const response = await send("second");
    expect(response.status, response.text).toBe(200);
    expect((await alice.get(`/api/traces/${id}/spans/s`)).json.input).toBe("second");
  });
});

describe("a running trace that is sent again", () => {
  const running = (id: string, inputs: unknown[], status = "RUNNING") =>
    trace({ id, status, spans: inputs.map((input, n) => span({ id: `s${n}`, input })) });
  const inputsOf = async (id: string) =>
    (await alice.get(`/api/traces/${id}`)).json.spans.map(({ input }: { input: unknown }) => input);

  it("adds a part with what changed, and is packed together when it ends", async () => {
    const id = randomUUID();
    const inputs: unknown[] = Array.from({ length: 8 }, (_, n) => ({ n, text: "word ".repeat(2_000) }));
    await alice.send([running(id, inputs)]);
    const [first] = await partsOf(id);
    for (let n = 8; n < 12; n += 1) {
      inputs.push({ n });
      await alice.send([running(id, inputs)]);
    }
    inputs[3] = null;
    await alice.send([running(id, inputs)]);
    expect((await partsOf(id)).map(({ part }) => part)).toEqual([0, 1, 2, 3, 4, 5]);
    expect((await partsOf(id))[0]).toEqual(first);
    expect(await inputsOf(id)).toEqual(inputs);
    await alice.send([running(id, inputs, "COMPLETED")]);
    expect(await partsOf(id)).toHaveLength(1);
    expect(await inputsOf(id)).toEqual(inputs);
  });

  it("is packed together before superseded payloads take more space than the others", async () => {
    const id = randomUUID();
    const large = (n: number) => ({ n, text: randomBytes(50_000).toString("hex") });
    let inputs = [large(0), large(1), large(2), large(3)];
    for (let round = 0; round < 8; round += 1) {
      await alice.send([running(id, inputs)]);
      const stored = (await partsOf(id)).reduce((sum, { bytes }) => sum + bytes, 0);
      // Random hexadecimal digits compress to half.
      expect(stored).toBeLessThan(2.2 * 4 * 50_000);
      expect(await inputsOf(id)).toEqual(inputs);
      inputs = inputs.map((input, n) => (n === round % 4 ? large(n) : input));
    }
  });

  it("has what was last sent, whatever changed, came, went or moved", async () => {
    const payload = fc.constantFrom(null, "a", "b", { text: "c".repeat(9_000) });
    const version = fc.record({
      status: fc.constantFrom("RUNNING", "RUNNING", "RUNNING", "COMPLETED"),
      spans: fc.array(fc.tuple(payload, payload), { maxLength: 8 }),
      events: fc.array(payload, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 6 }), async (versions) => {
        const id = randomUUID();
        for (const { status, spans, events } of versions) {
          const sent = trace({
            id,
            status,
            spans: spans.map(([input, output], n) => span({ id: `s${n}`, input, output })),
            events: events.map((metadata, n) => event({ id: `e${n}`, metadata })),
          });
          await alice.send([sent]);
          const { json } = await alice.get(`/api/traces/${id}`);
          expect(json.spans).toMatchObject(spans.map(([input, output]) => ({ input, output })));
          expect(json.events).toMatchObject(events.map((metadata) => ({ metadata })));
        }
      }),
      { numRuns: volume(30) },
    );
  });
});
