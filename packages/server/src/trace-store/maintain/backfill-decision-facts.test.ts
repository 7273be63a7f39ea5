import { agentRun, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { otlpId, sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { createPool } from "../../db/database.ts";
import { FACTS_VERSION } from "../../decision-facts/decision-facts.ts";
import { backfillDecisionFacts, countWithoutDecisionFacts } from "./backfill-decision-facts.ts";

const { client, db, databaseUrl } = await boot();
const pool = createPool(databaseUrl, { max: 2 });
beforeAll(() => () => pool.end());

const backfill = async (stopping = new AbortController().signal) => {
  let filled = 0;
  const warnings: object[] = [];
  const log = { warn: (fields: object) => warnings.push(fields) };
  await backfillDecisionFacts({ db, pool, log, stopping, onFilled: (count) => (filled += count) });
  return { filled, warnings };
};

const decided = (n: number) =>
  trace({
    name: `agent ${n}`,
    status: ["RUNNING", "COMPLETED", "ERROR"][n % 3],
    tags: [`v1.${n % 4}`],
    metadata: {
      env: "prod",
      n,
      isTest: n % 2 === 0,
      nested: { n },
      long: "x".repeat(300),
      "é\0\ud800": null,
    },
    startedAt: new Date(Date.UTC(2026, 0, 1 + (n % 5), 3, 4, 5, n)).toISOString(),
    spans: [
      span({
        id: "agent",
        type: "AGENT",
        startedAt: "2026-01-02T03:04:05.000Z",
        endedAt: "2026-01-02T03:05:00Z",
      }),
      span({
        parentSpanId: "agent",
        status: n % 2 ? "ERROR" : "COMPLETED",
        statusMessage: `timeout ${n}`,
        costUsd: n / 7,
      }),
    ],
    decisionPoints: [
      decision({
        parentSpanId: "agent",
        timestamp: "2026-01-02T03:04:05.100Z",
        chosen: { tool: "é\u{1f600}", n },
      }),
      decision({ type: "RETRY", chosen: "x".repeat(n % 3 === 0 ? 40_000 : 3), alternatives: [n, null, "b"] }),
    ],
    events: [event({ type: "ERROR", name: `failed ${n}` })],
  });

const storedFacts = async ({ workspaceId }: Sender) =>
  (
    await sql`
      select id, agent_hash, decision_facts, decision_path, error_count, decision_types, metadata_pairs from traces
      where workspace_id = ${workspaceId} order by id`.execute(db)
  ).rows;

const changedDays = async ({ workspaceId }: Sender, since: number) =>
  (
    await sql<{ day: string }>`
      select day::text as day from decision_days where workspace_id = ${workspaceId} and changed > ${since} order by day`.execute(
      db,
    )
  ).rows.map(({ day }) => day);

const versionOf = async ({ workspaceId }: Sender) =>
  (
    await sql<{
      version: number;
    }>`select version from trace_totals where workspace_id = ${workspaceId}`.execute(db)
  ).rows[0]?.version ?? 0;

/** As an older version stored them. */
const forget = ({ workspaceId }: Sender) =>
  sql`
    update traces set agent_hash = null, decision_facts = null, decision_path = null, error_count = 0,
      decision_types = 0, metadata_pairs = null
    where workspace_id = ${workspaceId} and decision_point_count > 0`.execute(db);

// Backfilling pauses between its transactions.
describe("traces of an older version", () => {
  it("get the facts that they would have if they were sent now, posted or by OpenTelemetry, and their days are recorded", async () => {
    const user = await newSender(client, db);
    await user.send([...Array.from({ length: 12 }, (_, n) => decided(n)), trace()]);
    for (const spanCount of [3, 30, 90])
      await sendOtlp(client, user.key, otlpTraces(agentRun(otlpId(16), spanCount)));
    const expected = await storedFacts(user);
    await forget(user);
    await sql`delete from decision_days where workspace_id = ${user.workspaceId}`.execute(db);
    expect(await countWithoutDecisionFacts(db)).toBe(15);
    const version = await versionOf(user);
    expect(await backfill()).toEqual({ filled: 15, warnings: [] });
    expect(await storedFacts(user)).toEqual(expected);
    expect(await changedDays(user, version)).toEqual(
      expect.arrayContaining(["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"]),
    );
    expect(await countWithoutDecisionFacts(db)).toBe(0);
    expect(await backfill()).toEqual({ filled: 0, warnings: [] });
  });

  it("are computed again if their facts have an older version, and others are left alone", async () => {
    const user = await newSender(client, db);
    const [old, current] = [decided(1), decided(4)];
    await user.send([old, current]);
    const expected = await storedFacts(user);
    await sql`
      update traces set decision_facts = set_byte(decision_facts, 0, ${FACTS_VERSION - 1})
      where workspace_id = ${user.workspaceId} and id = ${old.id}`.execute(db);
    expect((await backfill()).filled).toBe(1);
    expect(await storedFacts(user)).toEqual(expected);
  });

  it("are right in the end while they are sent again and deleted", async () => {
    const user = await newSender(client, db);
    const traces = Array.from({ length: 24 }, (_, n) => decided(n));
    await user.send(traces);
    await forget(user);
    const filling = backfill();
    await Promise.all(
      traces.slice(0, 8).map(async (one, n) => {
        if (n % 4 === 0) await user.delete(`/api/traces/${one.id}`);
        else await user.send([{ ...one, status: "ERROR", startedAt: "2026-03-03T00:00:00Z" }]);
      }),
    );
    await filling;
    await backfill();
    expect(await countWithoutDecisionFacts(db)).toBe(0);
    const stored = await storedFacts(user);
    expect(stored).toHaveLength(22);
    await forget(user);
    await backfill();
    expect(await storedFacts(user)).toEqual(stored);
  });

  // A cluster allows no trigger on a distributed table.
  it.skipIf(isDistributed)(
    "wait if the process stops, and one that fails does not keep the others waiting",
    async () => {
      const user = await newSender(client, db);
      const traces = Array.from({ length: 60 }, (_, n) => decided(n));
      await user.send(traces);
      await forget(user);
      expect((await backfill(AbortSignal.abort())).filled).toBeLessThan(60);
      const [failing] = traces;
      await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
        db,
      );
      await sql`
      create trigger refuse before update on traces for each row
      when (old.id = ${sql.lit(failing?.id)} and new.decision_facts is not null) execute function refuse()`.execute(
        db,
      );
      await forget(user);
      const { filled, warnings } = await backfill();
      expect({ filled, warnings }).toMatchObject({ filled: 59, warnings: [{ traceId: failing?.id }] });
      await sql`drop trigger refuse on traces`.execute(db);
      expect((await backfill()).filled).toBe(1);
    },
  );

  it("are found by an index for this version of the facts", async () => {
    const { rows } = await sql<{ indexdef: string }>`
      select indexdef from pg_indexes where indexname = 'traces_without_facts_3'`.execute(db);
    expect(rows[0]?.indexdef).toContain(`(get_byte(decision_facts, 0) < ${FACTS_VERSION})`);
  });
});
