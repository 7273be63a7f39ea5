import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { freePort } from "@whytrace/testing/free-port.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

let browser: Browser;
/** Receives the traces. */
let ingestServer: Booted;
/** Serves the pages, on the same database. */
let pageServer: Booted;
beforeAll(async () => {
  ingestServer = await boot({}, { memberships: 1 });
  pageServer = await boot({ DATABASE_URL: ingestServer.databaseUrl }, { memberships: 1 });
  browser = await openBrowser();
});

const signIn = (user: Sender, url = pageServer.client.url) =>
  signedInContext(browser, user, { baseURL: url }, url);

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const named = (name: string, second: number, more = {}) => trace({ name, startedAt: at(second), ...more });
const waitUntilLive = (page: Page) => page.locator('[data-live="live"]').waitFor({ state: "attached" });
const newRowsButton = (page: Page, name: string) => page.getByRole("button", { name });

describe("a list", () => {
  it("announces new rows at once, and moves no row until the user clicks or presses r", async () => {
    const user = await newSender(ingestServer.client, ingestServer.db);
    await user.send(Array.from({ length: 5 }, (_, i) => named(`old ${i}`, i)));
    const { page, pageErrors } = await openPage(await signIn(user));
    await page.goto("/traces");
    await waitUntilLive(page);
    await waitUntilLoaded(page);
    const row = page.getByRole("row", { name: /old 2/ });
    await row.hover();
    const before = await row.boundingBox();

    await user.send(Array.from({ length: 12 }, (_, i) => named(`fresh ${i}`, 100 + i)));
    await newRowsButton(page, "12 new").waitFor();
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.getByText(/^fresh/).count()).toBe(0);
    await newRowsButton(page, "12 new").click();
    await page.getByRole("link", { name: "fresh 11" }).waitFor();
    expect(await page.getByRole("link", { name: /^(fresh|old)/ }).count()).toBe(17);
    expect(await newRowsButton(page, "12 new").count()).toBe(0);

    await user.send([named("by key", 200)]);
    await newRowsButton(page, "1 new").waitFor();
    await page.keyboard.press("r");
    await page.getByRole("link", { name: "by key" }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  it("updates the status of a running trace in place, also of a row that newer rows have pushed off the page", async () => {
    const user = await newSender(ingestServer.client, ingestServer.db);
    const running = named("runs", 1, { status: "RUNNING" });
    await user.send([running, named("below", 0)]);
    const { page } = await openPage(await signIn(user));
    await page.goto("/traces");
    await waitUntilLive(page);
    await waitUntilLoaded(page);
    const row = page.getByRole("row", { name: /runs/ });
    const before = await row.boundingBox();
    await user.send([{ ...running, status: "ERROR", totalDuration: 4_200 }]);
    await row.getByRole("img", { name: "Error" }).waitFor();
    await row.getByText("4.20 s").waitFor();
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.getByRole("button", { name: /new|Show changes/ }).count()).toBe(0);

    await user.send(Array.from({ length: 25 }, (_, i) => named(`fresh ${i}`, 100 + i)));
    await newRowsButton(page, "25 new").waitFor();
    await user.send([{ ...running, status: "COMPLETED" }]);
    await row.getByRole("img", { name: "Completed" }).waitFor();
    expect(await row.boundingBox()).toEqual(before);
  });

  it("counts only new rows that belong to it (decisions, sessions, a filter); on a later page it leads to the first", async () => {
    const user = await newSender(ingestServer.client, ingestServer.db);
    const make = (i: number, status: string) =>
      named(`run ${i}`, i, { status, sessionId: `session ${i}`, decisionPoints: [decision(), decision()] });
    await user.send(Array.from({ length: 45 }, (_, i) => make(i, "COMPLETED")));
    const context = await signIn(user);
    const paths = ["/decisions", "/sessions", "/traces?status=ERROR", "/traces?page=2"];
    const pages = [];
    for (const path of paths) {
      const { page } = await openPage(context);
      await page.goto(path);
      await waitUntilLive(page);
      pages.push(page);
    }
    const [decisions, sessions, failed, second] = pages as [Page, Page, Page, Page];
    await user.send([make(100, "COMPLETED"), make(101, "COMPLETED")]);
    await newRowsButton(decisions, "4 new").waitFor();
    await newRowsButton(sessions, "2 new").click();
    await sessions.getByRole("link", { name: "session 101" }).waitFor();
    expect(await failed.getByRole("button", { name: /new|Show changes/ }).count()).toBe(0);
    await newRowsButton(second, "2 new").click();
    await second.getByRole("link", { name: "run 101" }).waitFor();
    expect(new URL(second.url()).search).toBe("");
    // The list was empty, so no row can move: the new one is shown at once.
    await user.send([make(102, "ERROR")]);
    await failed.getByRole("link", { name: "run 102" }).waitFor();
  });

  it("writes no rows of one filter into another when the filter changes between two updates", async () => {
    const user = await newSender(ingestServer.client, ingestServer.db);
    const of = (status: string, i: number) => named(`${status} ${i}`, i, { status });
    await user.send([of("ERROR", 1), of("COMPLETED", 2)]);
    const { page } = await openPage(await signIn(user));
    await page.goto("/traces?status=ERROR");
    await waitUntilLive(page);
    await page.getByRole("link", { name: "ERROR 1" }).waitFor();
    // The second update arrives while the list waits out its minimum interval, so it is fetched after the change.
    await user.send([of("ERROR", 3)]);
    await newRowsButton(page, "1 new").waitFor();
    await user.send([of("COMPLETED", 4)]);
    await page.getByLabel("Status", { exact: true }).selectOption("COMPLETED");
    await page.getByRole("link", { name: "COMPLETED 4" }).waitFor();
    // An update that came later has been fetched, and so has the one before it.
    await user.send([of("COMPLETED", 5)]);
    await newRowsButton(page, "1 new").waitFor();
    await page.goBack();
    // The list of the other filter is shown until the page follows its address.
    await page.getByRole("link", { name: "ERROR 1" }).waitFor();
    expect(await page.getByRole("link", { name: /^COMPLETED/ }).count()).toBe(0);
  });

  it("shows nothing about other users' traces", async () => {
    const [user, other] = await Promise.all(
      [1, 2].map(() => newSender(ingestServer.client, ingestServer.db)),
    );
    if (!user || !other) throw new Error("no users");
    await user.send([named("mine", 1)]);
    const { page } = await openPage(await signIn(user));
    await page.goto("/traces");
    await waitUntilLive(page);
    await other.send([named("theirs", 2)]);
    await user.send([named("mine too", 3)]);
    await newRowsButton(page, "1 new").waitFor();
  });
});

describe("a session's page", () => {
  it("shows a new trace, a changed status and new totals without a reload", async () => {
    const user = await newSender(ingestServer.client, ingestServer.db);
    const turn = (i: number, more = {}) =>
      named(`turn ${i}`, i, { id: `${user.workspaceId} ${i}`, sessionId: "chat", totalTokens: 100, ...more });
    await user.send([turn(1), turn(2, { status: "RUNNING" })]);
    const { page, pageErrors } = await openPage(await signIn(user));
    await page.goto("/sessions/chat");
    await waitUntilLive(page);
    const rows = page.getByRole("list", { name: "Timeline" }).getByRole("link");
    await rows.nth(1).getByRole("img", { name: "Running" }).waitFor();
    await user.send([turn(2, { status: "ERROR" }), turn(3)]);
    await rows.nth(2).getByText("turn 3").waitFor();
    await rows.nth(1).getByRole("img", { name: "Error" }).waitFor();
    await page.getByRole("definition").filter({ hasText: "300" }).waitFor();
    expect(pageErrors).toEqual([]);
  });
});

describe("a lost connection", () => {
  it("is shown, and missed changes appear when the server is back", async () => {
    const port = await freePort();
    const env = {
      DATABASE_URL: ingestServer.databaseUrl,
      PORT: String(port),
      // The server redirects a browser from another name of this machine to this one.
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    };
    const own = await boot(env, { memberships: 1 });
    const user = await newSender(ingestServer.client, ingestServer.db);
    await user.send([named("before", 1)]);
    const { page } = await openPage(await signIn(user, own.client.url));
    await page.goto("/traces");
    await waitUntilLive(page);
    await own.server.stop(0);
    await page.locator('[data-live="reconnecting"]').waitFor({ state: "attached" });
    await user.send([named("meanwhile", 2)]);
    await boot(env, { memberships: 1 });
    await waitUntilLive(page);
    await newRowsButton(page, "1 new").waitFor();
  });
});

describe("waiting for the first trace", () => {
  it("opens the trace when it arrives, without polling", async () => {
    const user = await newSender(ingestServer.client, ingestServer.db);
    const { page } = await openPage(await signIn(user));
    let requestCount = 0;
    page.on("request", (request) => {
      if (request.url().includes("/api/traces?limit=1")) requestCount += 1;
    });
    await page.clock.install();
    await page.goto("/welcome");
    await waitUntilLive(page);
    await page.clock.runFor(10_000);
    expect(requestCount).toBeLessThanOrEqual(3);
    await user.send([named("the first", 1)]);
    await page.getByRole("heading", { name: "the first" }).waitFor();
  });

  it("also opens the trace if the waitUntilLive stream is blocked", async () => {
    const user = await newSender(ingestServer.client, ingestServer.db);
    const { page } = await openPage(await signIn(user));
    await page.route("**/api/stream*", (route) => route.abort());
    await page.goto("/welcome");
    await page.getByText("Waiting for a trace").waitFor();
    await page.locator('[data-live="reconnecting"]').waitFor({ state: "attached" });
    await user.send([named("the first", 1)]);
    await page.getByRole("heading", { name: "the first" }).waitFor();
  });
});
