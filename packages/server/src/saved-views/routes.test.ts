import { addMember } from "@whytrace/testing/samples/add-member.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { MAX_SAVED_VIEWS_PER_WORKSPACE } from "./create-saved-view.ts";

const { client, db } = await boot();

describe("saved views", () => {
  it("are created, listed by name, renamed and deleted by their owner alone", async () => {
    const [user, other] = [await client.newUser(), await client.newUser()];
    const created = expectStatus(
      await user.post("/api/views", { name: " Costly failures ", query: "status=ERROR&sort=costliest" }),
      201,
    ).json;
    expect(created).toMatchObject({
      name: "Costly failures",
      query: "status=ERROR&sort=costliest",
      isDefault: false,
    });
    await user.post("/api/views", { name: "a first", query: "tags=a" });
    expect((await user.get("/api/views")).json.views.map((view: { name: string }) => view.name)).toEqual([
      "a first",
      "Costly failures",
    ]);
    expect((await other.get("/api/views")).json).toEqual({ views: [] });
    for (const id of [created.id, "unknown"]) {
      expectStatus(await other.patch(`/api/views/${id}`, { name: "mine" }), 404);
      expect(expectStatus(await other.delete(`/api/views/${id}`), 404).json.error).toBe(
        "Saved view not found",
      );
    }
    const renamed = expectStatus(
      await user.patch(`/api/views/${created.id}`, { name: "Failures" }),
      200,
    ).json;
    expect(renamed).toEqual({ ...created, name: "Failures" });
    expectStatus(await user.delete(`/api/views/${created.id}`), 200);
    expectStatus(await user.delete(`/api/views/${created.id}`), 404);
    expect((await user.get("/api/views")).json.views).toHaveLength(1);
  });

  it("have at most one default, also if two are made the default at once", async () => {
    const user = await client.newUser();
    const ids = await Promise.all(
      ["a", "b", "c"].map(
        async (name) => (await user.post("/api/views", { name, query: `tags=${name}` })).json.id,
      ),
    );
    await Promise.all(
      [...ids, ...ids].map(async (id) =>
        expectStatus(await user.patch(`/api/views/${id}`, { isDefault: true }), 200),
      ),
    );
    const defaults = async () =>
      (await user.get("/api/views")).json.views.filter((view: { isDefault: boolean }) => view.isDefault);
    const [only, ...rest] = await defaults();
    expect([only !== undefined, rest]).toEqual([true, []]);
    await user.patch(`/api/views/${only.id}`, { isDefault: false });
    expect(await defaults()).toEqual([]);
  });

  it("have a default for each person, which also others than their maker choose", async () => {
    const [owner, member] = [await client.newUser(), await client.newUser()];
    const prefix = await addMember(db, owner, member, "member");
    const [one, two] = await Promise.all(
      ["a", "b"].map(async (name) => (await owner.post("/api/views", { name, query: "tags=a" })).json.id),
    );
    expectStatus(await owner.patch(`/api/views/${one}`, { isDefault: true }), 200);
    const chosen = await member.patch(`${prefix}/api/views/${two}`, { isDefault: true });
    expect(expectStatus(chosen, 200).json.isDefault).toBe(true);
    const named = await member.patch(`${prefix}/api/views/${two}`, { name: "mine", isDefault: false });
    expect(named.status).toBe(403);
    const defaultsOf = async (user: SignedInUser) =>
      (await user.get(`${prefix}/api/views`)).json.views
        .filter((view: { isDefault: boolean }) => view.isDefault)
        .map((view: { id: string }) => view.id);
    expect([await defaultsOf(owner), await defaultsOf(member)]).toEqual([[one], [two]]);
    expectStatus(await owner.delete(`/api/views/${two}`), 200);
    expect(await defaultsOf(member)).toEqual([]);
  });

  it("are limited, exactly, and refuse what is not a name or a query", async () => {
    const user = await client.newUser();
    await sql`
      insert into saved_views (workspace_id, name, query)
      select ${user.workspaceId}, 'view ' || n, 'tags=a' from generate_series(4, ${MAX_SAVED_VIEWS_PER_WORKSPACE}) as n`.execute(
      db,
    );
    const statuses = await Promise.all(
      Array.from(
        { length: 6 },
        async (_, n) => (await user.post("/api/views", { name: `last ${n}`, query: "tags=a" })).status,
      ),
    );
    expect(statuses.sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(expectStatus(await user.post("/api/views", { name: "x", query: "y" }), 409).json.error).toBe(
      "Saved view limit reached (50). Delete one that you do not need.",
    );
    for (const body of [{ name: "", query: "a" }, { name: "x".repeat(101), query: "a" }, { name: "x" }])
      expectStatus(await user.post("/api/views", body), 400);
  });
});
