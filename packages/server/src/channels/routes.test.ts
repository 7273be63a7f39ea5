import { randomBytes, randomUUID } from "node:crypto";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { HookReceiver, isSignedBy } from "@whytrace/testing/server/hook-receiver.ts";
import { Mailbox } from "@whytrace/testing/server/mailbox.ts";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { type AnnouncedEvent, announce } from "./announce.ts";

const receiver = new HookReceiver();
const origin = await receiver.listen();
const mailbox = new Mailbox();
const SETTINGS = {
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
  DELIVERY_RETRIES: "1s,1s",
  // Long enough for a slow machine to do within a window what has to happen within one.
  NOTIFY_BURST: "3/5s",
  SMTP_URL: await mailbox.listen(),
  SECRETS_KEY: randomBytes(32).toString("base64"),
};
const booted = await boot(SETTINGS);
const { client, db } = booted;

/** How a test's own path answers. */
const answers = new Map<string, (typeof receiver)["answer"]>();
receiver.answer = (hook) => answers.get(hook.path)?.(hook, receiver.at(hook.path).length);

async function newChannel(user: SignedInUser, body: object = {}, answer?: (typeof receiver)["answer"]) {
  const path = `/${randomUUID()}`;
  if (answer) answers.set(path, answer);
  const channel = expectStatus(
    await user.post("/api/alerts/channels", { kind: "webhook", name: "ops", url: origin + path, ...body }),
    201,
  ).json;
  const deliveries = async () =>
    expectStatus(await user.get(`/api/alerts/channels/${channel.id}/deliveries`), 200).json.deliveries;
  return { path, channel, deliveries, received: (count: number) => receiver.waitFor(path, count) };
}

const issueEvent = (number: number, overrides: Partial<AnnouncedEvent> = {}): AnnouncedEvent => ({
  type: "issue.new",
  subject: `issue:${number}`,
  sequence: 1,
  payload: { issue: { number, title: `cause ${number}`, agent: "support-agent", runs: 1 } },
  traceId: null,
  ...overrides,
});
const tell = (user: SignedInUser, events: AnnouncedEvent[], { db: own }: Pick<Booted, "db"> = { db }) =>
  own.transaction((trx) => announce(trx, user.workspaceId, events));
/**
 * Makes due what waits to be sent again, and waits until a message arrived that was told afterwards: nothing else of the workspace
 * was left to be sent.
 */
async function untilNothingIsLeft(user: SignedInUser) {
  await sql`
    update alert_deliveries set next_attempt_at = now()
    where workspace_id = ${user.workspaceId} and next_attempt_at > now()`.execute(db);
  const last = await newChannel(user);
  await tell(user, [issueEvent(4_711, { channels: [last.channel.id] })]);
  await last.received(1);
}
const stateOf = async (deliveries: () => Promise<{ state: string }[]>) => (await deliveries())[0]?.state;

describe("a channel", () => {
  it("shows the secret of a webhook once, and of a chat's address only its end", async () => {
    const user = await client.newUser();
    const { channel } = await newChannel(user);
    expect(channel.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { channel: chat, path } = await newChannel(user, { kind: "slack" });
    expect(chat.secret).toBeUndefined();
    const { text, json } = await user.get("/api/alerts/channels");
    expect(text).not.toContain(channel.secret);
    expect(text).not.toContain(path.slice(0, -4));
    expect(json.channels).toMatchObject([
      { id: channel.id, kind: "webhook", isEnabled: true },
      { id: chat.id, url: `${origin}/…${path.slice(-4)}` },
    ]);
  });

  it("is one of at most 20 of a workspace, also in parallel", async () => {
    const user = await client.newUser();
    const body = { kind: "webhook", name: "x", url: `${origin}/limit` };
    const answered = await Promise.all(
      Array.from({ length: 22 }, () => user.post("/api/alerts/channels", body)),
    );
    expect(answered.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 409, 409]);
    expect((await user.post("/api/alerts/channels", body)).json).toEqual({
      error: "Channel limit reached (20)",
    });
  });

  it.each([
    ["ftp://example.com/", "url must be an http or https URL of at most 2000 characters"],
    [undefined, "url must be an http or https URL of at most 2000 characters"],
    ["https://user:secret@example.com/", "url must not contain a user name or password"],
    ["https://example.com:22/", "url must use port 80, 443 or one from 1024"],
    ["https://0x7f.2/hook", "url must point to a public address"],
    ["https://[::ffff:10.0.0.8]/", "url must point to a public address"],
    ["http://169.254.169.254/latest/", "url must point to a public address"],
    ["http://93.184.215.14/hook", "url must use https"],
  ])("refuses %s", async (url, error) => {
    const user = await client.newUser();
    const response = await user.post("/api/alerts/channels", { kind: "webhook", name: "x", url });
    expect([response.status, response.json]).toEqual([400, { error }]);
    const { channel } = await newChannel(user);
    if (url !== undefined)
      expect((await user.patch(`/api/alerts/channels/${channel.id}`, { url })).json).toEqual({ error });
  });

  it("sends its secret to the origin alone for which it was made or entered", async () => {
    const elsewhere = new HookReceiver();
    const url = `${await elsewhere.listen()}/moved`;
    const user = await client.newUser();
    const move = (id: string, body: object) => user.patch(`/api/alerts/channels/${id}`, body);
    const test = async (id: string) => {
      const before = elsewhere.at("/moved").length;
      expectStatus(await user.post(`/api/alerts/channels/${id}/test`, {}), 200);
      const received = await elsewhere.waitFor("/moved", before + 1);
      return received.at(-1) ?? expect.fail();
    };
    const { channel: webhook } = await newChannel(user);
    expectStatus(await user.post(`/api/alerts/channels/${webhook.id}/secret`, {}), 200);
    const stayed = expectStatus(await move(webhook.id, { url: `${origin}/another-path` }), 200).json;
    expect([stayed.secret, stayed.previousSecretExpiresAt]).toEqual([undefined, expect.any(String)]);
    const moved = expectStatus(await move(webhook.id, { url }), 200).json;
    expect([moved.secret, moved.previousSecretExpiresAt]).toEqual([expect.any(String), null]);
    const signed = await test(webhook.id);
    expect([isSignedBy(signed, webhook.secret), isSignedBy(signed, moved.secret)]).toEqual([false, true]);
    for (const kind of ["pagerduty", "opsgenie"]) {
      const { channel: pager } = await newChannel(user, { kind, secret: `first-of-${kind}` });
      const refused = await move(pager.id, { url });
      expect([refused.status, refused.json]).toEqual([400, { error: "secret must be given" }]);
      expectStatus(await move(pager.id, { url, secret: `second-of-${kind}` }), 200);
      const { raw, headers } = await test(pager.id);
      const sent = JSON.stringify(headers) + raw;
      expect([sent.includes("first-of"), sent.includes(`second-of-${kind}`)]).toEqual([false, true]);
    }
  });

  it("is told the events and agents that were chosen, and what is about it alone", async () => {
    const user = await client.newUser();
    const resolved = await newChannel(user, { events: ["issue.resolved"] });
    const triage = await newChannel(user, { agents: ["triage 4711"] });
    await tell(user, [
      issueEvent(1),
      issueEvent(2, { type: "issue.resolved" }),
      issueEvent(3, { payload: { issue: { number: 3, title: "t", agent: "triage #" } } }),
      issueEvent(4, { channels: [resolved.channel.id] }),
    ]);
    const numbers = async (count: number, { received }: typeof resolved) =>
      (await received(count)).map(({ json }) => json.data.issue.number).sort();
    expect(await numbers(2, resolved)).toEqual([2, 4]);
    expect(await numbers(1, triage)).toEqual([3]);
  });

  it("that is deleted or disabled sends nothing more", async () => {
    const user = await client.newUser();
    const failing = await newChannel(user, {}, () => ({ status: 500 }));
    const disabled = await newChannel(user, {}, () => ({ status: 500 }));
    await tell(user, [issueEvent(1)]);
    await Promise.all([failing.received(1), disabled.received(1)]);
    expectStatus(await user.delete(`/api/alerts/channels/${failing.channel.id}`), 200);
    expectStatus(await user.patch(`/api/alerts/channels/${disabled.channel.id}`, { isEnabled: false }), 200);
    await tell(user, [issueEvent(2)]);
    await untilNothingIsLeft(user);
    expect(receiver.at(failing.path).length).toBeLessThanOrEqual(2);
    expect(receiver.at(disabled.path).length).toBeLessThanOrEqual(2);
    await vi.waitFor(async () => expect(await stateOf(disabled.deliveries)).toBe("dropped"), 10_000);
    expectStatus(await user.get(`/api/alerts/channels/${failing.channel.id}/deliveries`), 404);
    expectStatus(await user.post(`/api/alerts/channels/${disabled.channel.id}/test`), 409);
  });

  it("needs a person: a key is told so", async () => {
    const user = await client.newUser();
    const { key } = (await user.post("/api/keys", { name: "r", scope: "review" })).json;
    const response = await client.request("POST", "/api/alerts/channels", {
      body: {},
      headers: { authorization: `Bearer ${key}` },
    });
    expect([response.status, response.json]).toEqual([403, { error: "No key may do this. Sign in." }]);
  });
});

describe("a webhook", () => {
  it("is signed, and by both secrets during a rotation", async () => {
    const user = await client.newUser();
    const { channel, received } = await newChannel(user);
    const test = async (count: number) => {
      expectStatus(await user.post(`/api/alerts/channels/${channel.id}/test`), 200);
      const [got] = (await received(count)).slice(-1);
      if (!got) throw new Error("nothing was received");
      return got;
    };
    const first = await test(1);
    const workspace = { id: user.workspaceId, name: "Ada's workspace" };
    expect(first.json).toMatchObject({ type: "channel.test", data: { workspace } });
    expect(new URL(first.json.data.url).pathname).toBe(`${await prefixOf(db, user)}/alerts`);
    expect(first.headers["webhook-id"]).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(first.headers["user-agent"]).toBe("Whytrace-Webhooks/1");
    expect(isSignedBy(first, channel.secret)).toBe(true);
    expect(isSignedBy({ ...first, raw: `${first.raw} ` }, channel.secret)).toBe(false);
    const rotated = expectStatus(await user.post(`/api/alerts/channels/${channel.id}/secret`), 200).json;
    expect((await user.post(`/api/alerts/channels/${channel.id}/secret`)).json).toEqual({
      error: "A rotation is under way",
    });
    const during = await test(2);
    expect([rotated.secret, channel.secret].map((secret) => isSignedBy(during, secret))).toEqual([
      true,
      true,
    ]);
    expectStatus(await user.delete(`/api/alerts/channels/${channel.id}/secret/previous`), 200);
    const after = await test(3);
    expect([rotated.secret, channel.secret].map((secret) => isSignedBy(after, secret))).toEqual([
      true,
      false,
    ]);
  });

  it("that fails is sent again with the same id, and the log has each attempt", async () => {
    const user = await client.newUser();
    const { received, deliveries, path } = await newChannel(user, {}, (_, count) =>
      count < 3 ? { status: 500, body: "try later" } : undefined,
    );
    await tell(user, [issueEvent(1)]);
    const got = await received(3);
    expect(new Set(got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await vi.waitFor(async () => expect(await stateOf(deliveries)).toBe("delivered"), 10_000);
    const [delivery] = await deliveries();
    expect(delivery.attempts.map(({ status }: { status: number }) => status)).toEqual([500, 500, 200]);
    expect(delivery.attempts[0].response).toBe("try later");
    expect(delivery.request).toBe(got[0]?.raw);
    await untilNothingIsLeft(user);
    expect(receiver.at(path)).toHaveLength(3);
  });

  it("is given up after the last attempt, and sent again by hand with the same id and body", async () => {
    const user = await client.newUser();
    let status = 503;
    const { received, deliveries } = await newChannel(user, {}, () => ({ status }));
    await tell(user, [issueEvent(1)]);
    await vi.waitFor(async () => expect(await stateOf(deliveries)).toBe("failed"), 15_000);
    const [delivery] = await deliveries();
    expect(delivery.attempts).toHaveLength(3);
    status = 200;
    expect(
      expectStatus(await user.post(`/api/alerts/deliveries/${delivery.id}/resend`), 202).json.messageId,
    ).toBe(delivery.messageId);
    const got = await received(4);
    expect(got[3]?.headers["webhook-id"]).toBe(got[0]?.headers["webhook-id"]);
    expect(got[3]?.raw).toBe(got[0]?.raw);
    const other = await client.newUser();
    expectStatus(await other.post(`/api/alerts/deliveries/${delivery.id}/resend`), 404);
  });

  it("waits for those before it about the same issue, while others do not", async () => {
    const user = await client.newUser();
    let isDown = true;
    const { received, path } = await newChannel(user, {}, ({ json }) =>
      isDown && json.data.issue.number === 1 ? { status: 500 } : undefined,
    );
    await tell(user, [issueEvent(1), issueEvent(1, { type: "issue.resolved", sequence: 2 }), issueEvent(2)]);
    await received(2);
    expect(receiver.at(path).map(({ json }) => json.type)).not.toContain("issue.resolved");
    isDown = false;
    await vi.waitFor(
      () => expect(receiver.at(path).some(({ json }) => json.type === "issue.resolved")).toBe(true),
      10_000,
    );
    const sequence = receiver
      .at(path)
      .filter(({ json }) => json.data.issue.number === 1)
      .map(({ json }) => json.data.sequence);
    expect(sequence).toEqual(sequence.toSorted((a, b) => a - b));
  });

  it("to a receiver that is gone ends the channel, tells the owner, and can be enabled again", async () => {
    const user = await client.newUser();
    await sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(db);
    const { channel, path } = await newChannel(user, {}, () => ({ status: 410 }));
    await tell(user, [issueEvent(1), issueEvent(1, { sequence: 2 })]);
    const mail = await mailbox.mailTo(user.email, /no longer sends/);
    expect(mail.text).toContain("The receiver answered 410 Gone");
    expect(mail.text).toContain("the workspace Ada's workspace (webhook)");
    expect(mail.text).toContain(`${await prefixOf(db, user)}/alerts\n`);
    const [listed] = (await user.get("/api/alerts/channels")).json.channels;
    expect(listed).toMatchObject({ isEnabled: false, disabledReason: "The receiver answered 410 Gone" });
    await untilNothingIsLeft(user);
    expect(receiver.at(path)).toHaveLength(1);
    expect((await user.patch(`/api/alerts/channels/${channel.id}`, { isEnabled: true })).json).toMatchObject({
      isEnabled: true,
      disabledReason: null,
    });
  });

  it("is dropped if its channel is disabled while a process that died was sending it", async () => {
    const user = await client.newUser();
    const { channel, path, deliveries, received } = await newChannel(user);
    await tell(user, [issueEvent(1)]);
    await received(1);
    await vi.waitFor(async () => expect(await stateOf(deliveries)).toBe("delivered"), 10_000);
    expectStatus(await user.patch(`/api/alerts/channels/${channel.id}`, { isEnabled: false }), 200);
    await sql`
      update alert_deliveries set state = 'sending', next_attempt_at = now()
      where workspace_id = ${user.workspaceId}`.execute(db);
    await vi.waitFor(async () => expect(await stateOf(deliveries)).toBe("dropped"), 10_000);
    expect(receiver.at(path)).toHaveLength(1);
  });

  it("is disabled after 5 days without a success", async () => {
    const user = await client.newUser();
    const { channel } = await newChannel(user, {}, () => ({ status: 500 }));
    await sql`
      update alert_channels set failing_since = now() - interval '6 days', failures = 9
      where workspace_id = ${user.workspaceId}`.execute(db);
    await tell(user, [issueEvent(1)]);
    await vi.waitFor(async () => {
      const [listed] = (await user.get("/api/alerts/channels")).json.channels;
      expect(listed).toMatchObject({
        id: channel.id,
        isEnabled: false,
        disabledReason: expect.stringContaining("5 days"),
      });
    }, 10_000);
  });

  it("whose sender died is sent again with the same id, when its lease has ended", async () => {
    const user = await client.newUser();
    const { received, deliveries } = await newChannel(user);
    await tell(user, [issueEvent(1)]);
    await received(1);
    await vi.waitFor(async () => expect(await stateOf(deliveries)).toBe("delivered"), 10_000);
    // As it is left by a process that dies between the answer and the commit.
    await sql`
      update alert_deliveries set state = 'sending', next_attempt_at = now() - interval '1 second'
      where workspace_id = ${user.workspaceId}`.execute(db);
    const got = await received(2);
    expect(got[1]?.headers["webhook-id"]).toBe(got[0]?.headers["webhook-id"]);
    expect(got[1]?.raw).toBe(got[0]?.raw);
    await vi.waitFor(async () => expect((await deliveries())[0].attempts).toHaveLength(2), 10_000);
  });

  it("is sent once if two servers share the database", async () => {
    const second = await boot({ ...SETTINGS, DATABASE_URL: booted.databaseUrl });
    const user = await second.client.newUser();
    const { received, path } = await newChannel(user);
    await tell(
      user,
      Array.from({ length: 30 }, (_, n) => issueEvent(n + 1)),
    );
    await received(30);
    await untilNothingIsLeft(user);
    expect(receiver.at(path)).toHaveLength(30);
  });
});

describe("people", () => {
  it("get a few messages and one digest of the rest, and machines get each", async () => {
    const user = await client.newUser();
    const [chat, machine] = [await newChannel(user, { kind: "slack" }), await newChannel(user)];
    await tell(
      user,
      Array.from({ length: 9 }, (_, n) => issueEvent(n + 1)),
    );
    await machine.received(9);
    const got = await chat.received(4);
    expect(got[3]?.json.text).toBe("6 more issues");
    const all = JSON.stringify(got.map(({ json }) => json));
    for (let n = 1; n <= 9; n += 1) expect(all).toContain(`cause ${n}`);
    await vi.waitFor(async () => {
      const states = (await chat.deliveries()).map(({ state }: { state: string }) => state);
      expect(states).toEqual(Array(9).fill("delivered"));
    }, 10_000);
    await untilNothingIsLeft(user);
    expect(receiver.at(chat.path)).toHaveLength(4);
  });
});

describe("secrets", () => {
  it("of pagers reach the pager, and neither the log, nor a response, nor the database in clear", async () => {
    const user = await client.newUser();
    const pager = await newChannel(user, { kind: "pagerduty", secret: "R0UT1NGKEY" });
    const genie = await newChannel(user, { kind: "opsgenie", secret: "G3N1EKEY" });
    await tell(user, [issueEvent(1)]);
    expect((await pager.received(1))[0]?.json.routing_key).toBe("R0UT1NGKEY");
    expect((await genie.received(1))[0]?.headers.authorization).toBe("GenieKey G3N1EKEY");
    await vi.waitFor(async () => expect(await stateOf(pager.deliveries)).toBe("delivered"), 10_000);
    const shown = (await user.get("/api/alerts/channels")).text + JSON.stringify(await pager.deliveries());
    expect(shown).not.toMatch(/R0UT1NGKEY|G3N1EKEY/);
    const { rows } = await sql<{ row: string }>`
      select row(c.*)::text || coalesce((select string_agg(d::text, '') from alert_deliveries d where d.workspace_id = c.workspace_id and d.channel_id = c.id), '') as row
      from alert_channels c where workspace_id = ${user.workspaceId}`.execute(db);
    const stored = rows.map(({ row }) => row).join("");
    expect(stored).not.toContain("R0UT1NGKEY");
    expect(stored).not.toContain(Buffer.from("R0UT1NGKEY").toString("hex"));
  });

  it("whose key is lost disable the channel, with this reason", async () => {
    const user = await client.newUser();
    await newChannel(user);
    await sql`
      update alert_channels set secret = '\\x01'::bytea || decode(repeat('00', 60), 'hex')
      where workspace_id = ${user.workspaceId}`.execute(db);
    await tell(user, [issueEvent(1)]);
    await vi.waitFor(async () => {
      const [listed] = (await user.get("/api/alerts/channels")).json.channels;
      expect(listed.disabledReason).toBe("Its secret cannot be decrypted: SECRETS_KEY has changed");
    }, 10_000);
  });
});

describe("a run that is deleted", () => {
  it("does not take the other messages of a digest with it", async () => {
    const user: Sender = await newSender(client, db);
    let status = 500;
    const { received, path } = await newChannel(
      user,
      { kind: "slack", events: ["issue.reopened"] },
      ({ json }) => ({
        status: json.text.includes("more") ? status : 200,
      }),
    );
    const sent = trace({ status: "ERROR" });
    await user.send([sent]);
    const reopened = (number: number, traceId: string | null = null) =>
      issueEvent(number, { type: "issue.reopened", traceId });
    await tell(user, [
      reopened(101),
      reopened(102),
      reopened(103),
      reopened(104, sent.id),
      reopened(105),
      reopened(106),
    ]);
    const got = await received(4);
    expect(got[3]?.json.text).toBe("3 more issues");
    await vi.waitFor(async () => {
      const { rows } = await sql<{ state: string }>`
        select state from alert_deliveries where workspace_id = ${user.workspaceId} and attempts > 0 and is_held`.execute(
        db,
      );
      expect(rows).toEqual([{ state: "retrying" }]);
    }, 10_000);
    expectStatus(await user.delete(`/api/traces/${sent.id}`), 200);
    status = 200;
    const afterwards = () => receiver.at(path).filter(({ json }) => !json.text.includes("more"));
    await vi.waitFor(
      () => expect(JSON.stringify(afterwards())).toMatch(/cause 105.*cause 106|cause 106.*cause 105/),
      15_000,
    );
    expect(JSON.stringify(afterwards())).not.toContain("cause 104");
  });

  it("takes the bodies of the messages with it that name it", async () => {
    const user: Sender = await newSender(client, db);
    const { received, deliveries } = await newChannel(user, { events: ["issue.reopened"] });
    const sent = trace({ status: "ERROR" });
    await user.send([sent]);
    await tell(user, [issueEvent(71, { type: "issue.reopened", traceId: sent.id })]);
    await received(1);
    await vi.waitFor(async () => expect(await stateOf(deliveries)).toBe("delivered"), 10_000);
    expect((await deliveries())[0].request).toContain("cause 71");
    expectStatus(await user.delete(`/api/traces/${sent.id}`), 200);
    const [delivery] = await deliveries();
    expect(delivery.request).toBeNull();
    expect((await user.post(`/api/alerts/deliveries/${delivery.id}/resend`)).json).toEqual({
      error: "The body of this delivery was deleted",
    });
  });
});

describe("WEBHOOKS=off", () => {
  it("takes no channel and sends nothing", async () => {
    const off = await boot({ ...SETTINGS, WEBHOOKS: "off" });
    const user = await off.client.newUser();
    const response = await user.post("/api/alerts/channels", { kind: "webhook", name: "x", url: origin });
    expect([response.status, response.json]).toEqual([
      403,
      { error: "Channels are switched off on this server" },
    ]);
  });
});
