import { isDistributed } from "@whytrace/testing/postgres/citus-cluster.ts";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { ShardMap } from "./shard-map.ts";

// lab/trials/cluster/citus.ts runs these on a cluster.
describe.skipIf(!isDistributed)("a cluster", () => {
  it("serves a user before and after the user's shard moves to another node", async () => {
    const { client, db } = await boot();
    const user = await newSender(client, db);
    const [before, after] = [trace(), trace()];
    expect((await user.send([before])).status).toBe(200);
    const map = new ShardMap(db);
    const source = await map.nodeOf(user.workspaceId);
    const { rows } = await sql<{ node: string }>`
      select nodename || ':' || nodeport as node from pg_dist_node where groupid > 0`.execute(db);
    const target = rows.find(({ node }) => node !== source)?.node;
    await sql`
      select citus_move_shard_placement(get_shard_id_for_distribution_column('traces', ${user.workspaceId}::uuid),
        split_part(${source}, ':', 1), split_part(${source}, ':', 2)::integer,
        split_part(${target}, ':', 1), split_part(${target}, ':', 2)::integer, 'block_writes')`.execute(db);
    expect((await user.send([after])).json).toEqual({ success: true, count: 1 });
    for (const { id } of [before, after]) expect((await user.get(`/api/traces/${id}`)).status).toBe(200);
    expect((await user.get("/api/traces")).json.total).toBe(2);
    map.refresh();
    await map.nodeOf(user.workspaceId);
    await expect.poll(() => map.nodeOf(user.workspaceId)).toBe(target);
  });
});
