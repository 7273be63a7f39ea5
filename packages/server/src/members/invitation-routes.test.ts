import { randomUUID } from "node:crypto";
import { overtake } from "@whytrace/testing/postgres/overtake.ts";
import { prefixOf, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";

const { client, db } = await boot();

it("tells neither the inviter nor the holder of a link whether the address has an account", async () => {
  const [owner, known] = [await client.newUser(), await client.newUser()];
  await verifyAddress(db, owner);
  const invite = async (email: string) => {
    const created = expectStatus(await owner.post("/api/invitations", { email }), 201);
    const token = new URL(created.json.url).searchParams.get("token");
    const shown = expectStatus(await client.post("/api/invitations/lookup", { token }), 200);
    const refused = await owner.post("/api/invitations/accept", { token });
    const { id: _id, url: _url, ...seen } = created.json;
    const masked = [seen, shown.json, [refused.status, refused.text]];
    const hidden = JSON.stringify(masked)
      .replaceAll(email, "<email>")
      .replaceAll(/\d{4}-\d\d-[^"]*Z/g, "<time>");
    return [hidden, [...created.headers.keys()].sort(), [...shown.headers.keys()].sort()];
  };
  expect(await invite(known.email)).toEqual(await invite(`${randomUUID()}@example.test`));
});

it("answers alike to links that are used, expired, revoked, replaced or forged", async () => {
  const [owner, guest] = [await client.newUser(), await client.newUser()];
  for (const user of [owner, guest]) await verifyAddress(db, user);
  const invite = async (email = `${randomUUID()}@example.test`) => {
    const { id, url } = expectStatus(await owner.post("/api/invitations", { email }), 201).json;
    return { id, token: new URL(url).searchParams.get("token") };
  };
  const used = await invite(guest.email);
  expectStatus(await guest.post("/api/invitations/accept", { token: used.token }), 200);
  const expired = await invite();
  await sql`update invitations set expires_at = now() where id = ${expired.id}`.execute(db);
  const revoked = await invite();
  expectStatus(await owner.delete(`/api/invitations/${revoked.id}`), 200);
  const replaced = await invite();
  expectStatus(await owner.post(`/api/invitations/${replaced.id}/resend`, { mail: false }), 200);
  const tokens = [used, expired, revoked, replaced].map(({ token }) => token);
  for (const token of [...tokens, "forged"]) {
    const lookup = await client.post("/api/invitations/lookup", { token });
    const accept = await guest.post("/api/invitations/accept", { token });
    const answer = [400, '{"error":"Invitation is not valid any more"}'];
    expect([
      [lookup.status, lookup.text],
      [accept.status, accept.text],
    ]).toEqual([answer, answer]);
  }
});

it("refuses a link that a new one ends while it is being accepted", async () => {
  const [owner, guest] = [await client.newUser(), await client.newUser()];
  for (const user of [owner, guest]) await verifyAddress(db, user);
  const { id, url } = expectStatus(await owner.post("/api/invitations", { email: guest.email }), 201).json;
  const token = new URL(url).searchParams.get("token");
  const { status, text } = await overtake(db, owner.workspaceId, {
    request: () => guest.post("/api/invitations/accept", { token }),
    change: (trx) =>
      sql`
        update invitations set link_token_hash = sha256('new link'), mail_token_hash = sha256('new mail')
        where id = ${id}`.execute(trx),
  });
  expect([status, text]).toEqual([400, '{"error":"Invitation is not valid any more"}']);
  const { members } = (await owner.get(`${await prefixOf(db, owner)}/api/members`)).json;
  expect(members).toHaveLength(1);
});
