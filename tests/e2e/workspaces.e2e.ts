import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { addMember, prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser, Page, Request } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

/** How long two tabs live side by side. The design asks for a minute; a regression shows within seconds. */
const TAB_SECONDS = Number(process.env.TAB_SECONDS ?? 2);
const SEND_INTERVAL_MS = 500;

let browser: Browser;
let booted: Booted;
/** Belongs to its own workspace and to that of the colleague. */
let ada: Sender;
let colleague: Sender;
let prefixes: { own: string; shared: string };
beforeAll(async () => {
  booted = await bootAtOrigin();
  [ada, colleague] = await Promise.all([
    newSender(booted.client, booted.db),
    newSender(booted.client, booted.db),
  ]);
  prefixes = {
    own: await prefixOf(booted.db, ada),
    shared: await addMember(booted.db, colleague, ada, "member"),
  };
  await nameWorkspace(ada, "Own");
  await nameWorkspace(colleague, "Shared");
  await ada.send([trace({ id: "own-trace", name: "own run" })]);
  await colleague.send([trace({ id: "shared-trace", name: "shared run" })]);
  browser = await openBrowser();
});

const nameWorkspace = ({ workspaceId }: Sender, name: string) =>
  sql`update workspaces set name = ${name} where id = ${workspaceId}`.execute(booted.db);

const prefixIn = (url: string) => /^\/w\/[^/]+/.exec(new URL(url).pathname)?.[0];

/** What every workspace shares: files, and what is about a person or about nobody. */
const SHARED_PATH = /^\/(assets\/|theme\.js|icon\.svg|api\/(auth|account|workspaces|health)(?=[/?]|$))/;

/** Requests of a page that name another workspace than its address, or none where one is needed. */
function recordStrays(page: Page): { strays: string[]; count: () => number } {
  const strays: string[] = [];
  let count = 0;
  page.on("request", (request: Request) => {
    // The address of the next page is the one of the workspace that was chosen.
    if (request.isNavigationRequest()) return;
    count += 1;
    const own = prefixIn(page.url());
    const { pathname } = new URL(request.url());
    const other = Object.values(prefixes).find((prefix) => prefix !== own) ?? "";
    const text = `${request.url()} ${request.postData() ?? ""}`;
    const isOwn = own !== undefined && pathname.startsWith(`${own}/`);
    if (text.includes(other) || !(isOwn || SHARED_PATH.test(pathname)))
      strays.push(`${own}: ${request.url()}`);
  });
  return { strays, count: () => count };
}

const shownRuns = (page: Page) => page.getByRole("link", { name: / run/ }).allTextContents();
const waitUntilLive = (page: Page) => page.locator('[data-live="live"]').waitFor({ state: "attached" });

async function switchTo(page: Page, from: string, to: string) {
  await page.getByRole("button", { name: new RegExp(`^${from.slice(0, 1)}?\\s*${from}`) }).click();
  await page.getByRole("menuitemradio", { name: new RegExp(`^✓?\\s*${to}`) }).click();
}

describe("two tabs of two workspaces in one browser", () => {
  it("never ask for, nor show, anything of the other, live and after each has switched", async () => {
    const context = await signedInContext(browser, ada, { baseURL: booted.client.url });
    const tabs = await Promise.all(
      [
        { name: "own", prefix: prefixes.own, sender: ada },
        { name: "shared", prefix: prefixes.shared, sender: colleague },
      ].map(async (workspace) => ({ workspace, ...(await openPage(context)) })),
    );
    const records = tabs.map(({ page }) => recordStrays(page));
    for (const { page, workspace } of tabs) {
      await page.goto(`${workspace.prefix}/traces`);
      await waitUntilLive(page);
    }
    const attempt = randomUUID().slice(0, 8);
    /** Resolves to what the names of the last runs end with. */
    const live = async (round: number) => {
      const until = Date.now() + TAB_SECONDS * 500;
      let sent = 0;
      for (; Date.now() < until; sent += 1) {
        await ada.send([trace({ name: `own run ${attempt} ${round}-${sent}` })]);
        await colleague.send([trace({ name: `shared run ${attempt} ${round}-${sent}` })]);
        await sleep(SEND_INTERVAL_MS);
      }
      return `${round}-${sent - 1}`;
    };
    // In a long round, the first runs have left the first page. A click shows the runs that had arrived by then.
    const expectOnly = async (page: Page, name: string, last: string) => {
      const lastRun = page.getByRole("link", { name: `${name} run ${attempt} ${last}`, exact: true });
      const newRuns = page.getByRole("button", { name: /\d+ new/ });
      while (!(await lastRun.isVisible())) {
        await newRuns.or(lastRun).first().waitFor();
        if (await newRuns.isVisible()) await newRuns.click();
      }
      const runs = await shownRuns(page);
      expect(runs.length).toBeGreaterThan(1);
      expect(runs.filter((run) => !run.startsWith(`${name} run`))).toEqual([]);
    };
    const lastBefore = await live(1);
    for (const { page, workspace } of tabs) await expectOnly(page, workspace.name, lastBefore);

    // Each tab goes where the other was.
    const [first, second] = tabs;
    if (!first || !second) throw new Error("There are two tabs");
    await switchTo(first.page, "Own", "Shared");
    await first.page.waitForURL(`**${prefixes.shared}/traces`);
    await waitUntilLive(first.page);
    await switchTo(second.page, "Shared", "Own");
    await second.page.waitForURL(`**${prefixes.own}/traces`);
    await waitUntilLive(second.page);
    const lastAfter = await live(2);
    await expectOnly(first.page, "shared", lastAfter);
    await expectOnly(second.page, "own", lastAfter);

    for (const { strays, count } of records) {
      expect(strays).toEqual([]);
      expect(count()).toBeGreaterThan(10);
    }
    expect(tabs.flatMap(({ pageErrors }) => pageErrors)).toEqual([]);
    await context.close();
  });
});

describe("a link from a colleague", () => {
  const openTrace = (page: Page) => page.getByRole("heading", { name: "shared run" }).waitFor();

  it.each(["with the workspace", "without it"])(
    "%s opens in the right one after signing in, for a member of several",
    async (form) => {
      const context = await browser.newContext({ baseURL: booted.client.url });
      const { page } = await openPage(context);
      // This browser was last in another workspace.
      await page.goto("/login");
      await page.evaluate((slug) => localStorage.setItem("whytrace-workspace", slug), prefixes.own.slice(3));
      await page.goto(`${form === "without it" ? "" : prefixes.shared}/traces/shared-trace?tab=io`);
      await page.getByLabel("Email").fill(ada.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await openTrace(page);
      expect(new URL(page.url()).pathname).toBe(`${prefixes.shared}/traces/shared-trace`);
      expect(new URL(page.url()).searchParams.get("tab")).toBe("io");
      await context.close();
    },
  );

  it("opens for a member of several who is signed in, whatever was visited last", async () => {
    const context = await signedInContext(browser, ada, { baseURL: booted.client.url });
    const { page } = await openPage(context);
    await page.goto(`${prefixes.own}/traces`);
    await page.getByRole("link", { name: "own run", exact: true }).waitFor();
    await page.goto("/traces/shared-trace");
    await openTrace(page);
    expect(new URL(page.url()).pathname).toBe(`${prefixes.shared}/traces/shared-trace`);
    await context.close();
  });

  it("opens for a person with one membership, in both forms", async () => {
    const context = await signedInContext(browser, colleague, { baseURL: booted.client.url });
    const { page } = await openPage(context);
    for (const prefix of ["", prefixes.shared]) {
      await page.goto(`${prefix}/traces/shared-trace`);
      await openTrace(page);
    }
    await context.close();
  });

  it("says to a stranger that there is nothing, and how to get in", async () => {
    const stranger = await booted.client.newUser();
    const context = await signedInContext(browser, stranger, { baseURL: booted.client.url });
    const { page } = await openPage(context);
    await page.goto(`${prefixes.shared}/traces/shared-trace`);
    await page.getByText("This workspace does not exist, or you are not a member.").waitFor();
    await page.getByText(stranger.email).waitFor();
    expect(await page.getByRole("button", { name: "Sign in as somebody else" }).count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    await page.goto("/traces/shared-trace");
    await page.getByText("Page not found").waitFor();
    expect(await page.getByText("shared run").count()).toBe(0);
    await context.close();
  });
});

describe("the page of the workspace", () => {
  it("renames it, names who a policy would lock out, and asks for its name before it is deleted", async () => {
    const owner = await newSender(booted.client, booted.db);
    const member = await newSender(booted.client, booted.db);
    const prefix = await addMember(booted.db, owner, member, "member");
    const context = await signedInContext(browser, owner, { baseURL: booted.client.url });
    const { page, pageErrors } = await openPage(context);
    await page.goto("/settings/general");
    await page.getByLabel("Name of the workspace").fill("Acme support");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("button", { name: /Acme support/ }).waitFor();
    await page.getByText("Make somebody else an owner under Members first").waitFor();
    expect(await page.getByRole("button", { name: "Leave workspace" }).isDisabled()).toBe(true);
    await page.getByLabel("Require a second factor").check();
    await page.getByText("2 of 2 members would lose access until they add one: Ada, Ada").waitFor();
    await page.getByRole("button", { name: "Save policy" }).click();
    await page.getByText("Your own sign-in does not meet this rule.").waitFor();
    await page.getByLabel("Require a second factor").uncheck();
    await page.getByLabel("Sign in again after").selectOption("12");
    await page.getByRole("button", { name: "Save policy" }).click();
    await page.getByText("Members sign in again after 12 hours.").waitFor();

    await page.getByRole("button", { name: "Delete workspace" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete the workspace?" });
    await dialog.getByLabel("Type its name").fill("acme");
    await dialog.getByRole("button", { name: "Delete everything" }).click();
    await dialog.getByText("The name does not match.").waitFor();
    await dialog.getByLabel("Type its name").fill("Acme support");
    await dialog.getByRole("button", { name: "Delete everything" }).click();
    await page.getByRole("heading", { name: "You belong to no workspace" }).waitFor();
    expect((await member.get(`${prefix}/api/workspace`)).status).toBe(404);
    // The browser logs the two refusals, and those of a page that is open while its workspace ends.
    expect(pageErrors.filter((text) => !/status of (400|403|409)/.test(text))).toEqual([]);
    await context.close();
  });

  it("shows a viewer what may be read, and names the role that each change needs", async () => {
    const owner = await newSender(booted.client, booted.db);
    const viewer = await newSender(booted.client, booted.db);
    const prefix = await addMember(booted.db, owner, viewer, "viewer");
    const context = await signedInContext(browser, viewer, {
      baseURL: booted.client.url,
      viewport: { width: 320, height: 700 },
    });
    const { page, pageErrors } = await openPage(context);
    await page.goto(`${prefix}/settings/general`);
    await waitUntilLoaded(page);
    await page.getByText("Renaming it needs the role admin or owner.").waitFor();
    await expect.poll(() => page.getByText("Your role is viewer.").count()).toBe(6);
    expect(await page.getByRole("button", { name: "Delete workspace" }).isDisabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await page.getByRole("button", { name: "Leave workspace" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.waitForURL((url) => !url.pathname.startsWith(prefix));
    expect((await viewer.get(`${prefix}/api/workspace`)).status).toBe(404);
    await context.close();
  });

  it("that demands another sign-in says so, opens no page but the settings of the person, and leads on", async () => {
    const owner = await newSender(booted.client, booted.db);
    await sql`update workspaces set max_session_hours = 1 where id = ${owner.workspaceId}`.execute(booted.db);
    await sql`update sessions set created_at = now() - interval '2 hours' where user_id = ${owner.userId}`.execute(
      booted.db,
    );
    const context = await signedInContext(browser, owner, { baseURL: booted.client.url });
    const { page } = await openPage(context);
    await page.goto("/settings/account");
    await page.getByRole("heading", { name: "Signed-in devices" }).waitFor();
    await page.goto("/traces");
    await page.getByText("requires a sign-in within the last hour").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in again" }).click();
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await context.close();
  });
});
