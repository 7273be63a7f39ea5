import { fastestMs } from "@whytrace/testing/least-of.ts";
import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { nanos, otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const send = async (user: Sender, spans: object[]) => {
  const response = await sendOtlp(client, user.key, spansRequest(spans));
  expect([response.status, response.json], response.text).toEqual([200, {}]);
};
const read = async (user: Sender, id: string) => (await user.get(`/api/traces/${id}`)).json;

const whole = (traceId: string) =>
  otlpSpan(
    traceId,
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "our-model",
      "gen_ai.usage.input_tokens": 40,
      "gen_ai.usage.output_tokens": 2,
      "gen_ai.input.messages": JSON.stringify([{ role: "user", content: "Where is it?" }]),
      "gen_ai.output.messages": JSON.stringify([{ role: "assistant", content: "On its way." }]),
      "gen_ai.conversation.id": "conv-1",
      customer: "ada",
      attempt: 1,
    },
    {
      name: "answer",
      startTimeUnixNano: nanos(10),
      endTimeUnixNano: nanos(60),
      events: [
        { name: "note", timeUnixNano: nanos(20) },
        {
          name: "whytrace.decision",
          timeUnixNano: nanos(30),
          attributes: otlpAttributes({ "whytrace.decision.chosen": "answer" }),
        },
      ],
    },
  );
const failed = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({
  traceId,
  spanId,
  status: { code: 2, message: "The answer was wrong" },
});

describe("a span that is sent again", () => {
  it("keeps the bytes of metadata that the later version leaves out", async () => {
    const [user, id] = [await newSender(client, db), otlpId(16)];
    // Text that holds JSON is stored as that JSON.
    const former = '{ "n":9007199254740993, "e":1e400, "s":"\\u0041,}", "d":1, "d":2 }';
    const later = '[9007199254740995, {"a": -0}]';
    const first = otlpSpan(id, { again: 1, 'a "key"': former });
    await send(user, [first]);
    await send(user, [{ ...first, attributes: otlpAttributes({ again: 2, later }) }]);
    const { text } = await user.get(`/api/traces/${id}`);
    expect(text).toContain(`"metadata":{"again":2,"later":${later},"a \\"key\\"":${former}}`);
  });

  it("keeps all that the later version leaves out, in one request or two", async () => {
    const [user, id] = [await newSender(client, db), otlpId(16)];
    const span = whole(id);
    await send(user, [span]);
    const before = await read(user, id);
    expect(before.spans[0]).toMatchObject({ input: expect.anything(), output: expect.anything() });
    await send(user, [failed(span)]);
    const after = await read(user, id);
    const isFailed = { status: "ERROR", statusMessage: "The answer was wrong" };
    expect(after).toEqual({ ...before, status: "ERROR", spans: [{ ...before.spans[0], ...isFailed }] });

    const other = otlpId(16);
    const again = { ...span, traceId: other };
    await send(user, [again, failed(again)]);
    const { id: _id, createdAt: _createdAt, ...atOnce } = await read(user, other);
    const texts = [after, atOnce].map((trace) => JSON.stringify(trace.spans).replaceAll(other, id));
    expect(texts[1]).toBe(texts[0]);
    expect(atOnce).toMatchObject({
      status: "ERROR",
      sessionId: "conv-1",
      totalTokens: 42,
      totalDuration: 50,
    });
    expect([atOnce.events.length, atOnce.decisionPoints.length]).toEqual([1, 1]);
  });

  it("has the values of the later version where both have some", async () => {
    const [user, id] = [await newSender(client, db), otlpId(16)];
    const span = whole(id);
    await send(user, [span]);
    await send(user, [
      {
        ...span,
        name: "answer again",
        endTimeUnixNano: nanos(90),
        attributes: otlpAttributes({
          "gen_ai.operation.name": "chat",
          "gen_ai.usage.input_tokens": 40,
          "gen_ai.usage.output_tokens": 3,
          attempt: 2,
        }),
        events: [{ name: "other", timeUnixNano: nanos(20) }],
      },
    ]);
    const { spans, events, ...trace } = await read(user, id);
    expect(trace).toMatchObject({ totalTokens: 43, totalDuration: 80, sessionId: "conv-1" });
    expect(spans).toMatchObject([
      {
        name: "answer again",
        type: "LLM_CALL",
        durationMs: 80,
        input: expect.anything(),
        metadata: { attempt: 2, customer: "ada" },
      },
    ]);
    expect(events.map(({ name }: { name: string }) => name)).toEqual(["other"]);
  });

  it("stays failed, and has its times and parent, whichever version came first", async () => {
    const user = await newSender(client, db);
    const ends: unknown[] = [];
    for (const isReversed of [false, true]) {
      const id = otlpId(16);
      const root = otlpSpan(id, {}, { spanId: "00000000000000aa" });
      const child = { ...whole(id), spanId: "00000000000000bb", parentSpanId: root.spanId };
      const versions = [child, failed(child), { ...failed(child), startTimeUnixNano: nanos(10), status: {} }];
      await send(user, [root]);
      for (const version of isReversed ? versions.reverse() : versions) await send(user, [version]);
      const { spans } = await read(user, id);
      ends.push(spans[1]);
      expect(spans[1]).toMatchObject({ status: "ERROR", parentSpanId: root.spanId, durationMs: 50 });
    }
    expect(ends[1]).toEqual(ends[0]);
  });

  it("keeps its payloads in a large trace", async () => {
    const [user, id] = [await newSender(client, db), otlpId(16)];
    const spans = Array.from({ length: 300 }, (_, n) => ({ ...whole(id), name: `call ${n}` }));
    for (let at = 0; at < spans.length; at += 100) await send(user, spans.slice(at, at + 100));
    const before = await read(user, id);
    await send(user, spans.slice(150, 152).map(failed));
    const after = await read(user, id);
    for (const [n, { status: _status, statusMessage: _message, ...span }] of before.spans.entries())
      expect(after.spans[n]).toMatchObject(span);
  });

  it("keeps payloads that are too large to be read again", async () => {
    const [user, id] = [await newSender(client, db), otlpId(16)];
    const text = "lorem ipsum ".repeat(350_000);
    const spans = [1, 2, 3].map((n) =>
      otlpSpan(id, { "gen_ai.operation.name": "chat", "gen_ai.input.messages": `${n} ${text}` }),
    );
    for (const span of spans) await send(user, [span]);
    await send(user, spans.map(failed));
    const { status, spans: stored } = await read(user, id);
    expect(status).toBe("ERROR");
    for (const [n, { input, status }] of stored.entries())
      expect([
        status,
        JSON.stringify(input).slice(0, 20),
        JSON.stringify(input).length > text.length,
      ]).toEqual(["ERROR", JSON.stringify(`${n + 1} ${text}`).slice(0, 20), true]);
  });

  it("may come in very many versions at once", async () => {
    const [user, id] = [await newSender(client, db), otlpId(16)];
    const spanId = otlpId(8);
    const versions = Array.from({ length: 20_000 }, (_, n) => ({
      traceId: id,
      spanId,
      attributes: otlpAttributes({ [`key ${n}`]: n }),
    }));
    // A version at a time, it would take minutes.
    expect(await fastestMs(20_000, () => send(user, versions))).toBeLessThan(20_000);
    const { spans } = await read(user, id);
    expect(Object.keys(spans[0].metadata)).toHaveLength(20_000);
  });
});
