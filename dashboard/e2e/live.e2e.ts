import { type Booted, boot } from "@whytrace/testing/boot.ts";
import { launch, openPage } from "@whytrace/testing/browser.ts";
import { contextOf } from "@whytrace/testing/browser-context.ts";
import { freePort } from "@whytrace/testing/postgres.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/sample-traces.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let browser: Browser;
/** Takes the traces. */
let here: Booted;
/** Serves the pages, on the same database. */
let there: Booted;
beforeAll(async () => {
  here = await boot();
  there = await boot({ DATABASE_URL: here.databaseUrl });
  browser = await launch();
});
afterAll(() => browser.close());

const signIn = (user: Sender, url = there.client.url) => contextOf(browser, user, { baseURL: url }, url);

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const named = (name: string, second: number, more = {}) => trace({ name, startedAt: at(second), ...more });
const live = (page: Page) => page.locator('[data-live="live"]').waitFor({ state: "attached" });
const pill = (page: Page, name: string) => page.getByRole("button", { name });

/** Less than the pause after which streams look by themselves: only a signal is so quick. How quick, the server's tests hold. */
const SIGNALLED_MS = 4_000;

describe("a list", () => {
  it("says at once what is new, and moves no row until it is asked to, by click or key", async () => {
    const user = await newSender(here.client, here.db);
    await user.send(Array.from({ length: 5 }, (_, i) => named(`old ${i}`, i)));
    const { page, complaints } = await openPage(await signIn(user));
    await page.goto("/traces");
    await live(page);
    const row = page.getByRole("row", { name: /old 2/ });
    await row.hover();
    const before = await row.boundingBox();

    await user.send(Array.from({ length: 12 }, (_, i) => named(`fresh ${i}`, 100 + i)));
    await pill(page, "12 new").waitFor({ timeout: SIGNALLED_MS });
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.getByText(/^fresh/).count()).toBe(0);
    await pill(page, "12 new").click();
    await page.getByRole("link", { name: "fresh 11" }).waitFor();
    expect(await page.getByRole("link", { name: /^(fresh|old)/ }).count()).toBe(17);
    expect(await pill(page, "12 new").count()).toBe(0);

    await user.send([named("by key", 200)]);
    await pill(page, "1 new").waitFor({ timeout: SIGNALLED_MS });
    await page.keyboard.press("r");
    await page.getByRole("link", { name: "by key" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("follows the status of what runs, in its place, also of rows that newer ones have pushed off the page", async () => {
    const user = await newSender(here.client, here.db);
    const running = named("runs", 1, { status: "RUNNING" });
    await user.send([running, named("below", 0)]);
    const { page } = await openPage(await signIn(user));
    await page.goto("/traces");
    await live(page);
    const row = page.getByRole("row", { name: /runs/ });
    const before = await row.boundingBox();
    await user.send([{ ...running, status: "ERROR", totalDuration: 4_200 }]);
    await row.getByRole("img", { name: "Error" }).waitFor({ timeout: SIGNALLED_MS });
    await row.getByText("4.20 s").waitFor({ timeout: SIGNALLED_MS });
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.getByRole("button", { name: /new|Changed/ }).count()).toBe(0);

    await user.send(Array.from({ length: 25 }, (_, i) => named(`fresh ${i}`, 100 + i)));
    await pill(page, "25 new").waitFor({ timeout: SIGNALLED_MS });
    await user.send([{ ...running, status: "COMPLETED" }]);
    await row.getByRole("img", { name: "Completed" }).waitFor({ timeout: SIGNALLED_MS });
    expect(await row.boundingBox()).toEqual(before);
  });

  it("of decisions, of sessions and behind a filter counts what belongs to it; a later page leads to the first", async () => {
    const user = await newSender(here.client, here.db);
    const make = (i: number, status: string) =>
      named(`run ${i}`, i, { status, sessionId: `session ${i}`, decisionPoints: [decision(), decision()] });
    await user.send(Array.from({ length: 45 }, (_, i) => make(i, "COMPLETED")));
    const context = await signIn(user);
    const paths = ["/decisions", "/sessions", "/traces?status=ERROR", "/traces?page=2"];
    const pages = [];
    for (const path of paths) {
      const { page } = await openPage(context);
      await page.goto(path);
      await live(page);
      pages.push(page);
    }
    const [decisions, sessions, failed, second] = pages as [Page, Page, Page, Page];
    await user.send([make(100, "COMPLETED"), make(101, "COMPLETED")]);
    await pill(decisions, "4 new").waitFor({ timeout: SIGNALLED_MS });
    await pill(sessions, "2 new").click({ timeout: 2_000 });
    await sessions.getByRole("link", { name: "session 101" }).waitFor();
    expect(await failed.getByRole("button", { name: /new|Changed/ }).count()).toBe(0);
    await pill(second, "2 new").click({ timeout: 2_000 });
    await second.getByRole("link", { name: "run 101" }).waitFor();
    expect(new URL(second.url()).search).toBe("");
    // Nothing was there to be moved: it is shown at once.
    await user.send([make(102, "ERROR")]);
    await failed.getByRole("link", { name: "run 102" }).waitFor({ timeout: SIGNALLED_MS });
  });

  it("shows nothing of what others do", async () => {
    const [user, other] = await Promise.all([1, 2].map(() => newSender(here.client, here.db)));
    if (!user || !other) throw new Error("no users");
    await user.send([named("mine", 1)]);
    const { page } = await openPage(await signIn(user));
    await page.goto("/traces");
    await live(page);
    await other.send([named("theirs", 2)]);
    await user.send([named("mine too", 3)]);
    await pill(page, "1 new").waitFor({ timeout: SIGNALLED_MS });
  });
});

describe("a lost connection", () => {
  it("is said, and made up for when the server is back", async () => {
    const port = await freePort();
    const own = await boot({ DATABASE_URL: here.databaseUrl, PORT: String(port) });
    const user = await newSender(here.client, here.db);
    await user.send([named("before", 1)]);
    const { page } = await openPage(await signIn(user, own.client.url));
    await page.goto("/traces");
    await live(page);
    await own.server.stop(0);
    await page.locator('[data-live="reconnecting"]').waitFor({ state: "attached" });
    await user.send([named("meanwhile", 2)]);
    await boot({ DATABASE_URL: here.databaseUrl, PORT: String(port) });
    await live(page);
    await pill(page, "1 new").waitFor({ timeout: 5_000 });
  });
});

describe("waiting for the first trace", () => {
  it("ends by itself when it comes, without asking all the time", async () => {
    const user = await newSender(here.client, here.db);
    const { page } = await openPage(await signIn(user));
    let asked = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/traces?limit=1")) asked += 1;
    });
    await page.goto("/welcome");
    await live(page);
    await page.waitForTimeout(3_000);
    expect(asked).toBeLessThanOrEqual(3);
    await user.send([named("the first", 1)]);
    await page.getByRole("heading", { name: "the first" }).waitFor({ timeout: SIGNALLED_MS });
  });

  it("ends by itself also where the stream does not get through", async () => {
    const user = await newSender(here.client, here.db);
    const { page } = await openPage(await signIn(user));
    await page.route("**/api/stream*", (route) => route.abort());
    await page.goto("/welcome");
    await page.getByText("Waiting for a trace").waitFor();
    await page.locator('[data-live="reconnecting"]').waitFor({ state: "attached" });
    await user.send([named("the first", 1)]);
    await page.getByRole("heading", { name: "the first" }).waitFor({ timeout: 4_000 });
  });
});
