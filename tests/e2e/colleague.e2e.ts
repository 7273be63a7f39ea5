import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { freePort } from "@whytrace/testing/free-port.ts";
import { sendAs, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import type { Browser, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { axeViolations } from "./axe-violations.ts";

const PHONE = { width: 320, height: 700 };
const MAX_MS = 120_000;
const PASSWORD = "correct horse battery";

let browser: Browser;
let booted: Booted;
let url: string;
/** What the server wrote instead of sending mail. */
let log = "";
beforeAll(async () => {
  browser = await openBrowser();
});
// Each attempt begins on an empty server, whose log is read.
beforeEach(async () => {
  log = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    log += String(text);
    return true;
  });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  booted = await boot({ PORT: String(port), PUBLIC_URL: url, SMTP_URL: "log:" }, { memberships: 1 });
});
afterEach(() => vi.restoreAllMocks());

async function register(page: Page, name: string) {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
}

/** Opens the link of the newest mail to an address, as the person with access to the log does. */
async function confirmAddress(page: Page, email: string) {
  const link = await vi.waitUntil(
    () => /http:\S+verify-email\?token=[\w-]+/.exec(log.slice(log.lastIndexOf(email)))?.[0],
    { timeout: 20_000 },
  );
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.getByText("Your email is confirmed.").waitFor();
}

async function expectFits(page: Page) {
  expect(await axeViolations(page)).toEqual([]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
}

it("two people on an empty server without mail watch the same live trace within two minutes, one of them on a phone", async () => {
  const startedAt = performance.now();
  const ada = await openPage(await browser.newContext({ baseURL: url }));
  await ada.page.goto("/register");
  await ada.page.getByLabel("Email").fill("ada@example.test");
  await register(ada.page, "Ada");
  await ada.page.getByRole("button", { name: "Create API key" }).click();
  const key = (await ada.page.locator("ol code").first().textContent()) ?? "";
  await confirmAddress(ada.page, "ada@example.test");

  await ada.page.goto("/settings/members");
  await ada.page.getByLabel("Email address").fill("grace@example.test");
  await ada.page.getByRole("button", { name: "Invite", exact: true }).click();
  await ada.page.getByText("send the link yourself").waitFor();
  await expectFits(ada.page);
  const invitation = (await ada.page.locator("main code").first().textContent()) ?? "";

  const grace = await openPage(await browser.newContext({ baseURL: url, viewport: PHONE }));
  await grace.page.goto(invitation);
  await grace.page.getByText("Ada invites you to Ada's workspace as member.").waitFor();
  await expectFits(grace.page);
  await grace.page.getByRole("link", { name: "Create account" }).click();
  await register(grace.page, "Grace");
  await grace.page.getByText("The link for grace@example.test is in its log.").waitFor();
  await expectFits(grace.page);
  await confirmAddress(grace.page, "grace@example.test");
  await grace.page.getByRole("link", { name: "Go to your traces" }).click();
  await grace.page.getByRole("button", { name: "Accept" }).waitFor();
  await expectFits(grace.page);
  await grace.page.getByRole("button", { name: "Accept" }).click();
  await grace.page.getByRole("button", { name: "Menu" }).waitFor();
  await grace.page.goto("/traces");
  await ada.page.goto("/traces");

  const run = trace({ name: "refund run", status: "RUNNING", startedAt: new Date().toISOString() });
  await sendAs(booted.client, key, { traces: [run] });
  for (const { page } of [ada, grace]) await page.getByRole("link", { name: "refund run" }).click();
  await sendAs(booted.client, key, { traces: [{ ...run, status: "COMPLETED", totalDuration: 4_200 }] });
  for (const { page } of [ada, grace]) await page.getByText("4.20 s").first().waitFor();
  expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
  await expectFits(grace.page);
  await expectFits(ada.page);
  // The browser logs what was refused while there was no workspace.
  const errors = [...ada.pageErrors, ...grace.pageErrors].filter((text) => !text.includes("status of 403"));
  expect(errors).toEqual([]);
});
