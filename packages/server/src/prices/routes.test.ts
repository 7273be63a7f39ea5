import { newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const rule = (fields: object = {}) => ({ model: "gpt-4o", inputUsd: 1, outputUsd: 2, ...fields });
const call = (model: string, fields: object = {}) =>
  span({ metadata: { model, inputTokens: 1_000_000, outputTokens: 100_000 }, ...fields });

describe("price rules", () => {
  it("are added, listed by model and date, replaced and deleted", async () => {
    const user = await newSender(client, db);
    expect((await user.get("/api/prices")).json).toEqual({ rules: [] });
    const first = expectStatus(await user.put("/api/prices", rule({ model: " GPT-4o " })), 200).json;
    expect(first).toEqual({
      id: expect.any(String),
      model: "gpt-4o",
      inputUsd: 1,
      outputUsd: 2,
      cacheReadUsd: null,
      cacheWriteUsd: null,
      validFrom: null,
      createdBy: { id: user.userId, name: "Ada" },
    });
    const replaced = expectStatus(
      await user.put("/api/prices", rule({ inputUsd: 3, cacheReadUsd: 0.5 })),
      200,
    ).json;
    expect(replaced).toEqual({ ...first, inputUsd: 3, cacheReadUsd: 0.5 });
    const later = (await user.put("/api/prices", rule({ validFrom: "2026-03-01T00:00:00+01:00" }))).json;
    expect(later.validFrom).toBe("2026-02-28T23:00:00.000Z");
    const other = (await user.put("/api/prices", rule({ model: "a-*" }))).json;
    expect((await user.get("/api/prices")).json.rules).toEqual([other, replaced, later]);
    expectStatus(await user.delete(`/api/prices/${later.id}`), 200);
    expectStatus(await user.delete(`/api/prices/${later.id}`), 404);
    expectStatus(await user.delete("/api/prices/nonsense"), 404);
    expect((await user.get("/api/prices")).json.rules).toEqual([other, replaced]);
  });

  it.each([
    [{ model: "" }, "model: must not be empty"],
    [{ model: "gpt-*-mini" }, "model: may contain an asterisk only at its end"],
    [{ inputUsd: -1 }, "inputUsd: must be between 0 and 1000000"],
    [{ outputUsd: 1e7 }, "outputUsd: must be between 0 and 1000000"],
    [{ cacheReadUsd: "1" }, "cacheReadUsd"],
    [{ validFrom: "soon" }, "validFrom"],
  ])("with %j are refused with an error that names the field", async (fields, text) => {
    const user = await newSender(client, db);
    const { json } = expectStatus(await user.put("/api/prices", rule(fields)), 400);
    expect(json.error).toContain(text);
  });

  it("are limited to 200, also if several are added at the same time", async () => {
    const user = await newSender(client, db);
    const first = (await user.put("/api/prices", rule({ model: "m-0" }))).json;
    await sql`
      insert into price_rules (workspace_id, model, input_usd, output_usd)
      select workspace_id, 'm-' || n, 1, 2 from price_rules, generate_series(1, 194) as n where id = ${first.id}`.execute(
      db,
    );
    const saved = await Promise.all(
      Array.from({ length: 10 }, (_, n) => user.put("/api/prices", rule({ model: `n-${n}` }))),
    );
    expect(saved.filter(({ status }) => status === 200)).toHaveLength(5);
    const [refused] = saved.filter(({ status }) => status !== 200);
    expect([refused?.status, refused?.json.error]).toEqual([409, "Price rule limit reached (200)"]);
    expectStatus(await user.put("/api/prices", rule({ model: "m-0", inputUsd: 9 })), 200);
  });

  it("of one user do not apply to another", async () => {
    const [one, other] = [await newSender(client, db), await newSender(client, db)];
    await one.put("/api/prices", rule());
    for (const [user, costUsd, priceSource] of [
      [one, 1.2, "rule:gpt-4o"],
      [other, 3.5, "openai/gpt-4o"],
    ] as const) {
      const sent = trace({ spans: [call("gpt-4o")] });
      await user.send([sent]);
      expect((await user.get(`/api/traces/${sent.id}`)).json).toMatchObject({
        totalCost: costUsd,
        spans: [{ costUsd, priceSource }],
      });
    }
    expect((await other.get("/api/prices")).json.rules).toEqual([]);
  });

  it("apply to the next send of a running trace, to spans that did not change, too", async () => {
    const user = await newSender(client, db);
    const sent = trace({ status: "RUNNING", spans: Array.from({ length: 5 }, () => call("our-model")) });
    await user.send([sent]);
    expect((await user.get(`/api/traces/${sent.id}`)).json.totalCost).toBeNull();
    await user.put("/api/prices", rule({ model: "our-*" }));
    await user.send([sent]);
    const { json } = await user.get(`/api/traces/${sent.id}`);
    expect(json.totalCost).toBe(6);
    expect(json.spans.map(({ costUsd }: { costUsd: number }) => costUsd)).toEqual([1.2, 1.2, 1.2, 1.2, 1.2]);
  });
});
