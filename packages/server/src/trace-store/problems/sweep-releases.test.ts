import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { sweepReleases } from "./sweep-releases.ts";

const { client, db } = await boot();

it("a release is forgotten a day after its last trace is gone, and one with traces stays", async () => {
  const user = await newSender(client, db);
  const released = (release: string, fields = {}) => trace({ name: "agent", tags: [release], ...fields });
  const gone = released("release:1.0");
  const ofService = trace({ name: "agent", tags: [" ", "VERSION: 3.0"] });
  expectStatus(await user.send([gone, released("v2.0.0"), ofService]), 200);
  const names = async () => {
    const { rows } = await sql<{ name: string }>`
      select name from agent_releases where workspace_id = ${user.workspaceId} order by name`.execute(db);
    return rows.map(({ name }) => name);
  };
  /** As if a day had passed. */
  const nextDay = async () => {
    await sql`
      update agent_releases set first_seen_at = first_seen_at - interval '26 hours', checked_at = checked_at - interval '26 hours',
        empty_since = empty_since - interval '26 hours' where workspace_id = ${user.workspaceId}`.execute(db);
    await sweepReleases(db);
  };
  expectStatus(await user.delete(`/api/traces/${gone.id}`), 200);
  await sweepReleases(db);
  expect(await names()).toEqual(["1.0", "3.0", "v2.0.0"]);
  await nextDay();
  expect(await names()).toEqual(["1.0", "3.0", "v2.0.0"]);
  await nextDay();
  expect(await names()).toEqual(["3.0", "v2.0.0"]);
  await nextDay();
  expect(await names()).toEqual(["3.0", "v2.0.0"]);
});
