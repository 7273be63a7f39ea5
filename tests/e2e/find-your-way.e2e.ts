import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await boot({}, { memberships: 1 });
  user = await newSender(booted.client, booted.db);
  await user.send([trace({ id: "bad", status: "ERROR", spans: [span({ status: "ERROR" })] })]);
  browser = await launchBrowser();
});
afterAll(() => browser.close());

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
