import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPool } from "./database.ts";
import { isStatementTimeout } from "./is-statement-timeout.ts";
import { isTransient } from "./is-transient.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });

let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  pool = createPool(await createTestDatabase(), { max: 2 });
});
afterAll(() => pool.end());

const failure = (statement: string) => pool.query(statement).catch((error: unknown) => error);

describe("an error", () => {
  it.each([
    ...["08006", "25006", "25P03", "25P04", "28P01", "28000", "40001", "40P01", "53300", "53100", "55P03"],
    ...["57P01", "57P03", "58030", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EMFILE", "EAI_AGAIN"],
  ])("%s is temporary", (code) => expect(isTransient(withCode(code))).toBe(true));

  it.each(["22003", "23505", "42P01", "XX000", "ERR_ASSERTION", ""])("%s is not temporary", (code) =>
    expect(isTransient(withCode(code))).toBe(false),
  );

  it.each([
    "failure on connection marked as essential: 10.0.0.7:5432",
    "connection to the remote node whytrace@10.0.0.7:5432 failed",
    "could not find valid entry for shard 102008",
  ])("of a cluster is temporary: %s", (message) =>
    expect(isTransient(Object.assign(new Error(message), { code: "XX000" }))).toBe(true),
  );

  it("of a write to a read-only database is temporary", async () => {
    const error = await failure("begin read only; create table never (n integer)");
    expect([isTransient(error), isStatementTimeout(error)]).toEqual([true, false]);
  });
});

describe("a canceled statement", () => {
  it("that exceeded its own timeout is not temporary: it may take as long the next time", async () => {
    const error = await failure("set statement_timeout = 50; select pg_sleep(2)");
    expect(error).toMatchObject({ code: "57014" });
    expect([isTransient(error), isStatementTimeout(error)]).toEqual([false, true]);
  });

  it("that an administrator canceled is temporary", async () => {
    const client = await pool.connect();
    const { rows } = await client.query("select pg_backend_pid() as pid");
    const sleeping = client.query("select pg_sleep(60)").catch((error: unknown) => error);
    const asleep = "select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'";
    await expect.poll(async () => (await pool.query(asleep, [rows[0].pid])).rowCount).toBe(1);
    await pool.query("select pg_cancel_backend($1::integer)", [rows[0].pid]);
    const error = await sleeping;
    expect(error).toMatchObject({ code: "57014" });
    expect([isTransient(error), isStatementTimeout(error)]).toEqual([true, false]);
    client.release();
  });
});
