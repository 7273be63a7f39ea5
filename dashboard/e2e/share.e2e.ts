import { launchBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
let owner: Sender;
const shared = trace({
  id: "to-share",
  name: "refund agent",
  sessionId: "case 7",
  status: "ERROR",
  spans: [span({ id: "s", status: "ERROR", statusMessage: "card declined", input: { question: "why?" } })],
  decisionPoints: [decision({ id: "d", parentSpanId: "s", reasoning: "The cache is stale." })],
});
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await launchBrowser();
});
// A test that is tried again finds no link of the attempt before.
beforeEach(async () => {
  owner = await newSender(booted.client, booted.db);
  await owner.send([shared, trace({ name: "another run" })]);
});
afterAll(async () => {
  await browser?.close();
});

/** Makes a link with the dialog of the trace page, by keyboard. */
async function makeLink(contents: string): Promise<string> {
  const context = await signedInContext(browser, owner);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}/traces/to-share`);
  await page.getByRole("button", { name: "Share" }).press("Enter");
  await page.getByRole("dialog", { name: "Share this trace" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("radio", { name: contents }).check();
  await page.getByRole("button", { name: "Create link" }).press("Enter");
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  const url = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  expect(pageErrors).toEqual([]);
  await context.close();
  return url;
}

describe("a shared trace", () => {
  it("opens without an account, read-only, with no way to anything else, until it is revoked", async () => {
    const url = await makeLink("The whole trace");
    const stranger = await browser.newContext();
    const { page, pageErrors } = await openPage(stranger);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    const response = await page.goto(url);
    expect(response?.headers()["x-robots-tag"]).toBe("noindex, nofollow");
    await page.getByRole("heading", { name: "refund agent" }).waitFor();
    await page.getByText("Shared trace, read-only, expires in").waitFor();
    await page.getByRole("row", { name: /^Decision: / }).click();
    await page.getByText("The cache is stale.").waitFor();
    await page.getByRole("row", { name: /call model/ }).click();
    await page.getByRole("tab", { name: "Input / Output" }).click();
    await page.getByText("why?").waitFor();
    expect(await page.getByRole("link").count()).toBe(0);
    expect(await page.getByRole("tab", { name: "Why" }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    const calls = requests.filter((path) => path.startsWith("/api/"));
    expect(calls.filter((path) => !path.startsWith("/api/shared/"))).toEqual([]);
    expect(pageErrors).toEqual([]);

    const context = await signedInContext(browser, owner);
    const { page: settings } = await openPage(context);
    await settings.goto(`${booted.client.url}/settings/links`);
    await settings.getByText("opened 1 time").waitFor();
    expect(await axeViolations(settings)).toEqual([]);
    await settings.getByRole("button", { name: "Revoke the link to refund agent" }).press("Enter");
    await settings.getByRole("button", { name: "Revoke link" }).press("Enter");
    await settings.getByText("No links yet.").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
    await stranger.close();
  });

  it("without payloads says so wherever they would be", async () => {
    const url = await makeLink("Without payloads");
    const stranger = await browser.newContext();
    const { page, pageErrors } = await openPage(stranger);
    await page.goto(`${url}?span=s&tab=io`);
    await page.getByText("This link does not include payloads.").waitFor();
    await page.getByRole("tab", { name: "Raw" }).click();
    await page.getByText("This link does not include payloads.").waitFor();
    await page.goto(`${url}?decision=d`);
    await page.getByText("This link does not include reasoning.").waitFor();
    expect(pageErrors).toEqual([]);
    await stranger.close();
  });
});
