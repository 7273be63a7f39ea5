import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin({ MASKING_DEFAULT: "personal" });
  user = await newSender(booted.client, booted.db);
  browser = await openBrowser();
});

const sendInput = async (id: string, input: unknown) =>
  expectStatus(
    await user.send([trace({ id, startedAt: new Date().toISOString(), spans: [span({ id, input })] })]),
    200,
  );

it("a rule is added, its cost is shown when it is saved, and its matches afterwards", async () => {
  const context = await signedInContext(browser, user);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}/settings/masking`);
  await page.getByRole("button", { name: "Add rule" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("order");
  await form.getByLabel("Pattern").fill("ORD-\\d{6}");
  await form.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Preview on stored traces" }).click();
  await page.getByText(/No traces are stored yet\. Your patterns take [\d.]+ ms per MiB\./).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^Saved\. Your patterns take [\d.]+ ms per MiB\.$/).waitFor();
  await page.getByText("0 matches in the last 7 days").waitFor();

  await sendInput("orders", "ORD-123456 and ORD-654321 of ann@example.com");
  await page.reload();
  await page.getByText("2 matches in the last 7 days").waitFor();
  await page.getByText("Masked in the last 7 days: 2 pattern, 1 email.").waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

it("tokens are chips: equal ones are highlighted together, and f finds the traces with one", async () => {
  await sendInput("first", { from: "ann@example.com", to: "bob@example.com", cc: "Ann@Example.com" });
  await sendInput("second", { to: "ann@example.com" });
  await sendInput("third", { to: "eve@example.com" });
  const context = await signedInContext(browser, user);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}/traces/first?span=first&tab=io`);
  const chips = page.locator("[data-token^='[email:']");
  await expect.poll(() => chips.count()).toBe(3);
  const tokens = await chips.evaluateAll((found) => found.map((chip) => chip.getAttribute("data-token")));
  expect(tokens[2]).toBe(tokens[0]);
  // A chip has parts for screen readers alone, which `hover` would aim at.
  const box = await chips.first().boundingBox();
  if (!box) throw new Error("The chip is not shown");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => page.locator("[data-equal]").count()).toBe(2);
  await page.keyboard.press("f");
  await page.waitForURL((url) => url.pathname === "/traces" && url.searchParams.get("search") === tokens[0]);
  await page.locator("a[href*='/traces/second']").first().waitFor();
  await page.locator("a[href*='/traces/first']").first().waitFor();
  expect(await page.locator("a[href*='/traces/third']").count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await context.close();
});

it("a text is tried in the field that a rule is for, and applying the rules says how many traces and how long", async () => {
  await sendInput("stored", "nothing");
  const context = await signedInContext(browser, user);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}/settings/masking`);
  await page.getByLabel(/^See what the level and rules above make/).fill("ann@example.com");
  await page.getByLabel("Where").selectOption("tags");
  await page.getByRole("button", { name: "Try", exact: true }).click();
  await page.getByText(/^\[email:\w{16}\]$/).waitFor();
  await page.getByRole("radio", { name: "Structure only" }).check();
  await page.getByLabel("Where").selectOption("input");
  await page.getByRole("button", { name: "Try", exact: true }).click();
  await page.getByText('{"masked":{"bytes":17}}').waitFor();
  await page.getByRole("button", { name: "Apply to stored traces" }).click();
  await page
    .getByRole("dialog")
    .getByText(/^\d+ traces?: about 1 second\./)
    .waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(pageErrors).toEqual([]);
  await context.close();
});
