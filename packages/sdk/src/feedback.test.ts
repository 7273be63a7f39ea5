import { createHash } from "node:crypto";
import { feedbackSecret, isSignedWith, readFeedbackToken } from "@whytrace/contract";
import { describe, expect, it, vi } from "vitest";
import { recordTraces } from "../test/record-traces.ts";
import { useTestClient } from "../test/use-test-client.ts";
import { feedbackToken } from "./feedback.ts";
import { span, startTrace, trace } from "./index.ts";

const KEY = "wt_test";
const secret = feedbackSecret(createHash("sha256").update(KEY).digest());
const read = (token: string | undefined) => {
  const fields = readFeedbackToken(token ?? "");
  expect(fields && isSignedWith(secret, fields)).toBe(true);
  return fields;
};
const inSeconds = (fields: { expiresAtSeconds: number } | undefined) =>
  (fields?.expiresAtSeconds ?? 0) - Date.now() / 1_000;
const DAY = 86_400;

describe("a feedback token", () => {
  it("is minted at once and without a request, for the current run and the given name", async () => {
    const fetch = vi.fn();
    useTestClient({ apiKey: KEY, fetch }, { batchDelayMs: 60_000 });
    const [token, id] = await trace("agent", (t) => [feedbackToken("helpful"), t.id]);
    expect(read(token)).toMatchObject({ traceId: id, name: "helpful", max: 0, author: "" });
    expect(Math.abs(inSeconds(read(token)) - 7 * DAY)).toBeLessThan(60);
    expect(fetch).not.toHaveBeenCalled();
  });

  it("holds the author, the bound and the expiry; outside a run it needs the id of a trace", () => {
    useTestClient({ apiKey: KEY });
    const token = feedbackToken("stars", { traceId: "t", author: "u-1", max: 5, expiresInSeconds: 60 });
    expect(read(token)).toMatchObject({ traceId: "t", name: "stars", max: 5, author: "u-1" });
    expect(Math.abs(inSeconds(read(token)) - 60)).toBeLessThan(60);
    const widest = { author: "é".repeat(32), max: 100, expiresInSeconds: 30 * DAY };
    expect(read(feedbackToken("n".repeat(200), { traceId: "t".repeat(1_024), ...widest }))).toBeDefined();
  });

  it("is noted in the metadata of its run: each name once, also if it is minted after the end", async () => {
    const traces = await recordTraces(async () => {
      const t = startTrace("agent", { metadata: { plan: "pro", "whytrace.feedback": ["by hand"] } });
      await t.run(async () => {
        feedbackToken("helpful");
        await span("step", () => feedbackToken("stars", { max: 5 }));
        feedbackToken("helpful", { author: "u-2" });
        feedbackToken("by hand", { traceId: t.id });
        feedbackToken("of another run", { traceId: "another" });
      });
      t.end();
      t.run(() => feedbackToken("late"));
      startTrace("not asked").end();
    });
    expect(traces.map(({ metadata }) => metadata)).toEqual([
      { plan: "pro", "whytrace.feedback": ["by hand", "helpful", "stars", "late"] },
      undefined,
    ]);
  });

  it.each<[string, object]>([
    ["", {}],
    ["n".repeat(201), {}],
    ["a\0", {}],
    ["\ud800", {}],
    [7 as never, {}],
    ["x", { author: "a".repeat(65) }],
    ["x", { author: 7 }],
    ["x", { max: 101 }],
    ["x", { max: -1 }],
    ["x", { max: 2.5 }],
    ["x", { max: "5" }],
    ["x", { expiresInSeconds: 0 }],
    ["x", { expiresInSeconds: 30 * DAY + 1 }],
    ["x", { expiresInSeconds: Number.NaN }],
    ["x", { traceId: "t".repeat(1_025) }],
    ["x", { traceId: 7 }],
    ["x", { traceId: undefined }],
  ])("is not minted if the server would refuse it, which is reported, not thrown: %j %j", (name, options) => {
    const { errors } = useTestClient({ apiKey: KEY });
    expect(feedbackToken(name, { traceId: "t", ...options } as never)).toBe(undefined);
    expect(errors).toMatchObject([{ code: "misuse", message: expect.stringMatching(/was not minted: .+/) }]);
  });

  it("is not minted for a run that is not recorded, silently", async () => {
    const { errors } = useTestClient({ enabled: false });
    expect(await trace("off", () => feedbackToken("helpful"))).toBe(undefined);
    expect(feedbackToken("helpful", { traceId: "t" })).toBe(undefined);
    useTestClient({ apiKey: KEY, sampleRate: 0 }, { batchDelayMs: 60_000 });
    expect(await trace("outside the sample", () => feedbackToken("helpful"))).toBe(undefined);
    expect(feedbackToken("helpful", { traceId: "outside the sample" })).toBe(undefined);
    expect(errors).toEqual([]);
  });

  it("never throws", () => {
    const { errors } = useTestClient({ apiKey: KEY });
    expect(feedbackToken("x", null as never)).toBe(undefined);
    expect(feedbackToken(Symbol("x") as never, { traceId: "t" })).toBe(undefined);
    expect(errors.map(({ code }) => code)).toEqual(["internal", "internal"]);
  });

  it("is signed by the key of the client that records the run", async () => {
    const { client } = useTestClient({ apiKey: KEY }, { batchDelayMs: 60_000 });
    const t = startTrace("agent");
    useTestClient({ apiKey: "wt_another" }, { batchDelayMs: 60_000 });
    expect(read(t.run(() => feedbackToken("helpful")))).toMatchObject({ traceId: t.id });
    expect(client.stats().open).toBe(1);
  });
});
