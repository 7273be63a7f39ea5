import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";

let browser: Browser;
let booted: Booted;
let user: Sender;
const startedAt = new Date().toISOString();
const call = (id: string, model: string) =>
  span({
    id,
    startedAt,
    metadata: { model, inputTokens: 1_000_000, cacheReadTokens: 400_000, outputTokens: 1_000 },
  });
const sent = trace({
  id: "priced",
  startedAt,
  spans: [call("known", "gpt-4o"), call("unknown", "our-model")],
});
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send([sent]);
  browser = await openBrowser();
});

it("a span says its model, the kinds of its tokens and the price used; without a price, it leads to setting one", async () => {
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/traces/priced?span=known`);
  await page.getByText("public price of openai/gpt-4o").waitFor();
  await page.getByText("1,000,000 tokens · 400,000 read from cache").waitFor();
  await page.goto(`${booted.client.url}/traces/priced?span=unknown`);
  await page.getByRole("link", { name: "No price. Set one for our-model" }).click();
  await page.waitForURL(/\/settings\/prices\?model=our-model$/);
  const dialog = page.getByRole("dialog", { name: "Add price" });
  expect(await dialog.getByLabel("Model", { exact: true }).inputValue()).toBe("our-model");
  await page.keyboard.press("Escape");
  await page.waitForURL(/\/settings\/prices$/);
  await context.close();
});

it("prices are added, changed and deleted with the keyboard alone", async () => {
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/settings/prices`);
  await page.getByText("No prices of your own. Public prices apply.").waitFor();
  await page.getByText("No price", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Set price for our-model" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Add price" }).waitFor();
  for (const text of ["our-*", "0.5", "2"]) {
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.getByText("$0.5 in · $2 out, per million tokens").waitFor();
  await user.send([trace({ startedAt, spans: [call("again", "our-model")] })]);
  await page.reload();
  await page.getByText("your price for our-*").waitFor();
  await page.getByText("$0.5020").waitFor();

  await page.getByRole("button", { name: "Change the price of our-*" }).press("Enter");
  await page.getByLabel("Model", { exact: true }).fill("our-model");
  await page.getByLabel("Read from cache").fill("0.1");
  await page.keyboard.press("Enter");
  await page.getByText("$0.5 in · $2 out · $0.1 cache read, per million tokens").waitFor();
  expect((await user.get("/api/prices")).json.rules).toHaveLength(1);

  await page.getByRole("button", { name: "Delete the price of our-model" }).press("Enter");
  await page.getByRole("button", { name: "Delete price" }).press("Enter");
  await page.getByText("No prices of your own. Public prices apply.").waitFor();
  await context.close();
});

it("the overview shows what each model cost, and leads to its traces", async () => {
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(booted.client.url);
  const panel = page.getByRole("region", { name: "Cost and tokens by model" });
  await panel.getByText("$2.01").waitFor();
  await panel.getByRole("link", { name: "gpt-4o" }).click();
  await page.waitForURL(/\/traces\?model=gpt-4o/);
  await page.getByRole("button", { name: "Clear Model" }).waitFor();
  await page.goBack();
  await panel.waitFor();
  await context.close();
});
