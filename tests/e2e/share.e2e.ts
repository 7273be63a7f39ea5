import { type Blame, blameSentence, suspectSentence } from "@whytrace/contract";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

const RUNS = 300;
const STEP_MS = 30 * 60_000;
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
  browser = await openBrowser();
  owner = await newSender(booted.client, booted.db);
  await owner.send([shared, trace({ name: "another run" })]);
});

/** Makes a link with the dialog of a trace's page, by keyboard. */
async function makeLink(
  contents: string,
  { traceId = "to-share", hasWhy = false }: { traceId?: string; hasWhy?: boolean } = {},
): Promise<string> {
  const context = await signedInContext(browser, owner);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}/traces/${traceId}`);
  await page.getByRole("button", { name: "Share" }).press("Enter");
  await page.getByRole("dialog", { name: "Share this trace" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("radio", { name: contents }).check();
  const why = page.getByRole("checkbox", { name: "With Why" });
  expect(await why.isChecked()).toBe(false);
  if (hasWhy) await why.press("Space");
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

  it("opens with what explains the run, if its owner chose so, and leads to the decision and nowhere else", async () => {
    const startedAtMs = Date.now() - (RUNS + 4) * STEP_MS;
    const name = "refunds";
    const { traces } = worldTraces({ world: "near culprit", name, runs: RUNS, startedAtMs, stepMs: STEP_MS });
    await owner.send(traces);
    const blame = await firstExplained(traces.map(({ id }) => id).toReversed());
    const [first] = blame.suspects;
    if (!first) throw new Error("no suspect");
    const url = await makeLink("Without payloads", { traceId: blame.traceId, hasWhy: true });
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const stranger = await browser.newContext({ viewport });
      const { page, pageErrors } = await openPage(stranger);
      const calls: string[] = [];
      page.on("request", (request) => calls.push(new URL(request.url()).pathname));
      await page.goto(url);
      await page.getByRole("heading", { name: plain(blameSentence(blame).text) }).waitFor();
      const card = page.getByRole("article", { name: "Suspect 1:" });
      expect(await card.locator("p").first().textContent()).toBe(plain(suspectSentence(first, blame).text));
      expect(await axeViolations(page)).toEqual([]);
      const links = await page.getByRole("link").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
      expect(links.filter((href) => !href?.startsWith("?decision="))).toEqual([]);
      await card.getByRole("link", { name: first.option, exact: true }).press("Enter");
      await page.waitForURL((at) => at.searchParams.get("decision") === first.decisionPointId);
      await page.getByText("This link does not include reasoning.").waitFor();
      expect(calls.filter((path) => path.startsWith("/api/") && !path.startsWith("/api/shared/"))).toEqual(
        [],
      );
      expect(pageErrors).toEqual([]);
      await stranger.close();
    }
    const context = await signedInContext(browser, owner);
    const { page: settings } = await openPage(context);
    await settings.goto(`${booted.client.url}/settings/links`);
    await settings.getByText("with Why", { exact: true }).waitFor();
    await context.close();
  });
});

/** The first of some runs of which the server says what likely explains it. */
async function firstExplained(ids: readonly string[]): Promise<Blame> {
  for (const id of ids) {
    const { status, json } = await owner.get(`/api/insights/blame/${id}`);
    if (status === 200 && json.suspects[0]?.suspicion === "likely" && json.suspects[0].kind === "chose")
      return json;
  }
  throw new Error("nothing is likely");
}

/** As a page shows it: names are marked otherwise, and a per cent sign is not separated from its number. */
const plain = (text: string) => text.replaceAll("`", "").replaceAll(" %", "\u00a0%");
