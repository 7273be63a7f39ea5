import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send([trace({ id: "bad", status: "ERROR", spans: [span({ status: "ERROR" })] })]);
  browser = await openBrowser();
});

describe("a word with a dotted line", () => {
  it.each([1280, 390])(
    "is explained by keyboard and by touch, and leads to all words, at %i px",
    async (width) => {
      const context = await signedInContext(browser, user, {
        viewport: { width, height: 844 },
        hasTouch: true,
      });
      const { page, pageErrors } = await openPage(context);
      await page.goto(`${booted.client.url}/traces/bad`);
      // On a phone the details cover the figures.
      if (width < 768) await page.getByRole("button", { name: "Close details" }).click();
      const term = page.getByRole("button", { name: "Outcome", exact: true });
      const answer = page.getByRole("note", { name: "What is meant by outcome" });
      await term.focus();
      await page.keyboard.press("Enter");
      await answer.getByText("Whether a run counts as good or bad.").waitFor();
      const box = await answer.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await answer.waitFor({ state: "hidden" });
      await term.tap();
      await answer.getByRole("link", { name: "All words" }).click();
      await page.waitForURL("**/why/words#outcome");
      await page.getByRole("heading", { name: "Outcome" }).waitFor();
      await waitUntilLoaded(page);
      expect(await axeViolations(page)).toEqual([]);
      expect(pageErrors).toEqual([]);
      await context.close();
    },
  );
});

describe("an unknown address", () => {
  it("shows a page that says so, and /settings the first of the settings", async () => {
    const context = await signedInContext(browser, user);
    const { page, pageErrors } = await openPage(context);
    const response = await page.goto(`${booted.client.url}/nowhere`);
    expect(response?.status()).toBe(404);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.goto(`${booted.client.url}/settings`);
    await page.waitForURL("**/settings/api-keys");
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("the command palette", () => {
  it("finds traces by their name", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/decisions`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("checkout");
    await page.getByRole("option", { name: /checkout agent/ }).click();
    await page.waitForURL("**/traces/bad");
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
