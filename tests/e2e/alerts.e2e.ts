import { randomUUID } from "node:crypto";
import { afterFile } from "@whytrace/testing/after-file.ts";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { otlpAttributes } from "@whytrace/testing/otlp/otlp-samples.ts";
import { otlpId, otlpSpan, sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { addMember, prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { HookReceiver } from "@whytrace/testing/server/hook-receiver.ts";
import { Mailbox } from "@whytrace/testing/server/mailbox.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";
import { overflowingWidths } from "./overflowing-widths.ts";

const receiver = new HookReceiver();
const mailbox = new Mailbox();
let origin: string;
let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  origin = await receiver.listen();
  afterFile(() => mailbox.close());
  booted = await bootAtOrigin({
    SMTP_URL: await mailbox.listen(),
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    ALERT_TICK: "1s",
  });
  browser = await openBrowser();
});

async function open(user: Sender, path: string, viewport = { width: 1280, height: 900 }) {
  const context = await signedInContext(browser, user, { viewport });
  const { page, pageErrors } = await openPage(context);
  await page.goto(booted.client.url + path);
  await waitUntilLoaded(page);
  return { context, page, pageErrors };
}
const newUser = () => newSender(booted.client, booted.db);
const failed = (message: string, release: string) =>
  trace({
    name: "support-agent",
    status: "ERROR",
    tags: [`release:${release}`],
    startedAt: new Date().toISOString(),
    spans: [span({ name: "refund", status: "ERROR", statusMessage: message })],
  });
/** An address of its own for each attempt, which has no message of the attempt before. */
const newHook = () => `/${randomUUID()}`;
const typesAt = (path: string) => receiver.at(path).map(({ json }) => json.type);

async function addChannel(page: Page, path: string) {
  await page.getByRole("button", { name: "New channel" }).click();
  const dialog = page.getByRole("dialog", { name: "New channel" });
  await dialog.getByLabel("Kind of channel").selectOption("webhook");
  await dialog.getByLabel("Name").fill("our receiver");
  await dialog.getByLabel("Address").fill(origin + path);
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Messages are signed with this secret.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "our receiver" }).waitFor();
}

it("a failing agent reaches people: mail and message, the issue, its resolution, and the release that breaks it", async () => {
  const user = await newUser();
  const hook = newHook();
  await sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(booted.db);
  const { context, page, pageErrors } = await open(user, "/alerts?view=channels");
  await page.getByText("No channel yet.").waitFor();
  await addChannel(page, hook);
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect.poll(() => typesAt(hook)).toEqual(["channel.test"]);
  await page.getByText("delivered").first().waitFor();

  await user.send([failed("policy outdated for order 4711", "v1")]);
  await expect.poll(() => typesAt(hook)).toEqual(["channel.test", "issue.new"]);
  const mail = await mailbox.mailTo(user.email, /New: policy outdated for order #/);
  const link = new URL(receiver.at(hook).at(-1)?.json.data.url);
  expect(mail.text).toContain(link.pathname);
  await page.goto(link.href);
  await page.getByRole("heading", { level: 1, name: /policy outdated for order #/ }).waitFor();
  await page.getByRole("button", { name: /Resolve in the next release/ }).click();
  await expect.poll(() => typesAt(hook).at(-1)).toBe("issue.resolved");

  await user.send([failed("policy outdated for order 12", "v1")]);
  await user.send([failed("policy outdated for order 13", "v2")]);
  await expect.poll(() => typesAt(hook).at(-1)).toBe("issue.regressed");
  expect(typesAt(hook).slice(1)).toEqual(["issue.new", "issue.resolved", "issue.regressed"]);
  await mailbox.mailTo(user.email, /Regressed: policy outdated for order #/);
  await page
    .getByText(/Regressed/)
    .first()
    .waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

interface AgentRun {
  order: number;
  tool: "refund_api" | "ask_human";
  isBad: boolean;
}

/** Spans of an agent whose model calls one of two tools. */
function agentSpans({ order, tool, isBad }: AgentRun, startMs: number): object[] {
  const traceId = otlpId(16);
  const at = (from: number, to: number) => ({
    startTimeUnixNano: `${startMs + from}000000`,
    endTimeUnixNano: `${startMs + to}000000`,
    ...(isBad && to > 100 && { status: { code: 2, message: `policy outdated for order ${order}` } }),
  });
  const agent = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "support-agent" };
  const root = otlpSpan(traceId, agent, at(0, 500));
  const call = { type: "tool_call", id: "1", name: tool, arguments: { order } };
  const chat = {
    "gen_ai.operation.name": "chat",
    "gen_ai.response.model": "gpt-4o",
    "gen_ai.tool.definitions": JSON.stringify([{ name: "refund_api" }, { name: "ask_human" }]),
    "gen_ai.output.messages": JSON.stringify([{ role: "assistant", parts: [call] }]),
  };
  const execution = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool };
  const parentSpanId = root.spanId;
  return [
    root,
    otlpSpan(traceId, chat, { name: "chat gpt-4o", parentSpanId, ...at(0, 50) }),
    otlpSpan(traceId, execution, { name: `execute_tool ${tool}`, parentSpanId, ...at(60, 400) }),
  ];
}

async function sendRuns(user: Sender, release: string, runs: readonly AgentRun[]) {
  const spans = runs.flatMap((run, index) => agentSpans(run, Date.now() - (runs.length - index) * 1_000));
  const resource = { attributes: otlpAttributes({ "service.version": release }) };
  const sent = await sendOtlp(booted.client, user.key, {
    resourceSpans: [{ resource, scopeSpans: [{ spans }] }],
  });
  expect(sent.status).toBe(200);
}

it("a failing agent by OpenTelemetry: the mail opens its issue in its workspace, which names the likely decision", async () => {
  const [user, colleague] = [await newUser(), await newUser()];
  const hook = newHook();
  await sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(booted.db);
  await user.post("/api/alerts/channels", { kind: "webhook", name: "hook", url: origin + hook });
  await colleague.send([failed("out of memory", "v1")]);
  const others = await addMember(booted.db, colleague, user, "member");
  const own = await prefixOf(booted.db, user);
  // The workspace that the browser visited last has another issue of this number.
  const { context, page, pageErrors } = await open(user, `${others}/issues/1`);
  await page.getByRole("heading", { level: 1, name: "out of memory" }).waitFor();

  // Every second run refunds at once, and three of four of those are bad.
  const runs = Array.from({ length: 80 }, (_, order): AgentRun => {
    const tool = order % 2 === 0 ? "refund_api" : "ask_human";
    return { order, tool, isBad: tool === "refund_api" && order % 8 !== 0 };
  });
  await sendRuns(user, "v1", runs);
  await expect.poll(() => typesAt(hook)).toEqual(["issue.new"]);
  const { data } = receiver.at(hook)[0]?.json ?? {};
  expect(data.workspace).toEqual({ id: user.workspaceId, name: "Ada's workspace" });
  const mail = await mailbox.mailTo(user.email, /New: policy outdated for order # · support-agent/);
  const [link = ""] = /http\S+\/issues\/\d+/.exec(mail.text ?? "") ?? [];
  expect(link).toBe(`${booted.client.url}${own}/issues/1`);
  expect(link).toBe(data.url);
  await page.goto(link);
  await page.getByRole("heading", { level: 1, name: "policy outdated for order #" }).waitFor();
  const likely = page.getByRole("region", { name: "Likely decision" });
  await likely.getByText("refund_api").first().waitFor();
  await likely.getByText("ask_human").first().waitFor();
  await page.getByRole("button", { name: /Resolve in the next release/ }).click();
  await expect.poll(() => typesAt(hook).at(-1)).toBe("issue.resolved");

  await sendRuns(user, "v2", [{ order: 81, tool: "refund_api", isBad: true }]);
  await expect.poll(() => typesAt(hook).at(-1)).toBe("issue.regressed");
  await mailbox.mailTo(user.email, /Regressed: policy outdated for order #/);
  await page.getByRole("button", { name: "v2 does not have the fix" }).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

describe("alert rules", () => {
  it("are made from a sentence with a preview, and fire at the channel", async () => {
    const user = await newUser();
    const hook = newHook();
    await user.send(Array.from({ length: 30 }, (_, run) => failed(`broken ${run}`, "v1")));
    const { context, page, pageErrors } = await open(user, "/alerts?view=channels");
    await addChannel(page, hook);
    await page.goto(`${booted.client.url}/alerts`);
    await page.getByRole("button", { name: "New rule" }).first().click();
    await page.getByLabel("Compared with").selectOption("limit");
    await page.getByLabel("Limit").fill("50");
    await page.getByLabel("For", { exact: true }).selectOption("0");
    await page.getByRole("button", { name: "Create the rule" }).click();
    await expect
      .poll(async () => (await user.get("/api/alerts/rules")).json.rules)
      .toMatchObject([{ kind: "failure_rate", agent: "support-agent", above: 0.5 }]);
    await expect.poll(() => typesAt(hook)).toContain("alert.firing");
    await waitUntilLoaded(page);
    expect(await axeViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("show an error that can be retried", async () => {
    const user = await newUser();
    const { context, page } = await open(user, "/traces");
    const recover = await failRequests(page, "**/api/alerts/rules", 400, "Broken");
    await page.goto(`${booted.client.url}/alerts`);
    await page.getByRole("alert").filter({ hasText: "Broken" }).first().waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).first().click();
    await page.getByRole("button", { name: "New rule" }).first().waitFor();
    await context.close();
  });
});

describe("these pages", () => {
  let user: Sender;
  let context: BrowserContext;
  beforeAll(async () => {
    user = await newUser();
    await user.send([failed("policy outdated", "v1")]);
    await user.post("/api/alerts/channels", { kind: "webhook", name: "hook", url: `${origin}/axe` });
    await user.post("/api/alerts/rules", {
      kind: "no_runs",
      name: "silence",
      agent: "support-agent",
      forMinutes: 60,
    });
    context = await signedInContext(browser, user);
  });
  afterAll(() => context.close());

  it.runIf(IS_WHOLE).each(["", "?view=incidents", "?view=channels", "?view=maintenance"])(
    "have no axe violation in both themes and no overflow from 320 px on: /alerts%s",
    async (query) => {
      const { page } = await openPage(context);
      await page.goto(`${booted.client.url}/alerts${query}`);
      await waitUntilLoaded(page);
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflowingWidths(page)).toEqual([]);
      await page.close();
    },
  );
});
