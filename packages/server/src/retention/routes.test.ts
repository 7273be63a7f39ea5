import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot({
  RETENTION_DAYS: "400",
  RETENTION_DAYS_FREE: "30",
  RETENTION_DAYS_PRO: "90",
});
const PLANS = [
  { tier: "FREE", days: 30 },
  { tier: "STARTER", days: 400 },
  { tier: "PRO", days: 90 },
];

describe("retention", () => {
  it("is chosen within the plan, for one user, and is part of their export", async () => {
    const user = await newSender(client, db);
    const other = await newSender(client, db, "FREE");
    const retention = { days: 90, chosenDays: null, maxDays: 90, planned: null, plans: PLANS };
    expect((await user.get("/api/workspace/retention")).json).toEqual(retention);
    const chosen = await user.put("/api/workspace/retention", { days: 60 });
    expect([chosen.status, chosen.json]).toEqual([200, { ...retention, days: 60, chosenDays: 60 }]);
    const tooLong = await user.put("/api/workspace/retention", { days: 91 });
    expect([tooLong.status, tooLong.json.error]).toEqual([
      400,
      "days: must be at most 90, the limit of your plan",
    ]);
    expect((await user.get("/api/workspace/retention")).json.days).toBe(60);
    expect((await other.get("/api/workspace/retention")).json).toMatchObject({ days: 30, chosenDays: null });
    expect((await user.get("/api/account/export")).text).toContain('{"kind":"retention","days":60}\n');
    expect((await user.put("/api/workspace/retention", { days: null })).json).toEqual(retention);
  });

  it("of anything but 1 to 36500 whole days is refused", async () => {
    const user = await client.newUser();
    for (const days of [0, 1.5, 36_501, "x", undefined]) {
      const { status, json } = await user.put("/api/workspace/retention", { days });
      expect([status, json.error]).toEqual([400, expect.stringMatching(/^days: (must be|is required)/)]);
      const counted = await user.get(`/api/workspace/retention/expired?days=${days}`);
      expect([counted.status, counted.json.error]).toEqual([
        400,
        "days: must be a whole number from 1 to 36500",
      ]);
    }
  });

  it("says how many traces a choice would delete, of this user alone", async () => {
    const user = await newSender(client, db);
    const other = await newSender(client, db);
    for (const { send, workspaceId } of [user, other]) {
      await send([trace(), trace(), trace()]);
      // In hours: where clocks change, 50 days of the calendar may be an hour shorter.
      await sql`
        update traces set started_at = now() - interval '1200 hours', created_at = now() - interval '1200 hours'
        where workspace_id = ${workspaceId} and id <> (select max(id) from traces where workspace_id = ${workspaceId})`.execute(
        db,
      );
    }
    const count = async (days: number) =>
      (await user.get(`/api/workspace/retention/expired?days=${days}`)).json;
    expect(await count(50)).toEqual({ traces: 2 });
    expect(await count(51)).toEqual({ traces: 0 });
  });
});
