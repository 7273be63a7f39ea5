import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it, vi } from "vitest";

const SAMPLE = "/w/sample";
/** They change something, which nobody can do in the sample. */
const WRITING =
  /^(Good|Bad|Share|Delete|Save|Right|Wrong|Add|Views|Add CI rule|Judge the next|Ignore this decision)\b/;

let browser: Browser;
let booted: Booted;
let context: BrowserContext;
const read = async (path: string) => (await fetch(`${booted.client.url}${SAMPLE}${path}`)).json();
beforeAll(async () => {
  booted = await bootAtOrigin();
  await vi.waitFor(async () => expect((await read("/api/traces?limit=1")).total).toBe(2_000), {
    timeout: 300_000,
    interval: 500,
  });
  browser = await openBrowser();
  context = await browser.newContext();
});

async function open(path: string) {
  const opened = await openPage(context);
  await opened.page.goto(`${booted.client.url}${SAMPLE}${path}`);
  await opened.page.locator("h1, h2").first().waitFor();
  await waitUntilLoaded(opened.page);
  return opened;
}

const enabledButtons = (page: Page) =>
  page
    .getByRole("button", { disabled: false })
    .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? button.textContent.trim()));

describe("the sample", () => {
  it("offers nothing that it would refuse, and no page of it gets a refusal", async () => {
    const failed = (await read("/api/traces?limit=1&status=ERROR")).traces[0].id;
    const [{ signature }] = (await read("/api/insights/decisions")).rows;
    for (const path of [
      "/",
      "/traces",
      `/traces/${encodeURIComponent(failed)}`,
      `/traces/${encodeURIComponent(failed)}?tab=scores`,
      "/decisions",
      "/why",
      "/why/map",
      "/why/rules",
      `/why/${signature}`,
      "/scores",
      "/scores/review",
      "/agents",
      "/sessions",
      "/settings/outcomes",
    ]) {
      const { page, pageErrors } = await open(path);
      expect(
        (await enabledButtons(page)).filter((name) => WRITING.test(name)),
        path,
      ).toEqual([]);
      expect(pageErrors, path).toEqual([]);
      await page.close();
    }
  });

  it("ignores the keys that judge, and says where a button is missing that it is read-only", async () => {
    const { page, pageErrors } = await open("/scores/review");
    await page.getByText("The sample is read-only").waitFor();
    for (const key of ["+", "-", "0"]) await page.keyboard.press(key);
    await page.goto(`${booted.client.url}${SAMPLE}/traces`);
    await page.locator("[data-row]").first().focus();
    for (const key of ["+", "-", "0"]) await page.keyboard.press(key);
    await waitUntilLoaded(page);
    expect(pageErrors).toEqual([]);
    await page.close();
  });
});
