import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { COUNTDOWN } from "./countdown.ts";
import { overflowingWidths } from "./overflowing-widths.ts";

/** Would run as a script if a page did not escape it. */
const HOSTILE = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>javascript:window.hacked=1'{{1}}`;

let browser: Browser;
let booted: Booted;
let user: Sender;
const whole = trace({
  id: "trace-with-everything",
  name: `support-agent ${HOSTILE}`,
  sessionId: `session ${HOSTILE}`,
  tags: ["prod", "eu", HOSTILE, "fourth"],
  totalCost: 0.0042,
  totalTokens: 12_400,
  totalDuration: 1_240,
  metadata: { [HOSTILE]: HOSTILE },
  spans: [
    span({ id: "m", metadata: { model: HOSTILE, inputTokens: 100, cacheReadTokens: 40, outputTokens: 10 } }),
    span({
      id: "s",
      input: { [HOSTILE]: HOSTILE },
      output: HOSTILE,
      status: "ERROR",
      statusMessage: HOSTILE,
    }),
  ],
  decisionPoints: [
    decision({
      parentSpanId: "s",
      reasoning: HOSTILE,
      chosen: { name: HOSTILE },
      alternatives: [HOSTILE],
      contextSnapshot: { [HOSTILE]: 1 },
    }),
  ],
  events: [event({ name: HOSTILE, metadata: { [HOSTILE]: HOSTILE } })],
});
beforeAll(async () => {
  booted = await boot({}, { memberships: 1 });
  user = await newSender(booted.client, booted.db);
  await user.send([
    whole,
    ...Array.from({ length: 30 }, (_, i) =>
      trace({
        name: `run ${i}`,
        sessionId: `s-${i}`,
        status: ["RUNNING", "ERROR", "COMPLETED"][i % 3],
        decisionPoints: i > 0 ? [decision()] : [],
      }),
    ),
  ]);
  await user.patch("/api/account", { name: HOSTILE });
  await user.post("/api/keys", { name: HOSTILE });
  await user.put("/api/prices", { model: HOSTILE, inputUsd: 1, outputUsd: 2 });
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const PUBLIC_PAGES = [
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password?token=x",
  "/verify-email?token=x",
];
const SIGNED_IN_PAGES = [
  "/",
  "/?view=tables&range=30d",
  "/welcome",
  "/traces",
  "/traces?status=ERROR&sort=oldest",
  "/traces?search=nothing",
  "/traces?search=onerror&in=everything",
  "/traces/trace-with-everything",
  "/traces/trace-with-everything?span=m",
  "/traces/trace-with-everything?span=s&tab=io&q=onerror",
  "/traces/unknown",
  "/decisions",
  "/decisions?search=nothing",
  "/agents",
  `/agents/${encodeURIComponent(`support-agent ${HOSTILE}`)}`,
  `/agents/${encodeURIComponent(`support-agent ${HOSTILE}`)}/releases`,
  "/sessions",
  `/sessions/${encodeURIComponent(`session ${HOSTILE}`)}`,
  "/settings/general",
  "/settings/members",
  "/settings/audit",
  "/settings/sign-in",
  "/settings/api-keys",
  "/settings/links",
  "/settings/masking",
  "/settings/prices",
  "/settings/prices?model=gpt-4o",
  "/settings/billing",
  "/settings/account",
];

/** The theme of the system; pages take turns. */
const THEMES = ["light", "dark"] as const;

function contextFor(path: string, theme: (typeof THEMES)[number]): Promise<BrowserContext> {
  const options = { colorScheme: theme, reducedMotion: "reduce" } as const;
  return SIGNED_IN_PAGES.includes(path)
    ? signedInContext(browser, user, options)
    : browser.newContext(options);
}

describe("every page", () => {
  it.each(
    [...PUBLIC_PAGES, ...SIGNED_IN_PAGES].map((path, index) => ({
      path,
      theme: THEMES[index % 2] ?? "light",
    })),
  )(
    "$path has no axe violation, runs no injected script, fits every width and logs no error",
    async ({ path, theme }) => {
      const context = await contextFor(path, theme);
      const { page, pageErrors } = await openPage(context);
      await page.goto(booted.client.url + path);
      await page.locator("h1, h2").first().waitFor();
      await waitUntilLoaded(page);
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
      expect(await axeViolations(page)).toEqual([]);
      expect(await overflowingWidths(page)).toEqual([]);
      const isHacked = await page.evaluate(() => "hacked" in window);
      expect(isHacked).toBe(false);
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );
});

describe("the keyboard", () => {
  it("reaches everything: sections, search, rows, help, command palette, theme", async () => {
    const { page } = await openPage(await contextFor("/traces", "light"));
    await page.goto(`${booted.client.url}/traces`);
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("j");
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-row"))).toBe(true);
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Search by name",
    );
    await page.keyboard.press("Escape");
    await page.locator("#main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.waitForURL("**/decisions");
    await page.locator("#main").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("session");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sessions");
    await page.locator("#main").focus();
    await page.keyboard.press("t");
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  });
});

describe("a list", () => {
  it.each(["/traces", "/decisions", "/sessions"])(
    "%s shows server errors and rate limits, and can retry",
    async (path) => {
      const context = await contextFor("/traces", "light");
      const { page } = await openPage(context);
      let failWith = 500;
      await page.route(`**/api${path}*`, (route) =>
        failWith === 0
          ? route.continue()
          : route.fulfill({
              status: failWith,
              headers: { "retry-after": "7" },
              json: { error: "Service temporarily unavailable" },
            }),
      );
      await page.goto(booted.client.url + path);
      await page.getByText("Service temporarily unavailable").waitFor();
      failWith = 429;
      await page.getByRole("button", { name: "Retry" }).last().click();
      await page.getByText(COUNTDOWN).waitFor();
      failWith = 0;
      await page.getByRole("button", { name: "Retry" }).last().click();
      await page.locator("[data-row]").first().waitFor();
      await context.close();
    },
  );

  it("shows an empty state to a new user", async () => {
    const fresh = await newSender(booted.client, booted.db);
    const context = await signedInContext(browser, fresh);
    const { page } = await openPage(context);
    for (const [path, words] of [
      ["/traces", "No traces yet"],
      ["/decisions", "No decisions yet"],
      ["/sessions", "No sessions yet"],
    ] as const) {
      await page.goto(booted.client.url + path);
      await page.getByText(words).waitFor();
    }
    await context.close();
  });

  it("keeps its state in the URL: reload, back and a pasted link show the same", async () => {
    const context = await contextFor("/traces", "light");
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/traces?status=ERROR&sort=oldest&page=1&tags=none`);
    await page.getByText("No traces match these filters").waitFor();
    expect(await page.getByLabel("Status", { exact: true }).inputValue()).toBe("ERROR");
    await page.goto(`${booted.client.url}/traces`);
    await page.locator("[data-row]").first().waitFor();
    await page.getByRole("button", { name: "Next →" }).click();
    await page.getByText("Page 2 of 2").waitFor();
    await page.reload();
    await page.getByText("Page 2 of 2").waitFor();
    await page.goBack();
    await page.getByText("Page 1 of 2").waitFor();
    await context.close();
  });
});

describe("the navigation on a phone", () => {
  it.each([320, 390])(
    "is one row high, and shows every section completely behind a button at %i px, without scrolling sideways",
    async (width) => {
      const context = await signedInContext(browser, user, { viewport: { width, height: 700 } });
      const { page } = await openPage(context);
      await page.goto(`${booted.client.url}/traces`);
      const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
      const banner = page.getByRole("banner").first();
      await banner.waitFor();
      expect((await banner.boundingBox())?.height).toBeLessThan(60);
      await page.getByRole("button", { name: "Menu" }).click();
      await links.first().waitFor();
      expect(await links.allTextContents()).toEqual(
        [
          ...["Overview", "Inbox", "Traces", "Decisions", "Why"],
          ...["Scores", "Agents", "Sessions", "Alerts", "Settings"],
        ].map((label) => expect.stringContaining(label)),
      );
      for (const link of await links.all()) {
        const box = await link.boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect(await link.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      }
      expect(await banner.evaluate((element) => element.scrollWidth)).toBeLessThanOrEqual(width);
      await links.first().click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(await links.count()).toBe(0);
      await context.close();
    },
  );
});
