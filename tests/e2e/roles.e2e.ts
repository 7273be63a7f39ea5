import { randomUUID } from "node:crypto";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { addMember, prefixOf, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
});

async function newColleague(owner: SignedInUser, name: string, role: "admin" | "member" | "viewer") {
  const colleague = await booted.client.newUser();
  await sql`update users set name = ${name} where id = ${colleague.userId}`.execute(booted.db);
  const prefix = await addMember(booted.db, owner, colleague, role);
  return Object.assign(colleague, { prefix });
}

/** An owner whose workspace has something on every page. */
async function fullWorkspace(): Promise<{ owner: Sender; prefix: string; traceId: string }> {
  const owner = await newSender(booted.client, booted.db);
  const prefix = await prefixOf(booted.db, owner);
  const failed = trace({
    name: "support-agent",
    status: "ERROR",
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    spans: [span({ status: "ERROR", statusMessage: "policy outdated", model: "our-model" })],
    decisionPoints: [decision()],
  });
  expectStatus(await owner.send([failed]), 200);
  const post = async (path: string, body: object) => expectStatus(await owner.post(path, body), 201);
  await post("/api/views", { name: "Failed", query: "status=ERROR" });
  await post(`/api/traces/${failed.id}/shares`, {});
  await post("/api/alerts/rules", { kind: "cost_per_day", name: "costly", above: 1_000 });
  const window = { from: new Date().toISOString(), to: new Date(Date.now() + 3_600_000).toISOString() };
  await post("/api/alerts/maintenance", window);
  expectStatus(await owner.put("/api/prices", { model: "our-*", inputUsd: 1, outputUsd: 2 }), 200);
  await expect.poll(async () => (await owner.get("/api/issues")).json.total).toBe(1);
  await post("/api/issues/1/comments", { text: "seen" });
  return { owner, prefix, traceId: failed.id };
}

async function open(user: SignedInUser, path: string) {
  const context = await signedInContext(browser, user, { baseURL: booted.client.url });
  const opened = await openPage(context);
  await opened.page.goto(path);
  return { context, ...opened };
}

const settled = async (page: Page) => {
  await page.locator("main").first().waitFor();
  await expect.poll(() => page.locator('[role="status"][aria-label="Loading"]').count()).toBe(0);
};

const SETTINGS = "general members api-keys outcomes masking links prices billing audit".split(" ");

describe("a viewer", () => {
  it("finds no enabled button and no key that the server refuses, on any page of the workspace", async () => {
    const { owner, prefix, traceId } = await fullWorkspace();
    const viewer = await newColleague(owner, "Vera", "viewer");
    const { context, page, pageErrors } = await open(viewer, `${prefix}/traces`);
    const refused: string[] = [];
    let pending = 0;
    const isCounted = (url: string) => url.includes("/api/") && !url.endsWith("/api/stream");
    page.on("request", (request) => {
      if (isCounted(request.url())) pending += 1;
    });
    for (const event of ["requestfinished", "requestfailed"] as const)
      page.on(event as "requestfinished", (request) => {
        if (isCounted(request.url())) pending -= 1;
      });
    page.on("response", (response) => {
      if (response.status() === 403)
        refused.push(`${page.url()}: ${response.request().method()} ${response.url()}`);
    });
    const quiet = async () => {
      await settled(page);
      await expect.poll(() => pending, { timeout: 30_000 }).toBeLessThanOrEqual(0);
    };
    const paths = [
      ...SETTINGS.map((name) => `/settings/${name}`),
      "/issues",
      "/issues/1",
      "/traces",
      `/traces/${traceId}`,
      `/traces/${traceId}?tab=scores`,
      "/why",
      "/why/rules",
      "/alerts",
      "/alerts?view=channels",
      "/alerts?view=maintenance",
      "/scores/review",
    ];
    for (const path of paths) {
      const load = async () => {
        pending = 0;
        await page.goto(prefix + path);
        await quiet();
      };
      await load();
      const url = page.url();
      const buttons = page.locator("main button:enabled:visible, main [type=checkbox]:enabled:visible");
      const count = await buttons.count();
      for (let index = 0; index < count; index += 1) {
        const button = buttons.nth(index);
        // Pressing one may take others away.
        if (!(await button.isVisible())) break;
        await button.dispatchEvent("click");
        await quiet();
        await page.keyboard.press("Escape");
        if (page.url() !== url || (await page.locator("dialog[open]").count()) > 0) await load();
      }
      await load();
      for (const key of ["j", "x", "e", "i", "a", "m", "+", "-", "0", "1", "2"]) {
        await page.keyboard.press(key);
        if (page.url() !== url) await load();
      }
      await quiet();
    }
    expect(refused).toEqual([]);
    expect(pageErrors.filter((text) => !text.includes("clipboard"))).toEqual([]);
    await context.close();
  }, 900_000);

  it("reads every page of the settings, each of which names the role that changing it needs", async () => {
    const { owner, prefix } = await fullWorkspace();
    const viewer = await newColleague(owner, "Vera", "viewer");
    const { context, page } = await open(viewer, `${prefix}/settings/general`);
    // Without a payment provider, there is no plan to change.
    for (const name of SETTINGS.filter((one) => one !== "billing")) {
      await page.goto(`${prefix}/settings/${name}`);
      await page
        .getByText(/needs? the role .*\. Your role is viewer\./)
        .first()
        .waitFor();
      await settled(page);
      expect(await page.getByRole("alert").count(), name).toBe(0);
      expect(await axeViolations(page), name).toEqual([]);
    }
    await context.close();
  });
});

describe("colleagues", () => {
  it("are assigned issues by name, on the page and for several at once, and the inbox filters by them", async () => {
    const { owner, prefix } = await fullWorkspace();
    const grace = await newColleague(owner, "Grace", "member");
    const { context, page, pageErrors } = await open(owner, `${prefix}/issues/1`);
    await page.getByRole("button", { name: "Assign" }).click();
    await page.getByRole("menuitemradio", { name: "Grace" }).click();
    await page.getByText("Assigned #1 to Grace").waitFor();
    await page.getByText("Ada assigned it to Grace").waitFor();
    const { assignee } = (await owner.get("/api/issues/1")).json;
    expect(assignee).toEqual({ id: grace.userId, name: "Grace" });
    expect(await axeViolations(page)).toEqual([]);

    await page.goto(`${prefix}/issues`);
    await page.getByRole("img", { name: "Assigned to Grace" }).waitFor();
    await page.getByRole("combobox", { name: "Assignee" }).selectOption({ label: "Nobody" });
    await page.getByText("No issue matches these filters").waitFor();
    await page.getByRole("combobox", { name: "Assignee" }).selectOption({ label: "Grace" });
    await page.waitForURL((url) => url.searchParams.get("assignee") === grace.userId);
    await page.getByRole("img", { name: "Assigned to Grace" }).waitFor();
    await page.getByRole("button", { name: "Select #1" }).click();
    await page.getByLabel("Selected issues").getByRole("button", { name: "Assign" }).click();
    await page.getByRole("menuitemradio", { name: "Me" }).click();
    await page.getByText("Assigned #1 to you").waitFor();
    expect((await owner.get("/api/issues/1")).json.assignee.id).toBe(owner.userId);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("do not use up a person's own keys, and everything says who made it", async () => {
    const { owner, prefix } = await fullWorkspace();
    const grace = await newColleague(owner, "Grace", "member");
    for (let n = 0; n < 10; n += 1)
      expectStatus(await grace.post(`${prefix}/api/keys`, { name: `of Grace ${n}` }), 201);
    const bad = [{ kind: "status", is: "ERROR" }];
    expectStatus(await grace.request("PUT", `${prefix}/api/outcomes`, { body: { version: 0, bad } }), 200);
    const { context, page, pageErrors } = await open(owner, `${prefix}/settings/api-keys`);
    await page.getByText("1 of your 10 keys in use.").waitFor();
    await page.getByText("created by Grace").first().waitFor();
    await page.getByRole("button", { name: "Create API key" }).click();
    await page.getByLabel("Name").fill("production");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Copy your key now").waitFor();
    await page.goto(`${prefix}/settings/links`);
    await page.getByText("created by you").waitFor();
    await page.goto(`${prefix}/settings/prices`);
    await page.getByText("set by you").waitFor();
    await page.goto(`${prefix}/settings/outcomes`);
    await page.getByText(/version 1, by Grace/).waitFor();
    await sql`delete from memberships where user_id = ${grace.userId} and workspace_id = ${owner.workspaceId}`.execute(
      booted.db,
    );
    await page.reload();
    await page.getByText(/version 1, by a former member/).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

it("an invitation of somebody else cannot be accepted, and leads to signing in as that person", async () => {
  const { owner } = await fullWorkspace();
  await verifyAddress(booted.db, owner);
  const guest = `guest-${randomUUID()}@example.test`;
  const { url } = expectStatus(await owner.post("/api/invitations", { email: guest }), 201).json;
  const other = await booted.client.newUser();
  const { search } = new URL(url);
  const { context, page, pageErrors } = await open(other, `/invitation${search}`);
  await page.getByText(`this invitation is for ${guest}`).waitFor();
  expect(await page.getByRole("button", { name: "Accept" }).count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: `Sign in as ${guest}` }).click();
  await page.waitForURL(/\/login\?next=%2Finvitation/);
  await page.getByLabel("Email").waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

it("the audit log is filtered by action, person and time in the address, and says when nothing is left", async () => {
  const { owner, prefix } = await fullWorkspace();
  const grace = await newColleague(owner, "Grace", "member");
  expectStatus(await grace.post(`${prefix}/api/keys`, { name: "of Grace" }), 201);
  const { context, page, pageErrors } = await open(owner, `${prefix}/settings/audit`);
  const events = page.locator("main details");
  await page.getByText("created the key of Grace").waitFor();
  await page.getByLabel("Action", { exact: true }).selectOption("key.created");
  await page.waitForURL(/action=key\.created/);
  await expect.poll(() => events.count()).toBe(2);
  await page.getByLabel("Person", { exact: true }).selectOption({ label: "Grace" });
  await expect.poll(() => events.count()).toBe(1);
  await page.getByLabel("To", { exact: true }).fill("2020-01-01");
  await page.getByText("Nothing of this kind is in the log.").waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.reload();
  await page.getByText("Nothing of this kind is in the log.").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("created a link to a trace").waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});
