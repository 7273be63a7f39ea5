import { launchBrowser, openPage } from "@whytrace/testing/browser.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { Browser, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

const MAX_SCRIPT_BYTES = 100_000;
const MAX_PAINT_MS = 1_200;
/** A busy machine slows single visits down: the quickest of them counts, and the others are printed. */
const VISITS = 10;
const PAGES = [
  "/docs",
  "/docs/tour",
  "/docs/configuration",
  "/docs/opentelemetry/ai-sdk",
  "/docs/coming-from/langfuse",
  "/docs/reference/sdk",
];

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await boot({}, { memberships: 1 });
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe("the documentation", () => {
  it.each([390, 1_280])("is accessible in both themes and fits %i px", async (width) => {
    const context = await browser.newContext({ viewport: { width, height: 844 } });
    const { page, pageErrors } = await openPage(context);
    for (const path of PAGES) {
      await page.goto(booted.client.url + path);
      expect(await axeViolations(page), path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
    }
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("paints its first page quickly without a cache", async () => {
    const paintsMs: number[] = [];
    while (paintsMs.length < VISITS) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${booted.client.url}/docs`, { waitUntil: "load" });
      paintsMs.push(
        await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
                type: "largest-contentful-paint",
                buffered: true,
              });
            }),
        ),
      );
      await context.close();
    }
    const [quickest = 0, ...others] = paintsMs.toSorted((one, other) => one - other);
    const [median, worst] = [others[VISITS / 2 - 1], others.at(-1)].map((ms) => Math.round(ms ?? 0));
    console.log(
      `largest contentful paint of /docs, ${VISITS} visits: median ${median} ms, worst ${worst} ms`,
    );
    expect(quickest).toBeLessThan(MAX_PAINT_MS);
  });

  it("loads little script, finds a page by keyboard, and remembers the theme", async () => {
    const context = await browser.newContext({ colorScheme: "light" });
    const { page, pageErrors } = await openPage(context);
    const scripts: Response[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response);
    });
    await page.goto(`${booted.client.url}/docs`, { waitUntil: "networkidle" });
    let scriptBytes = 0;
    for (const script of scripts) scriptBytes += (await script.body()).length;
    expect(scriptBytes).toBeGreaterThan(0);
    expect(scriptBytes).toBeLessThan(MAX_SCRIPT_BYTES);

    await page.keyboard.press("/");
    await page.keyboard.type("docker compose");
    await page.locator("#hits a").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/[a-z]+.*compose/);

    await page.getByRole("button", { name: "Switch theme" }).click();
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});
