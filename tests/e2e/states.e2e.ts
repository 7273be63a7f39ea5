import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import { Mailbox } from "@whytrace/testing/server/mailbox.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sampleOf } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COUNTDOWN } from "./countdown.ts";

const mailbox = new Mailbox();
let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin({ SMTP_URL: await mailbox.listen() });
  user = await newSender(booted.client, booted.db);
  await user.send(
    Array.from({ length: 30 }, (_, i) =>
      trace({
        name: `run ${i}`,
        sessionId: `s-${i % 25}`,
        tags: ["a", "b"],
        totalDuration: 1_000,
        decisionPoints: [decision({ reasoning: "because", costUsd: 0.01 })],
      }),
    ),
  );
  const [shared] = (await user.get("/api/traces")).json.traces;
  await user.post(`/api/traces/${shared.id}/shares`, {});
  await user.put("/api/prices", { model: "gpt-4o", inputUsd: 1, outputUsd: 2 });
  browser = await openBrowser();
});
afterAll(() => mailbox.close());

interface PageCase {
  path: string;
  /** The request that the page waits for. */
  request: string;
  /** A selector for what the page shows after the response. */
  loaded: string;
}

const PAGES: PageCase[] = [
  { path: "/traces", request: "/api/traces?*", loaded: "[data-row]" },
  { path: "/decisions", request: "/api/decisions?*", loaded: "[data-row]" },
  { path: "/sessions", request: "/api/sessions?*", loaded: "[data-row]" },
  { path: "/sessions/s-1", request: "/api/sessions/*", loaded: "dl time" },
  { path: "/sessions/s-2", request: "/api/traces?*", loaded: "[data-row]" },
  { path: "/settings/api-keys", request: "/api/keys", loaded: "main ul li" },
  { path: "/settings/links", request: "/api/shares", loaded: "main ul li" },
  { path: "/settings/prices", request: "/api/prices", loaded: "main ul li" },
  { path: "/settings/billing", request: "/api/billing", loaded: "main progress" },
  { path: "/settings/account", request: "/api/account/sessions", loaded: "main ul li" },
  {
    path: "/settings/general",
    request: "/api/workspace/retention",
    loaded: "main select:has(option[value=longest])",
  },
];

/** Delays, rejects or passes the responses to one request. */
async function control(page: Page, pattern: string) {
  const held: Route[] = [];
  const state = { mode: "through" as "through" | "held" | number };
  await page.route(`**${pattern}`, (route) => {
    if (state.mode === "held") return void held.push(route);
    if (state.mode === "through") return route.continue();
    return route.fulfill({
      status: state.mode,
      headers: { "retry-after": "7" },
      json: { error: state.mode === 429 ? "Too many requests. Try again in 7 s." : "Internal Server Error" },
    });
  });
  return {
    set(mode: typeof state.mode) {
      state.mode = mode;
    },
    async release() {
      state.mode = "through";
      for (const route of held.splice(0)) await route.continue();
    },
  };
}

/** Runs in the page: sums up the layout shifts from now on and records the elements that moved. */
function watchShifts() {
  const shifts = { sum: 0, moved: [] as string[] };
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      shifts.sum += Number(Reflect.get(entry, "value"));
      const sources: { node: Element | null }[] = Reflect.get(entry, "sources");
      shifts.moved.push(...sources.map(({ node }) => String(node?.outerHTML).slice(0, 200)));
    }
  }).observe({ type: "layout-shift" });
}

describe.each(sampleOf(PAGES))("$path while $request", ({ path, request, loaded }) => {
  it("is loading shows nothing for 150 ms, then a skeleton, and the content does not shift", async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const context = await signedInContext(browser, user, { viewport });
      const { page } = await openPage(context);
      const responses = await control(page, request);
      responses.set("held");
      await page.goto(booted.client.url + path);
      const delays = () =>
        page
          .locator("#main [aria-label=Loading]")
          .evaluateAll((shapes) => shapes.map((shape) => getComputedStyle(shape).animationDelay));
      await expect.poll(delays).toEqual(["0.15s"]);
      const place = () =>
        page.evaluate((selector) => {
          const row = document.querySelector(selector);
          const box = (row?.closest("tr, li") ?? row)?.getBoundingClientRect();
          return box && { top: Math.round(box.top), height: Math.round(box.height) };
        }, "[data-skeleton]");
      const before = await place();
      await page.evaluate(watchShifts);
      await responses.release();
      await page.locator(loaded).first().waitFor();
      await waitUntilLoaded(page);
      // Shifts are reported after the frame in which they happened.
      await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      });
      const { sum, moved } = await page.evaluate(() => Reflect.get(window, "shifts"));
      expect(sum, moved.join("\n")).toBeLessThanOrEqual(0.05);
      expect(await page.getByRole("status", { name: "Loading" }).count()).toBe(0);
      if (before && loaded === "[data-row]") {
        const after = await page
          .locator(loaded)
          .first()
          .evaluate((element) => {
            const box = (element.closest("tr, li") ?? element).getBoundingClientRect();
            return { top: Math.round(box.top), height: Math.round(box.height) };
          });
        expect(Math.abs(after.top - before.top), `top at ${viewport.width} px`).toBeLessThanOrEqual(8);
        if (viewport.width > 768) expect(Math.abs(after.height - before.height)).toBeLessThanOrEqual(1);
      }
      await context.close();
    }
  });

  it("fails shows the error and a retry button; after a rate limit, also when to retry", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    const responses = await control(page, request);
    responses.set(503);
    await page.goto(booted.client.url + path);
    // A decision type is also named Retry.
    const retry = page.getByRole("button", { name: "Retry" }).last();
    const alert = page.getByRole("main").getByRole("alert");
    await alert.getByText("Internal Server Error").waitFor();
    responses.set(429);
    await retry.click();
    await page.getByRole("alert").getByText("Too many requests.", { exact: true }).waitFor();
    await page.getByText(COUNTDOWN).waitFor();
    responses.set("through");
    await retry.click();
    await page.locator(loaded).first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await context.close();
  });
});

describe("a session that ends while a page is open", () => {
  it("leads to the sign-in page, which says so and returns to the same view", async () => {
    const leaver = await newSender(booted.client, booted.db);
    await leaver.send([trace({ name: "mine", status: "ERROR" })]);
    for (const path of ["/traces?status=ERROR", "/settings/account"]) {
      const context = await signedInContext(browser, await booted.client.signIn(leaver.email));
      const { page, pageErrors } = await openPage(context);
      // Not before the click: whatever the page requests next would notice that the session has ended.
      await page.route(
        "**/api/decisions*",
        async (route) => {
          await sql`delete from sessions where user_id = ${leaver.userId}`.execute(booted.db);
          await route.continue();
        },
        { times: 1 },
      );
      await page.goto(booted.client.url + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("link", { name: "Decisions" }).click();
      await page.getByText("Your session has ended. Sign in to continue").waitFor();
      expect(await page.getByText("Something went wrong").count()).toBe(0);
      expect(new URL(page.url()).searchParams.get("next")).toBe("/decisions");
      await page.getByLabel("Email").fill(leaver.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Decisions", exact: true }).waitFor();
      expect(pageErrors).toEqual([]);
      await context.close();
    }
  });

  it("is noticed when the window gets the focus again, without an error page", async () => {
    const leaver = await newSender(booted.client, booted.db);
    const context = await signedInContext(browser, leaver);
    const { page } = await openPage(context);
    await page.clock.install();
    await page.goto(`${booted.client.url}/traces?status=ERROR`);
    await page.getByRole("heading", { name: "No traces match these filters" }).waitFor();
    await sql`delete from sessions where user_id = ${leaver.userId}`.execute(booted.db);
    await page.clock.fastForward(61_000);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByText("Your session has ended. Sign in to continue").waitFor();
    expect(new URL(page.url()).searchParams.get("next")).toBe("/traces?status=ERROR");
    await context.close();
  });
});

describe("a page over plain HTTP", () => {
  it("creates a key with its snippet and copies it, although the browser hides its newer functions there", async () => {
    const fresh = await newSender(booted.client, booted.db);
    const context = await signedInContext(browser, fresh);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: booted.client.url });
    const { page, pageErrors } = await openPage(context);
    // Loopback counts as secure, so the test removes what other hosts would not have.
    await page.addInitScript(() => {
      Reflect.deleteProperty(Crypto.prototype, "randomUUID");
      Reflect.deleteProperty(Navigator.prototype, "clipboard");
      Reflect.deleteProperty(window, "ClipboardItem");
    });
    await page.goto(`${booted.client.url}/welcome`);
    await page.getByRole("button", { name: "Create API key" }).click();
    const key = (await page.locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "Copy key" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const reader = await context.newPage();
    await reader.goto(`${booted.client.url}/theme.js`);
    expect(await reader.evaluate(() => navigator.clipboard.readText())).toBe(key);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("a server without mail and with its own limit", () => {
  it("says so, and claims no mail and no other limit", async () => {
    const own = await bootAtOrigin({ FREE_SESSIONS_PER_DAY: "7" });
    const { page, pageErrors } = await openPage(await browser.newContext());
    await page.goto(`${own.client.url}/register`);
    await page.getByText("Free for 7 traces per day").waitFor();
    await page.getByLabel("Email").fill("new@example.test");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL("**/welcome");
    const banner = page.getByRole("complementary", { name: "Email not confirmed" });
    await banner.getByText("this server sends no mail").waitFor();
    expect(await banner.getByRole("button").count()).toBe(0);
    await page.goto(`${own.client.url}/forgot-password`);
    await page.getByText("This server sends no email. Ask its operator").waitFor();
    expect(await page.getByText(/we sent/).count()).toBe(0);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });

  it("that is closed offers no form to register", async () => {
    const own = await bootAtOrigin({ REGISTRATION: "closed", FREE_SESSIONS_PER_DAY: "unlimited" });
    const { page } = await openPage(await browser.newContext());
    await page.goto(`${own.client.url}/register`);
    await page.getByText("Registration is closed on this server").waitFor();
    await page.getByText("Free, without a limit.").waitFor();
    expect(await page.getByRole("button", { name: "Create account" }).count()).toBe(0);
    await page.context().close();
  });
});

describe("an empty list", () => {
  it("leads to the same page of the sample, and to a first trace", async () => {
    const fresh = await newSender(booted.client, booted.db);
    const context = await signedInContext(browser, fresh);
    const { page } = await openPage(context);
    for (const path of [
      ...["/", "/traces", "/decisions", "/why", "/why/map"],
      ...["/agents", "/issues", "/sessions", "/scores"],
    ]) {
      await page.goto(booted.client.url + path);
      const link = page.getByRole("link", { name: "See it in the sample" });
      expect(await link.getAttribute("href"), path).toBe(`/w/sample${path}`);
    }
    await page.goto(`${booted.client.url}/compare`);
    const badRuns = page.getByRole("link", { name: "Bad runs of the sample" });
    expect(await badRuns.getAttribute("href")).toBe("/w/sample/traces?outcome=bad");
    await page.goto(`${booted.client.url}/why`);
    await page.getByRole("link", { name: "Send a trace" }).click();
    await page.waitForURL("**/welcome");
    await context.close();
  });

  it("has one text for no data at all and another for filters without matches", async () => {
    const fresh = await newSender(booted.client, booted.db);
    const context = await signedInContext(browser, fresh);
    const { page } = await openPage(context);
    for (const [path, heading] of [
      ["/traces", "No traces yet"],
      ["/traces?status=ERROR", "No traces match these filters"],
      ["/traces?received=1h", "No traces match these filters"],
      ["/decisions", "No decisions yet"],
      ["/decisions?type=RETRY", "No decisions match these filters"],
      ["/sessions", "No sessions yet"],
      ["/sessions/none", "Session not found"],
    ] as const) {
      await page.goto(booted.client.url + path);
      await page.getByRole("heading", { name: heading }).waitFor();
    }
    await fresh.delete(`/api/keys/${(await fresh.get("/api/keys")).json.keys[0].id}`);
    await page.goto(`${booted.client.url}/settings/api-keys`);
    await page.getByText("No keys yet.").waitFor();
    await context.close();
  });
});
