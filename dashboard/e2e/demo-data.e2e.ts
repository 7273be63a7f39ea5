import { launchBrowser, openPage } from "@whytrace/testing/browser.ts";
import { setSubscription } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import type { SignedInUser } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function welcome(user: SignedInUser) {
  const context = await signedInContext(browser, user, { viewport: { width: 390, height: 844 } });
  const opened = await openPage(context);
  await opened.page.goto(`${booted.server.url}/welcome`);
  await opened.page.getByRole("button", { name: "Create API key" }).click();
  return opened;
}

const loadButton = (page: Page) => page.getByRole("button", { name: "Load demo data" });
const traceCount = async (user: SignedInUser) => (await user.get("/api/traces")).json.total as number;

describe("demo data", () => {
  it("fits into the plan, leaves some traces of it unused, and then shows the list of traces", async () => {
    const user = await booted.client.newUser();
    const { page, pageErrors } = await welcome(user);
    await page.getByText("15 traces. They count toward your plan of 20 traces per day.").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await loadButton(page).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/traces");
    await page.getByText("support-agent: refund request").first().waitFor();
    expect(await traceCount(user)).toBe(15);
    expect(pageErrors).toEqual([]);
  });

  it("is forty traces if the plan allows it", async () => {
    const user = await booted.client.newUser();
    await setSubscription(booted.db, user.workspaceId, { tier: "PRO", limit: 100_000, used: 0 });
    const { page } = await welcome(user);
    await loadButton(page).click();
    await page.waitForURL("**/traces");
    expect(await traceCount(user)).toBe(40);
  });

  it("shows an error, and a retry sends the rest without counting traces twice", async () => {
    const user = await booted.client.newUser();
    const { page } = await welcome(user);
    let requestCount = 0;
    await page.route("**/api/traces", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      requestCount += 1;
      if (requestCount !== 2) return route.continue();
      return route.fulfill({ status: 503, json: { error: "Service temporarily unavailable" } });
    });
    await loadButton(page).click();
    await page.getByText("Service temporarily unavailable").waitFor();
    expect(await traceCount(user)).toBe(5);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL("**/traces");
    expect(await traceCount(user)).toBe(15);
    expect((await user.get("/api/billing")).json.sessionsUsed).toBe(15);
  });

  it("is not offered when too few traces of the plan are left", async () => {
    const user = await booted.client.newUser();
    await setSubscription(booted.db, user.workspaceId, { tier: "PRO", limit: 100, used: 96 });
    const { page } = await welcome(user);
    await page.getByText("too few traces left").waitFor();
    expect(await loadButton(page).count()).toBe(0);
  });
});
