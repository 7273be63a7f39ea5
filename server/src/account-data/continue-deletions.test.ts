import { type Booted, boot } from "@whytrace/testing/boot.ts";
import { isDistributed } from "@whytrace/testing/citus-cluster.ts";
import { decision, event, newSender, type Sender, span, trace } from "@whytrace/testing/sample-traces.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { continueDeletions } from "./continue-deletions.ts";

let booted: Booted;
beforeEach(async () => {
  booted = await boot();
});

const run = (stopping = new AbortController().signal) =>
  continueDeletions({ db: booted.db, log: { warn() {} }, stopping });

/** A user whose process died after the account was deleted, and before all traces were. */
async function newDeletedUser(nextAttemptAt: string, traceCount = 1): Promise<Sender> {
  const user = await newSender(booted.client, booted.db);
  const full = () =>
    trace({ sessionId: "s", spans: [span({ input: "x" })], decisionPoints: [decision()], events: [event()] });
  await user.send(Array.from({ length: traceCount }, full));
  await sql`
    insert into account_deletions (user_id, attempts, next_attempt_at)
    values (${user.id}, 1, ${nextAttemptAt}::timestamptz)`.execute(booted.db);
  await sql`
    insert into verdicts (user_id, trace_id, decision_point_id, verdict, agent_hash, signature, step)
    select ${user.id}, id, 'd', 'right', 1, 2, 3 from traces where user_id = ${user.id} limit 1`.execute(
    booted.db,
  );
  await sql`insert into decisions_set_aside (user_id, signature) values (${user.id}, 1)`.execute(booted.db);
  await sql`delete from users where id = ${user.id}`.execute(booted.db);
  return user;
}

async function rowsLeft({ id }: Sender): Promise<number> {
  const tables = [
    "traces",
    "spans",
    "decision_points",
    "events",
    "trace_payloads",
    "trace_owners",
    "trace_totals",
    "decision_days",
    "verdicts",
    "decisions_set_aside",
  ];
  const { rows } = await sql<{ count: number }>`
    select sum(count) as count from (${sql.join(
      [...tables, "agent_sessions", "trace_changes", "account_deletions"].map(
        (table) => sql`select count(*) from ${sql.table(table)} where user_id = ${id}`,
      ),
      sql` union all `,
    )}) as counts`.execute(booted.db);
  return Number(rows[0]?.count);
}

describe("an account deletion", () => {
  it("is finished by another process if the first one dies", async () => {
    const user = await newDeletedUser("2026-01-01", 20);
    expect(await rowsLeft(user)).toBeGreaterThan(100);
    await run();
    expect(await rowsLeft(user)).toBe(0);
  });

  it("is left to the process that holds its lease", async () => {
    const user = await newDeletedUser("2100-01-01");
    const before = await rowsLeft(user);
    await run();
    expect(await rowsLeft(user)).toBe(before);
  });

  // A cluster allows no trigger on a distributed table.
  it.skipIf(isDistributed)(
    "that fails is tried again later, and does not keep the next account waiting",
    async () => {
      // Not due before the trigger exists: the server also looks for deletions.
      const failing = await newDeletedUser("2100-01-01");
      const other = await newDeletedUser("2100-01-02");
      await sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
        booted.db,
      );
      await sql`
      create trigger refuse before delete on traces for each row
      when (old.user_id = ${sql.lit(failing.id)}) execute function refuse()`.execute(booted.db);
      await sql`update account_deletions set next_attempt_at = '2026-01-01'`.execute(booted.db);
      await run();
      await expect.poll(() => rowsLeft(other)).toBe(0);
      const { rows } = await sql`
      select attempts, next_attempt_at > now() + interval '50 seconds' as is_later
      from account_deletions where user_id = ${failing.id}`.execute(booted.db);
      expect(rows).toEqual([{ attempts: 2, isLater: true }]);
    },
  );

  it("takes turns with others, so that a large account does not keep them waiting", async () => {
    const large = await newDeletedUser("2100-01-01", 600);
    const small = await newDeletedUser("2100-01-02", 5);
    await sql`
      update account_deletions
      set next_attempt_at = now() - case when user_id = ${large.id} then 2 else 1 end * interval '1 second'`.execute(
      booted.db,
    );
    const ended = continueDeletions({
      db: booted.db,
      log: { warn() {} },
      stopping: new AbortController().signal,
      turnMs: 1,
    });
    await expect.poll(() => rowsLeft(small), { interval: 5 }).toBe(0);
    expect(await rowsLeft(large)).toBeGreaterThan(0);
    await ended;
    expect(await rowsLeft(large)).toBe(0);
  });

  it("stops between two chunks and gives its lease back", async () => {
    const user = await newDeletedUser("2026-01-01", 600);
    const stopping = new AbortController();
    const ended = run(stopping.signal);
    await expect.poll(() => rowsLeft(user), { interval: 5 }).toBeLessThan(2_400);
    stopping.abort();
    await ended;
    expect(await rowsLeft(user)).toBeGreaterThan(0);
    const { rows } = await sql`
      select next_attempt_at <= now() as is_due from account_deletions where user_id = ${user.id}`.execute(
      booted.db,
    );
    expect(rows).toEqual([{ isDue: true }]);
    await run();
    expect(await rowsLeft(user)).toBe(0);
  });
});
