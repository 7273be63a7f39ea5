// Repeatedly kills one of two servers or PostgreSQL with SIGKILL, while runs of several workspaces fail, people resolve their issues and
// later runs break the resolutions. Receivers answer with errors, redirects, half bodies or nothing. Passes if each new issue, each
// regression and each alert is announced exactly once as an event, and reaches every channel and mailbox: repeated messages have the same
// id and body, and the messages about an issue come in order.
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@whytrace/testing/free-port.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { KillablePostgres } from "@whytrace/testing/postgres/killable-postgres.ts";
import { type HookAnswer, HookReceiver, isSignedBy } from "@whytrace/testing/server/hook-receiver.ts";
import { Mailbox } from "@whytrace/testing/server/mailbox.ts";
import {
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
  Tally,
} from "@whytrace/testing/trial.ts";
import { type AnnouncingTenant, FailingRuns } from "../support/failing-runs.ts";

const KILLS = Number(process.argv[2] ?? 200);
const TENANTS = 6;
const MAX_SETTLE_MS = 300_000;

/** A third of the attempts fail, each in one of the ways in which receivers fail. */
const FAULTS: readonly HookAnswer[] = [
  { status: 500 },
  { status: 302, headers: { location: "http://127.0.0.1:1/" } },
  { status: 429, headers: { "retry-after": "1" } },
  { isCutOff: true },
  { status: 503, headers: { "retry-after": "1" } },
];
const answerBadly = (): HookAnswer | undefined => {
  const dice = Math.random();
  if (dice < 0.02) return { isHung: true };
  return dice < 0.33 ? FAULTS[randomInt(FAULTS.length)] : undefined;
};

await runTrial(async (onCleanup) => {
  const postgres = await KillablePostgres.start();
  onCleanup(() => postgres.stop());
  const mailbox = new Mailbox();
  const receiver = new HookReceiver();
  const origin = await receiver.listen();
  const secrets = new Map<string, string>();
  const wronglySigned: string[] = [];
  receiver.answer = (hook) => {
    const { path } = hook;
    if (!isSignedBy(hook, secrets.get(path) ?? "")) wronglySigned.push(path);
    if (path.endsWith("/faulty")) return answerBadly();
    return path.endsWith("/gone") && receiver.at(path).length > 10 ? { status: 410 } : undefined;
  };
  const settings = {
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    DELIVERY_RETRIES: Array(20).fill("1s").join(","),
    NOTIFY_BURST: "100000/10m",
    ALERT_TICK: "1s",
    SMTP_URL: await mailbox.listen(),
  };
  onCleanup(() => mailbox.close());
  const start = async (port: number) => startTrialServer(postgres.url, { ...settings, PORT: String(port) });
  const ports = [await freePort(), await freePort()];
  const servers = [await start(ports[0] ?? 0), await start(ports[1] ?? 0)];
  for (const at of servers.keys())
    onCleanup(async () => {
      const server = servers[at];
      if (server) await killServer(server);
    });
  const urls = servers.map(({ url }) => url);

  const tenants: AnnouncingTenant[] = [];
  for (let index = 0; index < TENANTS; index += 1) {
    const tenant = await newTenant(urls[0] ?? "", postgres.url, LARGE_PLAN);
    const paths = [`/${randomUUID()}/steady`, `/${randomUUID()}/faulty`];
    if (index === 0) paths.push(`/${randomUUID()}/gone`);
    const channels = [];
    for (const path of paths) {
      const body = { kind: "webhook", name: path.slice(-6), url: origin + path };
      const channel = (await tenant.user.post("/api/alerts/channels", body)).json;
      secrets.set(path, channel.secret);
      channels.push({ path, id: channel.id });
    }
    // Fires with the first run, and does not recover on the same day.
    const rule = (
      await tenant.user.post("/api/alerts/rules", {
        kind: "cost_per_day",
        name: "spent",
        above: 0.001,
        forMinutes: 0,
      })
    ).json;
    tenants.push({ ...tenant, channels, ruleId: rule.id });
  }
  await execute(postgres.url, "update users set email_verified_at = now()");

  const load = new FailingRuns(urls, tenants);
  const kills = new Tally<string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await load.waitForProgress();
    if (kill > 0 && kill % 20 === 0) console.log(`${kill} kills: ${load}; violations ${load.violations}`);
    await sleep(randomInt(20, 800));
    const target = randomInt(3);
    const server = servers[target];
    if (server) {
      kills.add("server");
      await killServer(server);
      servers[target] = await start(ports[target] ?? 0);
    } else {
      kills.add("database");
      await postgres.kill();
      await sleep(randomInt(50, 300));
      await postgres.restart();
    }
  }
  await load.stop();

  const open = async () => {
    const [row] = await select<{ count: string }>(
      postgres.url,
      `select (select count(*) from alert_deliveries where state in ('waiting', 'sending', 'retrying'))
         + (select count(*) from mail_notices) + (select count(*) from mail_outbox where sent_at is null) as count`,
    );
    return Number(row?.count);
  };
  const settledAt = performance.now() + MAX_SETTLE_MS;
  let left = await open();
  for (; left > 0 && performance.now() < settledAt; left = await open()) await sleep(500);
  const { violations } = load;
  for (const _path of wronglySigned) violations.add("wrong signature");
  if (left > 0) violations.add(`${left} messages never sent`);

  const figures = { events: 0, messages: 0, repeated: 0, mails: 0, repeatedMails: 0 };
  for (const { user, channels, ruleId } of tenants) {
    const { rows: events } = await execute(
      postgres.url,
      `select type, subject, sequence from alert_events where workspace_id = '${user.workspaceId}'
       order by subject, sequence`,
    );
    figures.events += events.length;
    const bySubject = Map.groupBy(events, ({ subject }) => String(subject));
    for (const [subject, own] of bySubject)
      if (own.some(({ sequence }, at) => sequence !== at + 1))
        violations.add(`sequence of ${subject} has gaps`);
    const countOf = (subject: string, type: string) =>
      (bySubject.get(subject) ?? []).filter((event) => event.type === type).length;
    const expectCount = (subject: string, type: string, expected: number) => {
      const found = countOf(subject, type);
      if (found < expected) violations.add(`${type} missing`);
      if (found > expected) violations.add(`${type} announced twice`);
    };
    expectCount(`rule:${ruleId}`, "alert.firing", 1);
    const mails = mailbox.mails.filter(({ envelope }) => envelope.to.includes(user.email));
    for (const { number, regressions } of load.issuesOf(user)) {
      expectCount(`issue:${number}`, "issue.new", 1);
      expectCount(`issue:${number}`, "issue.regressed", regressions);
      for (const [word, expected] of [
        ["New", 1],
        ["Regressed", regressions],
      ] as const) {
        const own = mails.filter(({ subject }) => subject?.startsWith(`[#${number}] ${word}`));
        const distinct = new Set(own.map(({ messageId }) => messageId)).size;
        if (distinct < expected) violations.add(`mail ${word} missing`);
        if (distinct > expected) violations.add(`mail ${word} twice`);
        figures.mails += distinct;
        figures.repeatedMails += own.length - distinct;
      }
    }
    const known = new Set(load.issuesOf(user).map(({ number }) => `issue:${number}`));
    for (const subject of bySubject.keys())
      if (subject.startsWith("issue:") && !known.has(subject)) violations.add("event of an unknown issue");

    for (const { path, id } of channels) {
      const hooks = receiver.at(path);
      const byId = Map.groupBy(hooks, ({ headers }) => String(headers["webhook-id"]));
      figures.messages += byId.size;
      figures.repeated += hooks.length - byId.size;
      for (const own of byId.values())
        if (new Set(own.map(({ raw }) => raw)).size > 1)
          violations.add("a repeated message has another body");
      if (path.endsWith("/gone")) {
        const { channels: stored } = (await user.get("/api/alerts/channels")).json;
        if (stored.find((one: { id: string }) => one.id === id)?.isEnabled !== false)
          violations.add("channel that is gone is enabled");
        continue;
      }
      if (byId.size < events.length) violations.add("event never received");
      if (byId.size > events.length) violations.add("event received under two ids");
      const subjects = Map.groupBy(
        hooks,
        ({ json }) => `${json.data.issue?.number ?? ""}${json.data.rule?.id ?? ""}`,
      );
      for (const own of subjects.values())
        if (own.some(({ json }, at) => json.data.sequence < (own[at - 1]?.json.data.sequence ?? 0)))
          violations.add("received out of order");
    }
  }
  console.log(
    `${KILLS} kills (${kills}): ${load}; ${figures.events} events, ${figures.messages} messages received and ${figures.repeated} ` +
      `repeated with the same id, ${figures.mails} mails and ${figures.repeatedMails} repeated; violations ${violations}`,
  );
  return violations.isOnly();
});
