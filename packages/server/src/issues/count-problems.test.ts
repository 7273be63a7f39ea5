import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { transaction } from "../db/transaction.ts";
import { countProblems } from "./count-problems.ts";
import { MAX_NEW_ISSUES_PER_DAY } from "./create-issues.ts";
import { lockIssues } from "./lock-issues.ts";

const { client, db } = await boot({}, { pausesMs: { issues: 50 } });
const failed = (message: string) =>
  trace({
    status: "ERROR",
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    spans: [span({ status: "ERROR", statusMessage: message })],
  });
const totalIs = (user: Sender, total: number) =>
  vi.waitFor(async () => expect((await user.get("/api/issues?state=all")).json.total).toBe(total), {
    timeout: 30_000,
    interval: 50,
  });
const storedIssues = async ({ workspaceId }: Sender) =>
  (
    await sql<{ number: number; sequence: number }>`
      select number, sequence from issues where workspace_id = ${workspaceId} order by number`.execute(db)
  ).rows;
const letters = (index: number) => [...String(index)].map((digit) => "abcdefghij"[Number(digit)]).join("");

it("puts what is beyond 500 new issues of a day into the issue of other failures", async () => {
  const user = await newSender(client, db);
  const messages = Array.from(
    { length: MAX_NEW_ISSUES_PER_DAY + 7 },
    (_, index) => `cause ${letters(index)}`,
  );
  expectStatus(await user.send(messages.map(failed)), 200);
  await vi.waitFor(
    async () => {
      const { issues, total } = (await user.get("/api/issues?sort=runs&limit=1")).json;
      expect([total, issues[0].title, issues[0].runs]).toEqual([
        MAX_NEW_ISSUES_PER_DAY + 1,
        "Other failures",
        7,
      ]);
    },
    { timeout: 60_000, interval: 100 },
  );
});

it("counts each run once, and numbers have no gaps, if workers run at the same time and some are rolled back", async () => {
  const user = await newSender(client, db);
  let rolledBack = 0;
  const worker = async () => {
    for (let round = 0; round < 40; round++)
      await transaction(db, async (trx) => {
        await countProblems(trx, user.workspaceId);
        if (round % 3 === 0) throw new Error("killed");
      }).catch(() => {
        rolledBack += 1;
      });
  };
  const sender = async (name: string) => {
    for (let index = 0; index < 15; index++)
      expectStatus(await user.send([failed(`${name} ${letters(index % 5)}`), failed("shared")]), 200);
  };
  await Promise.all([worker(), worker(), sender("one"), sender("two")]);
  expect(rolledBack).toBeGreaterThan(0);
  await vi.waitFor(async () => expect((await user.get("/api/issues?limit=100")).json.total).toBe(11), {
    timeout: 30_000,
    interval: 100,
  });
  const { rows: sequences } = await sql<{ sequence: number }>`
    select distinct sequence from issues where workspace_id = ${user.workspaceId}`.execute(db);
  expect(sequences).toEqual([{ sequence: 1 }]);
  const { rows } = await sql<{ numbers: number[]; created: number }>`
    select array_agg(number order by number) as numbers,
      (select count(*) from issue_timeline where workspace_id = ${user.workspaceId} and kind = 'created') as created
    from issues where workspace_id = ${user.workspaceId}`.execute(db);
  expect(rows[0]).toEqual({ numbers: Array.from({ length: 11 }, (_, index) => index + 1), created: 11 });
});

it("drops an issue whose runs are gone, also if others came at the same moment, so its problem is new when it returns", async () => {
  const user = await newSender(client, db);
  const outdated = failed("policy outdated");
  expectStatus(await user.send([outdated]), 200);
  await totalIs(user, 1);
  // Nobody counts before both have happened.
  await transaction(db, async (trx) => {
    await lockIssues(trx, user.workspaceId);
    expectStatus(await user.delete(`/api/traces/${outdated.id}`), 200);
    expectStatus(await user.send([failed("out of memory")]), 200);
  });
  await vi.waitFor(
    async () => expect(await storedIssues(user)).toEqual([{ number: 2, sequence: 1 }]),
    30_000,
  );
  expectStatus(await user.send([failed("policy outdated")]), 200);
  await totalIs(user, 2);
  expect(await storedIssues(user)).toEqual([
    { number: 2, sequence: 1 },
    { number: 3, sequence: 1 },
  ]);
});
