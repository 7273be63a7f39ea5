import { overtake } from "@whytrace/testing/postgres/overtake.ts";
import { addMember } from "@whytrace/testing/samples/add-member.ts";
import { signatureOf } from "@whytrace/testing/samples/decided-runs.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const OPTIONS = ["search", "ask_human", "refund"];
const rule = (fields: object = {}) => ({
  agent: "support agent",
  type: "TOOL_SELECTION",
  option: "refund",
  kind: "never",
  ...signatureOf(OPTIONS, "refund"),
  ...fields,
});

describe("decision rules", () => {
  it("are added, listed, replaced by one of the same kind for the same option, and deleted", async () => {
    const user = await newSender(client, db);
    expect((await user.get("/api/insights/rules")).json).toEqual({ rules: [] });
    const first = expectStatus(
      await user.post("/api/insights/rules", rule({ agent: "order 4711", note: " too risky " })),
      201,
    ).json;
    expect(first).toEqual({
      ...rule({ agent: "order #" }),
      id: expect.any(String),
      createdBy: { id: user.userId, name: "Ada" },
      minShare: null,
      maxShare: null,
      note: "too risky",
      createdAt: expect.any(String),
    });
    const share = (await user.post("/api/insights/rules", rule({ kind: "share", maxShare: 0.3 }))).json;
    const replaced = (await user.post("/api/insights/rules", rule({ kind: "share", minShare: 0.1 }))).json;
    expect(replaced).toMatchObject({ kind: "share", minShare: 0.1, maxShare: null });
    expect((await user.get("/api/insights/rules")).json.rules).toEqual([first, replaced]);
    expectStatus(await user.delete(`/api/insights/rules/${share.id}`), 404);
    expectStatus(await user.delete("/api/insights/rules/nonsense"), 404);
    expectStatus(await user.delete(`/api/insights/rules/${first.id}`), 200);
    expect((await user.get("/api/insights/rules")).json.rules).toEqual([replaced]);
  });

  it("are not added by a member who is removed meanwhile", async () => {
    const [owner, member] = [await newSender(client, db), await newSender(client, db)];
    const prefix = await addMember(db, owner, member, "member");
    const { status, text } = await overtake(db, owner.workspaceId, {
      request: () => member.post(`${prefix}/api/insights/rules`, rule()),
      change: (trx) =>
        sql`
          delete from memberships
          where workspace_id = ${owner.workspaceId} and user_id = ${member.userId}`.execute(trx),
    });
    expect([status, text]).toEqual([404, '{"error":"Workspace not found"}']);
    expect((await owner.get("/api/insights/rules")).json).toEqual({ rules: [] });
  });

  it.each([
    [{ agent: "" }, "agent: must not be empty"],
    [{ signature: "12" }, "signature: must be 14 hexadecimal digits"],
    [{ step: "0" }, "step: must be 8 hexadecimal digits"],
    [{ option: "search" }, "step: is not the step of this option"],
    [{ type: "GUESS" }, "type"],
    [{ kind: "always" }, "kind"],
    [{ kind: "share" }, "minShare: must be given, or maxShare, for a rule of the kind share"],
    [{ kind: "share", minShare: 0.5, maxShare: 0.4 }, "maxShare: must not be less than minShare"],
    [{ kind: "share", maxShare: 50 }, "maxShare: must be between 0 and 1"],
    [{ maxShare: 0.5 }, "maxShare: is only for rules of the kind share"],
    [{ note: "a\0b" }, "note: must not contain control characters"],
  ])("with %j are refused with an error that names the field", async (fields, text) => {
    const user = await newSender(client, db);
    const { json } = expectStatus(await user.post("/api/insights/rules", rule(fields)), 400);
    expect(json.error).toContain(text);
  });

  it("are limited to 100, also if they are added at the same time", async () => {
    const user = await newSender(client, db);
    const add = (n: number) =>
      user.post("/api/insights/rules", rule({ agent: `agent ${n % 10} ${"x".repeat(n)}` }));
    for (let n = 0; n < 98; n += 14) await Promise.all(Array.from({ length: 14 }, (_, i) => add(n + i)));
    const statuses = (await Promise.all([add(98), add(99), add(100), add(101)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 409, 409]);
    expect((await user.get("/api/insights/rules")).json.rules).toHaveLength(100);
  });
});
