import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { transaction } from "../../db/transaction.ts";
import { checkRules } from "./check-rules.ts";
import { workspacesDue } from "./workspaces-due.ts";

// The server's own worker leaves a workspace alone that was checked within this time.
const { client, db } = await boot({ ALERT_TICK: "24h" });

it("are those where a run, a rule or the time can change something, and each once an hour", async () => {
  const user = await newSender(client, db);
  await sql`insert into alert_cursors (workspace_id, checked_at) values (${user.workspaceId}, now())`.execute(
    db,
  );
  const check = async () => {
    await sql`update alert_rules set past = '{"lagMinutes":0}', past_at = now() where past is null`.execute(
      db,
    );
    return transaction(db, (trx) => checkRules(trx, user.workspaceId, { tickMs: 0 }));
  };
  const isDue = async (tickMs = 0) => (await workspacesDue(db, tickMs)).includes(user.workspaceId);
  const rule = { kind: "failure_rate", name: "fails", agent: "a", above: 0.5, forMinutes: 0 };
  const { json } = expectStatus(await user.post("/api/alerts/rules", rule), 201);
  expect(await isDue()).toBe(true);
  expect(await check()).toBe(1);
  expect(await isDue()).toBe(false);

  // A run of yesterday changes nothing after the next check; one of now is in the window until time goes on.
  const send = (startedAt: number) =>
    user.send([trace({ name: "a", startedAt: new Date(startedAt).toISOString() })]);
  expectStatus(await send(Date.now() - 86_400_000), 200);
  expect(await isDue()).toBe(true);
  await check();
  expect(await isDue()).toBe(false);
  expectStatus(await send(Date.now()), 200);
  await check();
  expect(await isDue()).toBe(true);
  expect(await isDue(60_000)).toBe(false);

  await sql`delete from traces where workspace_id = ${user.workspaceId}`.execute(db);
  await check();
  expect(await isDue()).toBe(false);
  expectStatus(await user.patch(`/api/alerts/rules/${json.id}`, { above: 0.4 }), 200);
  expect(await isDue()).toBe(true);
  await check();
  expect(await isDue()).toBe(false);
  await sql`update alert_cursors set checked_at = now() - interval '61 minutes'`.execute(db);
  expect(await isDue()).toBe(true);

  // Silence itself is what this rule waits for.
  const silence = { kind: "no_runs", name: "silent", agent: "a", forMinutes: 60 };
  expectStatus(await user.post("/api/alerts/rules", silence), 201);
  await check();
  expect(await isDue()).toBe(true);
});
