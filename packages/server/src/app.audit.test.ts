import { randomBytes, randomUUID } from "node:crypto";
import { hash32ToHex, signatureToHex, signDecision } from "@whytrace/contract";
import { AUDIT_ACTIONS } from "@whytrace/contract/schemas/workspaces/audit";
import { verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { subscriptionOf } from "@whytrace/testing/server/boot-with-stripe.ts";
import { type Client, expectStatus, PASSWORD, type TestResponse } from "@whytrace/testing/server/client.ts";
import { deliver, delivery, FakeStripe } from "@whytrace/testing/server/fake-stripe.ts";
import { cookiesOf, TestIdentityProvider } from "@whytrace/testing/server/identity-provider.ts";
import { TestNameServer } from "@whytrace/testing/server/name-server.ts";
import { addApp } from "@whytrace/testing/server/second-factor.ts";
import { afterAll, expect, it } from "vitest";

const names = new TestNameServer();
const provider = new TestIdentityProvider("corp");
const stripe = new FakeStripe();
afterAll(() => stripe.close());
const { client, db } = await boot({
  ...(await stripe.settings()),
  ...(await provider.settings()),
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  DNS_SERVERS: await names.start(),
  ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
});

const ANY_ID = expect.stringMatching(/^[\da-f-]{36}$/);

it("names every act, once, with who did it, to what, and its details", async () => {
  const owner = await newSender(client, db, "FREE");
  await verifyAddress(db, owner);
  const ok = (response: TestResponse) => {
    expect(response.text, `${response.status}`).toSatisfy(() => response.status < 400);
    return response.json;
  };
  const expected: { action: string; target: unknown; details: object; actor?: object }[] = [];
  /** The next event of the log. */
  const is = (
    action: string,
    target: [kind: string, id: unknown, name: unknown] | null,
    details = {},
    actor?: object,
  ) =>
    expected.push({
      action,
      target: target && { kind: target[0], id: target[1], name: target[2] },
      details,
      ...(actor && { actor }),
    });

  is("workspace.created", null, { name: "Ada's workspace" });
  is("key.created", ["key", ANY_ID, expect.any(String)], { scope: "send" });
  const { id: keyId } = ok(await owner.post("/api/keys", { name: "reads", scope: "read" }));
  is("key.created", ["key", keyId, "reads"], { scope: "read" });
  ok(await owner.delete(`/api/keys/${keyId}`));
  is("key.revoked", ["key", keyId, "reads"]);

  ok(await owner.patch("/api/workspace", { name: "Acme" }));
  is("workspace.renamed", null, { from: "Ada's workspace", to: "Acme" });
  ok(await owner.put("/api/workspace/policy", { maxSessionHours: 24 }));
  const policy = { requireSecondFactor: false, ssoProvider: null, maxSessionHours: 24 };
  is("workspace.policy-changed", null, policy);
  ok(await owner.put("/api/workspace/retention", { days: 30 }));
  is("workspace.retention-changed", null, { days: 30 });
  ok(await owner.get("/api/workspace/export"));
  is("workspace.exported", null);

  const domain = ok(await owner.post("/api/workspace/domains", { domain: "acme.example", role: "viewer" }));
  is("domain.added", ["domain", domain.id, "acme.example"], { role: "viewer" });
  names.records.set(domain.record.name, domain.record.value);
  ok(await owner.post(`/api/workspace/domains/${domain.id}/check`, {}));
  is("domain.verified", ["domain", domain.id, "acme.example"]);
  ok(await owner.delete(`/api/workspace/domains/${domain.id}`));
  is("domain.removed", ["domain", domain.id, "acme.example"]);

  const invite = async (email: string) => {
    const invited = ok(await owner.post("/api/invitations", { email, role: "member" }));
    is("invitation.created", ["invitation", invited.id, email], { role: "member", mailed: false });
    return invited;
  };
  const unused = await invite("nobody@example.test");
  ok(await owner.post(`/api/invitations/${unused.id}/resend`, { mail: false }));
  is("invitation.resent", ["invitation", unused.id, "nobody@example.test"], { mailed: false });
  ok(await owner.delete(`/api/invitations/${unused.id}`));
  is("invitation.revoked", ["invitation", unused.id, "nobody@example.test"]);
  const grace = await client.newUser();
  await verifyAddress(db, grace);
  const join = async () => {
    const { id } = await invite(grace.email);
    const joined = ok(await grace.post("/api/invitations/accept", { id }));
    const actor = { kind: "user", id: grace.userId, name: grace.email };
    is("member.joined", ["user", grace.userId, grace.email], { by: "invitation", role: "member" }, actor);
    return `/w/${joined.workspace.slug}`;
  };
  const prefix = await join();
  ok(await owner.patch(`/api/members/${grace.userId}`, { role: "admin" }));
  is("member.role-changed", ["user", grace.userId, grace.email], { from: "member", to: "admin" });
  ok(await owner.delete(`/api/members/${grace.userId}`));
  is("member.removed", ["user", grace.userId, grace.email], { keysRevoked: 0 });
  await join();
  ok(await grace.delete(`${prefix}/api/members/${grace.userId}`));
  const left = { kind: "user", id: grace.userId, name: grace.email };
  is("member.left", ["user", grace.userId, grace.email], { keysRevoked: 0 }, left);

  const choice = decision({ id: "d" });
  const sent = trace({ decisionPoints: [choice] });
  await owner.send([sent]);
  const link = ok(await owner.post(`/api/traces/${sent.id}/shares`, {}));
  is("link.created", ["link", link.id, null], { traceId: sent.id, hasPayloads: true, hasWhy: false });
  ok(await owner.delete(`/api/shares/${link.id}`));
  is("link.revoked", ["link", link.id, null], { traceId: sent.id });
  ok(await owner.get("/api/export/traces?status=ERROR"));
  is("traces.exported", null, { filters: ["status"], count: null });
  ok(await owner.get("/api/insights/verdicts/export"));
  is("verdicts.exported", null);
  const { signature, step, option } = signDecision(choice);
  const hashes = { signature: signatureToHex(signature), step: hash32ToHex(step) };
  const rule = ok(
    await owner.post("/api/insights/rules", {
      agent: "a",
      type: choice.type,
      option,
      kind: "never",
      ...hashes,
    }),
  );
  is("rule.created", ["rule", rule.id, null], { kind: "never" });
  ok(await owner.delete(`/api/insights/rules/${rule.id}`));
  is("rule.deleted", ["rule", rule.id, null]);
  const price = ok(await owner.put("/api/prices", { model: "our-*", inputUsd: 1, outputUsd: 2 }));
  is("price.changed", ["price", price.id, "our-*"], { inputUsd: 1, outputUsd: 2 });
  ok(await owner.delete(`/api/prices/${price.id}`));
  is("price.deleted", ["price", price.id, "our-*"]);
  const { version } = ok(await owner.get("/api/masking"));
  ok(await owner.put("/api/masking", { version, level: "personal", rules: [] }));
  is("masking.changed", null, { version: version + 1, before: "secrets", after: "personal", rules: 0 });
  const hook = ok(
    await owner.post("/api/alerts/channels", {
      kind: "webhook",
      name: "hook",
      url: "http://127.0.0.1:1025/",
    }),
  );
  is("webhook.changed", ["channel", hook.id, "hook"], { change: "created" });
  ok(await owner.patch(`/api/alerts/channels/${hook.id}`, { name: "hooked" }));
  is("webhook.changed", ["channel", hook.id, "hooked"], { change: "changed" });
  ok(await owner.post(`/api/alerts/channels/${hook.id}/secret`, {}));
  is("webhook.changed", ["channel", hook.id, "hooked"], { change: "secret-rotated" });
  ok(await owner.delete(`/api/alerts/channels/${hook.id}/secret/previous`));
  is("webhook.changed", ["channel", hook.id, "hooked"], { change: "previous-secret-ended" });
  ok(await owner.delete(`/api/alerts/channels/${hook.id}`));
  is("webhook.changed", ["channel", hook.id, "hooked"], { change: "deleted" });
  const watched = { kind: "no_runs", name: "nightly", agent: "a", forMinutes: 60 };
  const { id: ruleId } = ok(await owner.post("/api/alerts/rules", watched));
  is("alert-rule.changed", ["alert-rule", ruleId, "nightly"], { change: "created" });
  ok(await owner.patch(`/api/alerts/rules/${ruleId}`, { name: "daily" }));
  is("alert-rule.changed", ["alert-rule", ruleId, "daily"], { change: "changed" });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  ok(await owner.post(`/api/alerts/rules/${ruleId}/mute`, { until }));
  is("alert-rule.changed", ["alert-rule", ruleId, "daily"], { change: "muted" });
  ok(await owner.delete(`/api/alerts/rules/${ruleId}/mute`));
  is("alert-rule.changed", ["alert-rule", ruleId, "daily"], { change: "unmuted" });
  ok(await owner.delete(`/api/alerts/rules/${ruleId}`));
  is("alert-rule.changed", ["alert-rule", ruleId, "daily"], { change: "deleted" });
  const view = ok(await owner.post("/api/views", { name: "v", query: "tags=a" }));
  ok(await owner.delete(`/api/views/${view.id}`));
  is("view.deleted", ["view", view.id, "v"]);
  ok(await owner.delete(`/api/traces/${sent.id}`));
  is("trace.deleted", ["trace", sent.id, null]);

  ok(await owner.post("/api/billing/checkout", { tier: "STARTER" }));
  is("checkout.started", null, { tier: "STARTER" });
  const [customer = ""] =
    [...stripe.customers].find(([, { workspaceId }]) => workspaceId === owner.workspaceId) ?? [];
  const paid = delivery("customer.subscription.created", stripe.put(subscriptionOf(customer)));
  expect((await deliver(client.url, paid)).status).toBe(200);
  is("plan.changed", null, { from: "FREE", to: "STARTER" }, { kind: "system", id: null, name: "Whytrace" });

  const linked = await linkCorp(owner);
  is("identity.linked", null, { provider: "corp" });
  ok(await owner.delete(`/api/account/identities/${linked}`));
  is("identity.unlinked", null, { provider: "corp" });
  const next = "another good password";
  ok(await owner.post("/api/account/password", { currentPassword: PASSWORD, password: next }));
  is("password.changed", null);
  const wrong = { email: owner.email, password: "wrong password" };
  expect((await client.post("/api/auth/login", wrong)).status).toBe(401);
  is("sign-in.failed", null, { method: "password" });
  await expect
    .poll(async () => (await owner.get("/api/audit?action=sign-in.failed")).json.events.length)
    .toBe(1);
  ok(await client.post("/api/auth/login", { email: owner.email, password: next }));
  is("sign-in.succeeded", null, { method: "password" });
  await addApp(owner);
  is("second-factor.added", null, { method: "totp" });
  ok(await owner.post("/api/account/recovery-codes", {}));
  is("recovery-codes.created", null);
  ok(await owner.delete("/api/account/totp"));
  is("second-factor.removed", null, { method: "totp" });
  ok(await owner.get("/api/audit/export"));
  is("audit.exported", null);

  const own = { kind: "user", id: owner.userId, name: owner.email };
  const { events } = ok(await owner.get("/api/audit?limit=100"));
  const shown = events
    .toReversed()
    .map(
      ({ at: _at, ip: _ip, userAgent: _agent, ...event }: { at: string; ip: string; userAgent: string }) =>
        event,
    );
  expect(shown).toEqual(expected.map((event, index) => ({ position: index + 1, actor: own, ...event })));
  expect([...new Set(expected.map(({ action }) => action))].sort()).toEqual([...AUDIT_ACTIONS].sort());
});

/** Links an account at the provider, and returns the id of the link. */
async function linkCorp(user: Client): Promise<string> {
  const started = expectStatus(await user.post("/api/account/identities", { provider: "corp" }), 200);
  const cookie = `${user.cookie}; ${cookiesOf(started)}`;
  const account = { sub: randomUUID(), email: "ada@corp.test" };
  await provider.comeBack(user, provider.signIn({ location: started.json.url, cookie }, account));
  return (await user.get("/api/account/identities")).json.identities[0].id;
}
