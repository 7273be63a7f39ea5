import {
  type OtlpSpanJson,
  otlpId,
  otlpSpan,
  sendOtlp,
  spansRequest,
} from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot();
const CHAT = { "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 1 };
const PARENT = "00000000000000aa";

const send = async (user: Sender, spans: OtlpSpanJson[]) => {
  const response = await sendOtlp(client, user.key, spansRequest(spans));
  expect([response.status, response.json]).toEqual([200, {}]);
};
const calls = (id: string, count: number) =>
  Array.from({ length: count }, () => otlpSpan(id, CHAT, { parentSpanId: PARENT }));
const rowOf = async (id: string) => {
  const { rows } = await sql<{
    status: string;
    totalTokens: number | null;
    waitS: number | null;
    parts: number;
  }>`
    select status, total_tokens, extract(epoch from derive_after - now())::double precision as wait_s,
      (select count(*)::integer from otlp_parts where trace_id = ${id}) as parts
    from traces where id = ${id}`.execute(db);
  return rows[0];
};

/** How many transactions have stored something of the user's traces. */
const versionOf = async ({ workspaceId }: Sender) => {
  const { rows } = await sql<{ version: number }>`
    select version from trace_totals where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.version ?? 0;
};

it("leaves a large trace to the thread, also when a small request brings its root", {
  timeout: 60_000,
}, async () => {
  const user = await newSender(client, db);
  const id = otlpId(16);
  await send(user, calls(id, 6_000));
  expect(await rowOf(id)).toMatchObject({ status: "RUNNING", totalTokens: 6_000, waitS: null });
  const before = await versionOf(user);
  await send(user, [otlpSpan(id, {}, { spanId: PARENT })]);
  await expect.poll(() => rowOf(id), { timeout: 20_000 }).toMatchObject({ status: "COMPLETED", waitS: null });
  // The request that brought the root, and the derivation after it.
  expect((await versionOf(user)) - before).toBe(2);
});

/** Makes a trace of few spans count as a large one that is up to date. */
const enlarge = (id: string, spans: number) =>
  sql`
    update traces set span_count = ${spans}, derive_after = null,
      merge_state = (merge_state::jsonb || jsonb_build_object('derivedSpans', ${spans}::integer))::json
    where id = ${id}`.execute(db);

it("does not put off a derivation that is due when more spans come", { timeout: 60_000 }, async () => {
  const user = await newSender(client, db);
  const waitOfDue = async () => {
    const id = otlpId(16);
    await send(user, calls(id, 1));
    await enlarge(id, 60_000);
    await send(user, [otlpSpan(id, {}, { spanId: PARENT })]);
    await send(user, calls(id, 1));
    // Null if the worker was faster.
    return (await rowOf(id))?.waitS ?? 0;
  };
  // If the worker comes between the root and the span after it, no derivation is due any more: another trace shows it.
  await expect.poll(waitOfDue).toBeLessThanOrEqual(0);
});

it("derives a large trace later, the more spans it has", { timeout: 60_000 }, async () => {
  const user = await newSender(client, db);
  const waitAfter = async (spans: number) => {
    const id = otlpId(16);
    await send(user, calls(id, 1));
    await enlarge(id, spans);
    await send(user, calls(id, 1));
    return (await rowOf(id))?.waitS ?? 0;
  };
  expect(await waitAfter(1_000)).toBeLessThanOrEqual(2);
  const waitS = await waitAfter(99_000);
  expect(waitS).toBeGreaterThan(10);
  expect(waitS).toBeLessThan(21);
});

it("writes the facts of a large trace again only when as much has come", { timeout: 60_000 }, async () => {
  const user = await newSender(client, db);
  const id = otlpId(16);
  await send(user, calls(id, 200));
  const firstPart = async () =>
    (await sql`select min(part)::text as part from otlp_parts where trace_id = ${id}`.execute(db)).rows[0];
  const before = await firstPart();
  for (let n = 0; n < 40; n += 1) await send(user, calls(id, 1));
  expect(await firstPart()).toEqual(before);
  const row = await rowOf(id);
  expect(row).toMatchObject({ totalTokens: 240 });
  expect(row?.parts).toBeLessThanOrEqual(17);
});

it("counts the spans of a large posted trace when spans are merged into it", {
  timeout: 60_000,
}, async () => {
  const user = await newSender(client, db);
  const id = otlpId(16);
  const posted = Array.from({ length: 5_000 }, () => span({ type: "LLM_CALL", tokenCount: 1 }));
  await user.send([trace({ id, spans: posted, totalTokens: null })]);
  await send(user, calls(id, 1));
  await send(user, calls(id, 1));
  await expect.poll(() => rowOf(id), { timeout: 20_000 }).toMatchObject({ totalTokens: 5_002, waitS: null });
  const { rows } = await sql<{ mergeState: string }>`select merge_state from traces where id = ${id}`.execute(
    db,
  );
  expect(rows[0]?.mergeState).not.toContain("isUnread");
});
