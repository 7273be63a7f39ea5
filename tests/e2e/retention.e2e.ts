import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { FakeStripe } from "@whytrace/testing/server/fake-stripe.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";

const stripe = new FakeStripe();
let browser: Browser;
let booted: Booted;
let user: Sender;
const startedAt = new Date().toISOString();
beforeAll(async () => {
  booted = await bootAtOrigin({ ...(await stripe.settings()), RETENTION_DAYS_PRO: "90" });
  browser = await openBrowser();
  user = await newSender(booted.client, booted.db);
  await user.send([trace({ id: "new", startedAt }), trace({ id: "old" })]);
  await sql`
    update traces set started_at = now() - interval '40 days', created_at = now() - interval '40 days'
    where workspace_id = ${user.workspaceId} and id = 'old'`.execute(booted.db);
});
afterAll(() => stripe.close());

it("a choice that deletes traces names their number and is confirmed with the keyboard; a trace says how long it is kept", async () => {
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/settings/general`);
  await page.getByText("Traces are kept for 90 days").waitFor();
  const choice = page.getByLabel("Keep traces for", { exact: true });
  expect(await choice.locator("option").last().textContent()).toBe("90 days, the most that the plan allows");
  await choice.selectOption("60");
  await page.getByRole("button", { name: "Save retention" }).press("Enter");
  await page.getByText("No trace is older than 60 days.").waitFor();
  await page.keyboard.press("Escape");
  expect((await user.get("/api/workspace/retention")).json.chosenDays).toBeNull();
  await choice.selectOption("30");
  await page.getByRole("button", { name: "Save retention" }).press("Enter");
  await page.getByText("1 trace is older than 30 days").waitFor();
  await page.getByRole("button", { name: "Delete 1 trace" }).press("Enter");
  await page.getByText("Saved.").waitFor();
  await page.getByText("Traces are kept for 30 days").waitFor();
  expect((await user.get("/api/workspace/retention")).json.chosenDays).toBe(30);

  const { createdAt } = (await user.get("/api/traces/new")).json;
  const until = new Date(Date.parse(createdAt) + 30 * 86_400_000);
  const date = until.toLocaleDateString("en-GB", { timeZone: "UTC", dateStyle: "medium" });
  await page.goto(`${booted.client.url}/traces/new`);
  await page.getByLabel("Metrics").getByText(date).waitFor();
  await page.goto(`${booted.client.url}/settings/billing`);
  await page.getByText("Traces kept for 90 days").waitFor();
  expect(await page.getByText("Traces kept for ever").count()).toBe(2);
  await context.close();
});
