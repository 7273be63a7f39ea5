import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { addPasskey } from "@whytrace/testing/server/second-factor.ts";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";

const PATH = "/api/workspace/policy";
let booted: Booted;
beforeAll(async () => {
  booted = await boot({ PUBLIC_URL: "http://localhost:3000" });
});

it("a policy is set only by somebody whose own sign-in meets it, and only after a proof", async () => {
  const user = await booted.client.newUser();
  const refused = await user.put(PATH, { requireSecondFactor: true });
  expect([refused.status, refused.text]).toEqual([
    409,
    '{"error":"Your own sign-in does not meet this rule. Sign in that way first."}',
  ]);
  expect((await user.put(PATH, { ssoProvider: "corp" })).text).toBe('{"error":"Unknown sign-in provider"}');
  await addPasskey(user, "http://localhost:3000");
  const policy = { requireSecondFactor: true, ssoProvider: null, maxSessionHours: 12 };
  expect((await user.put(PATH, { requireSecondFactor: true, maxSessionHours: 12 })).json).toEqual({ policy });
  expect((await user.get("/api/workspace")).json.policy).toEqual(policy);
  for (const maxSessionHours of [0, 169, 1.5])
    expect((await user.put(PATH, { maxSessionHours })).status).toBe(400);
  await sql`update sessions set confirmed_at = null where user_id = ${user.userId}`.execute(booted.db);
  expect((await user.put(PATH, {})).status).toBe(403);
  expect((await user.get("/api/workspace")).json.policy).toEqual(policy);
});
