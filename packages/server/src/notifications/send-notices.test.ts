import { afterFile } from "@whytrace/testing/after-file.ts";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { Mailbox, type ReceivedMail } from "@whytrace/testing/server/mailbox.ts";
import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { transaction } from "../db/transaction.ts";
import { addAlertNotices } from "./add-notices.ts";
import { sendNotices } from "./send-notices.ts";

const mailbox = new Mailbox();
afterFile(() => mailbox.close());
const { client, db } = await boot(
  { SMTP_URL: await mailbox.listen(), NOTIFY_BURST: "3/4s" },
  { pausesMs: { issues: 50, mail: 50, notices: 50 } },
);
const PUBLIC_URL = "http://localhost";
const WAIT = { timeout: 30_000, interval: 50 };

const failed = (message: string, fields: Record<string, unknown> = {}) =>
  trace({
    name: "support-agent",
    status: "ERROR",
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    spans: [
      span({
        status: "ERROR",
        statusMessage: message,
        input: { secret: "of the payload" },
        output: "of the payload",
      }),
    ],
    ...fields,
  });
const verify = (user: Sender) =>
  sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(db);
async function newMember(): Promise<Sender> {
  const user = await newSender(client, db);
  await verify(user);
  return user;
}
const mailsTo = (user: Sender, subject: RegExp): ReceivedMail[] =>
  mailbox.mails.filter((mail) => mail.envelope.to.includes(user.email) && subject.test(mail.subject ?? ""));
const headerOf = (mail: ReceivedMail, name: string) =>
  mail.headers.find(({ key }) => key === name.toLowerCase())?.value;
/** Waits until all that was stored is counted, and all notices are handed over. */
const handedOver = ({ workspaceId }: Sender) =>
  vi.waitFor(async () => {
    const { rows } = await sql<{ isCounted: boolean; notices: number }>`
      select problems_version <= coalesce((select version from issue_cursors where workspace_id = ${workspaceId}), 0) as is_counted,
        (select count(*) from mail_notices where workspace_id = ${workspaceId}) as notices
      from trace_totals where workspace_id = ${workspaceId}`.execute(db);
    expect(rows.filter(({ isCounted, notices }) => !isCounted || notices > 0)).toEqual([]);
  }, WAIT);
const outbox = async (user: Sender) =>
  (
    await sql<{
      subject: string;
    }>`select subject from mail_outbox where recipient = ${user.email} and headers is not null
      or (recipient = ${user.email} and subject like '[#%')`.execute(db)
  ).rows.map(({ subject }) => subject);

describe("a new issue", () => {
  it("is mailed without any setting, with title, share and one link, and nothing of a payload", async () => {
    const user = await newMember();
    expectStatus(await user.send([failed("policy outdated", { tags: ["release:2.3"] })]), 200);
    const mail = await mailbox.mailTo(user.email, /^\[#1\] New: policy outdated · support-agent$/);
    expect(mail.text).toContain("1 run, 100 % of 1");
    expect(mail.text).toContain("Last seen in release 2.3.");
    expect(mail.text).toContain(`${await prefixOf(db, user)}/issues/1\n`);
    expect(mail.text).toContain("You get this mail as a member of the workspace Ada's workspace at ");
    expect(mail.source).not.toContain("of the payload");
    expect(mail.source).toMatch(/^List-Unsubscribe: <http[^>\s]+\/unsubscribe\?token=[\w-]{43}>\r?$/m);
    expect(headerOf(mail, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  });

  it("that regresses is mailed in the thread of its first mail", async () => {
    const user = await newMember();
    expectStatus(await user.send([failed("quota")]), 200);
    const first = await mailbox.mailTo(user.email, /New: quota/);
    expectStatus(await user.post("/api/issues/1/resolve", { in: "now" }), 200);
    expectStatus(
      await user.send([failed("quota", { startedAt: new Date(Date.now() + 1_000).toISOString() })]),
      200,
    );
    const second = await mailbox.mailTo(user.email, /^\[#1\] Regressed: quota/);
    expect(second.inReplyTo).toBe(first.messageId);
    expect(first.inReplyTo).toBeUndefined();
  });

  it("is not mailed to an address that is not verified, nor if its runs were imported", async () => {
    const [stranger, importer] = [await newSender(client, db), await newMember()];
    expectStatus(await stranger.send([failed("spam to a stranger")]), 200);
    const startedAt = new Date(Date.now() - 2 * 86_400_000).toISOString();
    expectStatus(await importer.send([failed("long ago", { startedAt })]), 200);
    await handedOver(stranger);
    await handedOver(importer);
    expect(await outbox(stranger)).toEqual([]);
    expect(await outbox(importer)).toEqual([]);
  });

  it("is not mailed any more after one click, without a session; the token does nothing else", async () => {
    const user = await newMember();
    expectStatus(await user.send([failed("first cause")]), 200);
    const mail = await mailbox.mailTo(user.email, /first cause/);
    const url = new URL(/<([^>]+)>/.exec(headerOf(mail, "List-Unsubscribe") ?? "")?.[1] ?? "");
    const anonymous = new Client(client.url);
    const path = url.pathname + url.search;
    expect((await anonymous.get(path)).text).toContain("<form");
    expect((await user.get("/api/notifications")).json.mail.newIssues).toBe(true);
    const form = { headers: { "content-type": "application/x-www-form-urlencoded" } };
    expectStatus(await anonymous.request("POST", path, form), 200);
    expect((await user.get("/api/notifications")).json.mail).toEqual({
      newIssues: false,
      regressions: true,
      assigned: true,
      alerts: true,
    });
    expectStatus(await user.send([failed("second cause")]), 200);
    await handedOver(user);
    expect(await outbox(user)).toHaveLength(1);
    expect((await anonymous.request("POST", "/unsubscribe?token=unknown", form)).status).toBe(404);
  });
});

describe("many at once", () => {
  it("become three mails and one digest with all others", async () => {
    const user = await newMember();
    const titles = [..."abcdefghi"].map((letter) => `cause-${letter}`);
    expectStatus(await user.send(titles.map((title) => failed(title))), 200);
    const digest = await mailbox.mailTo(user.email, /^6 more issues$/);
    // Several mails are sent at once: on a slow machine the digest may come before one that was queued earlier.
    await expect.poll(() => mailsTo(user, /^\[#/)).toHaveLength(3);
    const all = [digest, ...mailsTo(user, /^\[#/)].map(({ text }) => text).join("\n");
    for (const title of titles) expect(all).toContain(title);
    expect(digest.text).toContain(`${await prefixOf(db, user)}/issues\n`);
    expect(digest.text).toContain("the workspace Ada's workspace");
    expect(digest.source).toMatch(/^List-Unsubscribe: </m);
  });
});

describe("an assignment", () => {
  it("is mailed to the assignee, unless it was their own", async () => {
    const user = await newMember();
    expectStatus(await user.send([failed("assigned cause")]), 200);
    await mailbox.mailTo(user.email, /New: assigned cause/);
    expectStatus(await user.patch("/api/issues/1", { assigneeId: user.userId }), 200);
    const { key } = expectStatus(await user.post("/api/keys", { name: "bot", scope: "review" }), 201).json;
    const bot = new Client(client.url);
    const headers = { authorization: `Bearer ${key}` };
    expectStatus(
      await bot.request("PATCH", "/api/issues/1", { headers, body: { assigneeId: user.userId } }),
      200,
    );
    await mailbox.mailTo(user.email, /^\[#1\] Assigned to you: assigned cause/);
    await handedOver(user);
    const assigned = (await outbox(user)).filter((subject) => subject.includes("Assigned to you"));
    expect(assigned).toHaveLength(1);
    expect((await user.get("/api/issues?assignee=me")).json.total).toBe(1);
    expect((await user.get("/api/issues?assignee=none")).json.total).toBe(0);
  });
});

it("a notice is put into the outbox once, however often its hand-over is rolled back or repeated", async () => {
  const user = await newMember();
  const { workspaceId } = user;
  const firing = {
    type: "alert.firing",
    subject: "rule:one",
    sequence: 1,
    payload: {
      url: "/traces?agent=a",
      rule: { name: "support fails" },
      value: 0.5,
      runs: 30,
      unit: "share",
    },
  };
  const own = await db.of(workspaceId);
  for (let round = 0; round < 3; round += 1) {
    await transaction(own, (trx) => addAlertNotices(trx, workspaceId, [firing]));
    await vi.waitFor(async () => {
      const { rows } = await sql`select from mail_notices where workspace_id = ${workspaceId}`.execute(db);
      expect(rows).toHaveLength(0);
    }, WAIT);
  }
  const { text } = await mailbox.mailTo(user.email, /^Firing: support fails$/);
  expect(text).toContain("Its value is 50 %, of 30 runs.");
  expect(text).toContain(`${await prefixOf(db, user)}/traces?agent=a`);
  const recovered = { ...firing, type: "alert.recovered", sequence: 2 };
  const silent = { ...firing, type: "alert.no_data", sequence: 3 };
  await transaction(own, (trx) => addAlertNotices(trx, workspaceId, [recovered, silent]));
  // Killed after the first of both was queued.
  const killed = sendNotices({
    db,
    publicUrl: PUBLIC_URL,
    burst: { limit: 3, windowMs: 1_000 },
    describe: async (_db, _workspaceId, { type }) => {
      if (type === "alert.no_data") throw new Error("killed");
      return { headline: "Recovered: twice", paragraphs: [], action: { label: "Open", path: "/alerts" } };
    },
    hasMailServer: true,
    stopping: new AbortController().signal,
  });
  await killed.catch(() => {});
  await mailbox.mailTo(user.email, /^No data: support fails$/);
  await mailbox.mailTo(user.email, /^Recovered: /);
  await handedOver(user);
  expect(mailsTo(user, /^(Firing|Recovered|No data): /)).toHaveLength(3);
});

it("settings are those of a member in a workspace, and fields that are left out do not change", async () => {
  const user = await newMember();
  expect((await user.get("/api/notifications")).json).toEqual({
    mail: { newIssues: true, regressions: true, assigned: true, alerts: true },
  });
  const changed = await user.put("/api/notifications", { mail: { alerts: false } });
  expect(changed.json.mail).toEqual({ newIssues: true, regressions: true, assigned: true, alerts: false });
  await user.put("/api/notifications", { mail: { newIssues: false } });
  expectStatus(await user.send([failed("unwanted")]), 200);
  await handedOver(user);
  expect(await outbox(user)).toEqual([]);
  expect((await user.put("/api/notifications", { mail: { newIssues: "no" } })).status).toBe(400);
});
