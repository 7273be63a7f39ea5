import { once } from "node:events";
import { request } from "node:http";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { keyPrefix } from "./key-format.ts";

let booted: Booted;
beforeAll(async () => {
  booted = await boot();
});

/** A request whose key was found and whose body has half arrived; `finish` sends the rest. */
async function beginUpload({ key }: Sender, traces: unknown[]) {
  const prefix = keyPrefix(key);
  await sql`update api_keys set last_used_at = null where prefix = ${prefix}`.execute(booted.db);
  const body = JSON.stringify({ traces });
  const upload = request(`${booted.server.url}/api/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-length": Buffer.byteLength(body) },
  });
  upload.write(body.slice(0, body.length / 2));
  const uses = async () => {
    const { rows } = await sql`
      select from api_keys where prefix = ${prefix} and last_used_at is not null`.execute(booted.db);
    return rows.length;
  };
  await expect.poll(uses, { interval: 5 }).toBe(1);
  return {
    async finish(): Promise<{ status: number | undefined; text: string }> {
      upload.end(body.slice(body.length / 2));
      const [response] = await once(upload, "response");
      let text = "";
      for await (const chunk of response) text += chunk;
      return { status: response.statusCode, text };
    },
  };
}

const INVALID = { status: 401, text: JSON.stringify({ error: "Invalid API key" }) };
const revoke = async (user: Sender) => {
  const [{ id }] = (await user.get("/api/keys")).json.keys;
  expect((await user.delete(`/api/keys/${id}`)).status).toBe(200);
};
const namesOf = async (user: Sender) =>
  (await user.get("/api/traces")).json.traces.map(({ name }: { name: string }) => name);

describe("a revoked key", () => {
  it("stores nothing of a request that began before: no new trace, no replaced one", async () => {
    const user = await newSender(booted.client, booted.db);
    const stored = trace({ name: "before" });
    await user.send([stored]);
    const uploads = [
      await beginUpload(user, [trace()]),
      await beginUpload(user, [{ ...stored, name: "after" }]),
    ];
    await revoke(user);
    expect(await Promise.all(uploads.map((upload) => upload.finish()))).toEqual([INVALID, INVALID]);
    expect(await namesOf(user)).toEqual(["before"]);
  });

  it("fails only its own request of those that are stored together", async () => {
    const [revoked, other] = [
      await newSender(booted.client, booted.db),
      await newSender(booted.client, booted.db),
    ];
    const upload = await beginUpload(revoked, [trace()]);
    await revoke(revoked);
    const [response, ...responses] = await Promise.all([
      upload.finish(),
      ...Array.from({ length: 30 }, () => other.send([trace()])),
    ]);
    expect(response).toEqual(INVALID);
    expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(200));
  });

  it("stores nothing after the response to the revocation", async () => {
    const user = await newSender(booted.client, booted.db);
    const stored = trace();
    await user.send([stored]);
    const countOf = async () => (await user.get("/api/traces")).json.total;
    const sends = Array.from({ length: 60 }, (_, i) => user.send([i % 2 ? trace() : stored]));
    await Promise.race(sends);
    await revoke(user);
    const count = await countOf();
    for (const { status } of await Promise.all(sends)) expect([200, 401]).toContain(status);
    expect(await countOf()).toBe(count);
  });
});

describe("a deleted account", () => {
  it("stores nothing of a request that began before", async () => {
    const user = await newSender(booted.client, booted.db);
    const upload = await beginUpload(user, [trace()]);
    expect((await user.delete("/api/account", { password: PASSWORD })).status).toBe(200);
    expect(await upload.finish()).toEqual(INVALID);
  });
});
