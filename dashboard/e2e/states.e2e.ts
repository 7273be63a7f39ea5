import type { Booted } from "@whytrace/testing/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/boot-at-origin.ts";
import { launch, openPage } from "@whytrace/testing/browser.ts";
import { contextOf } from "@whytrace/testing/browser-context.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/sample-traces.ts";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
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
  browser = await launch();
});
afterAll(() => browser.close());

interface PageCase {
  path: string;
  /** The request whose answer the page waits for. */
  request: string;
  /** What is there once it is answered. */
  loaded: string;
}

const PAGES: PageCase[] = [
  { path: "/traces", request: "/api/traces?*", loaded: "[data-row]" },
  { path: "/decisions", request: "/api/decisions?*", loaded: "[data-row]" },
  { path: "/sessions", request: "/api/sessions?*", loaded: "[data-row]" },
  { path: "/sessions/s-1", request: "/api/sessions/*", loaded: "dl time" },
  { path: "/sessions/s-2", request: "/api/traces?*", loaded: "[data-row]" },
  { path: "/settings/api-keys", request: "/api/keys", loaded: "main ul li" },
  { path: "/settings/billing", request: "/api/billing", loaded: "main progress" },
  { path: "/settings/account", request: "/api/account/sessions", loaded: "main ul li" },
];

/** Holds back, refuses or lets through the answers to one request. */
async function control(page: Page, pattern: string) {
  const held: Route[] = [];
  const state = { mood: "through" as "through" | "held" | number };
  await page.route(`**${pattern}`, (route) => {
    if (state.mood === "held") return void held.push(route);
    if (state.mood === "through") return route.continue();
    return route.fulfill({
      status: state.mood,
      headers: { "retry-after": "7" },
      json: { error: state.mood === 429 ? "Too many requests. Try again in 7 s." : "Internal Server Error" },
    });
  });
  return {
    set(mood: typeof state.mood) {
      state.mood = mood;
    },
    async release() {
      state.mood = "through";
      for (const route of held.splice(0)) await route.continue();
    },
  };
}

/** Runs in the page: sums up how far things jump from now on, and keeps what jumped. */
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

describe.each(PAGES)("$path while $request", ({ path, request, loaded }) => {
  it("is on its way shows nothing for 150 ms, then a shape, and what comes does not jump", async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const context = await contextOf(browser, user, { viewport });
      const { page } = await openPage(context);
      const answers = await control(page, request);
      answers.set("held");
      await page.goto(booted.client.url + path);
      const delays = () =>
        page
          .locator("#main [aria-label=Loading]")
          .evaluateAll((shapes) => shapes.map((shape) => getComputedStyle(shape).animationDelay));
      await expect.poll(delays, { timeout: 15_000 }).toEqual(["0.15s"]);
      const place = () =>
        page.evaluate((selector) => {
          const row = document.querySelector(selector);
          const box = (row?.closest("tr, li") ?? row)?.getBoundingClientRect();
          return box && { top: Math.round(box.top), height: Math.round(box.height) };
        }, "[data-skeleton]");
      const before = await place();
      await page.evaluate(watchShifts);
      await answers.release();
      await page.locator(loaded).first().waitFor();
      await page.waitForTimeout(200);
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

  it("fails says why and tries again; refused for a while, says for how long", async () => {
    const context = await contextOf(browser, user);
    const { page } = await openPage(context);
    const answers = await control(page, request);
    answers.set(503);
    await page.goto(booted.client.url + path);
    // A type of decisions has the same name.
    const retry = page.getByRole("button", { name: "Retry" }).last();
    const alert = page.getByRole("main").getByRole("alert");
    await alert.getByText("Internal Server Error").waitFor({ timeout: 15_000 });
    answers.set(429);
    await retry.click();
    await page.getByRole("alert").getByText("Too many requests.", { exact: true }).waitFor();
    await page.getByText("Try again in 7 s.", { exact: true }).waitFor();
    await page.getByText("Try again in 5 s.", { exact: true }).waitFor();
    answers.set("through");
    await retry.click();
    await page.locator(loaded).first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await context.close();
  });
});

describe("who is signed in", () => {
  it("is asked again when the question failed", async () => {
    const context = await contextOf(browser, user);
    const { page } = await openPage(context);
    const answers = await control(page, "/api/auth/session");
    answers.set(429);
    await page.goto(`${booted.client.url}/traces`);
    await page.getByText("Try again in 7 s.", { exact: true }).waitFor();
    answers.set("through");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.locator("[data-row]").first().waitFor();
    await context.close();
  });

  it("shows a frame while the answer is on its way", async () => {
    const context = await contextOf(browser, user);
    const { page } = await openPage(context);
    const answers = await control(page, "/api/auth/session");
    answers.set("held");
    await page.goto(`${booted.client.url}/traces`);
    await page.getByRole("status", { name: "Loading" }).waitFor();
    await answers.release();
    await page.locator("[data-row]").first().waitFor();
    await context.close();
  });
});

describe("a refresh that fails", () => {
  it("leaves what is in sight and says so", async () => {
    const context = await contextOf(browser, user);
    const { page } = await openPage(context);
    const answers = await control(page, "/api/keys");
    await page.goto(`${booted.client.url}/settings/api-keys`);
    await page.locator("main ul li").first().waitFor();
    answers.set(429);
    await page.getByRole("link", { name: "Billing" }).click();
    await page.locator("progress").waitFor();
    await page.waitForTimeout(5_100);
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Retry" }).waitFor();
    expect(await page.locator("main ul li").count()).toBeGreaterThan(0);
    await context.close();
  });
});

describe("the welcome page", () => {
  it("says when it cannot look for the first trace, and goes on looking", async () => {
    const context = await contextOf(browser, user);
    const { page } = await openPage(context);
    const answers = await control(page, "/api/traces?*");
    answers.set(429);
    await page.goto(`${booted.client.url}/welcome`);
    await page.getByText("Try again in 7 s.", { exact: true }).waitFor();
    answers.set("through");
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Waiting for a trace").waitFor();
    await context.close();
  });

  it("says why no key was made, and makes it at the next try", async () => {
    const fresh = await newSender(booted.client, booted.db);
    const context = await contextOf(browser, fresh);
    const { page } = await openPage(context);
    const answers = await control(page, "/api/keys");
    answers.set(429);
    await page.goto(`${booted.client.url}/welcome`);
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByText("Try again in 7 s.", { exact: true }).waitFor();
    answers.set("through");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByText("the key is shown this once").waitFor();
    await context.close();
  });
});

describe("a form that is refused for a while", () => {
  it.each([
    ["/login", "/api/auth/login", { "E-mail": "a@example.test", Password: "p" }, "Sign in"],
    [
      "/register",
      "/api/auth/register",
      { "E-mail": "b@example.test", Password: "long enough it is" },
      "Create account",
    ],
    ["/forgot-password", "/api/auth/forgot-password", { "E-mail": "a@example.test" }, "Send me a link"],
    [
      "/reset-password?token=x",
      "/api/auth/reset-password",
      { "New password": "long enough it is" },
      "Change password",
    ],
    ["/verify-email?token=x", "/api/auth/verify-email", {}, "Confirm address"],
  ] as const)("on %s says for how long, and can be sent again", async (path, request, fields, action) => {
    const context = await browser.newContext();
    const { page } = await openPage(context);
    const answers = await control(page, request);
    answers.set(429);
    await page.goto(booted.client.url + path);
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    const button = page.getByRole("button", { name: action });
    await button.click();
    await page.getByText("Try again in 7 s.", { exact: true }).waitFor();
    expect(await button.isEnabled()).toBe(true);
    const sent = page.waitForRequest(`**${request}`);
    answers.set("through");
    await button.click();
    await sent;
    await context.close();
  });
});

describe("nothing to show", () => {
  it("reads differently when there is nothing at all and when a filter leaves nothing", async () => {
    const fresh = await newSender(booted.client, booted.db);
    const context = await contextOf(browser, fresh);
    const { page } = await openPage(context);
    for (const [path, words] of [
      ["/traces", "No traces yet"],
      ["/traces?status=ERROR", "No trace fits these filters"],
      ["/traces?received=1h", "No trace fits these filters"],
      ["/decisions", "No decisions yet"],
      ["/decisions?type=RETRY", "No decision fits these filters"],
      ["/sessions", "No sessions yet"],
      ["/sessions/none", "There is no such session"],
    ] as const) {
      await page.goto(booted.client.url + path);
      await page.getByRole("heading", { name: words }).waitFor();
    }
    await fresh.delete(`/api/keys/${(await fresh.get("/api/keys")).json.keys[0].id}`);
    await page.goto(`${booted.client.url}/settings/api-keys`);
    await page.getByText("No keys yet.").waitFor();
    await context.close();
  });
});
