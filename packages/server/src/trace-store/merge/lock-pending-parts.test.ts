import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { logsRequest, otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { lockPendingParts } from "./lock-pending-parts.ts";

const { client, db } = await boot();
const ids = (count: number) => Array.from({ length: count }, () => otlpId(16));

it("takes at most 64 locks for any number of traces", async () => {
  const { workspaceId } = await newSender(client, db);
  for (const purpose of ["create", "wait"] as const)
    await db.transaction(async (trx) => {
      await lockPendingParts(trx, workspaceId, ids(40_000), purpose);
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from pg_locks
        where locktype = 'advisory' and pid = pg_backend_pid()`.execute(trx);
      expect(rows[0]?.count).toBe(64);
    });
});

it("refuses log records that name too many traces, and takes spans of as many", {
  timeout: 60_000,
}, async () => {
  const user = await newSender(client, db);
  const send = (count: number) => {
    const records = ids(count).map((traceId) => ({
      traceId,
      spanId: otlpId(8),
      eventName: "gen_ai.user.message",
      attributes: otlpAttributes({ content: "x" }),
    }));
    return sendOtlp(client, user.key, logsRequest(records), "logs");
  };
  const tooMany = await send(10_001);
  expect([tooMany.status, tooMany.json.message]).toEqual([
    413,
    "Log records of more than 10,000 traces in one request. Send fewer log records at a time.",
  ]);
  expect((await send(10_000)).status).toBe(200);
  const full = await send(1);
  expect([full.status, full.json.message]).toEqual([
    429,
    "Too many log records wait for their spans. Send the spans, too.",
  ]);
  const spans = ids(volume(8_000)).map((traceId) => otlpSpan(traceId));
  const stored = await sendOtlp(client, user.key, spansRequest(spans));
  expect(stored.status, stored.text).toBe(200);
});
