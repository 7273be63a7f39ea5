import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decidedRuns } from "@whytrace/testing/samples/decided-runs.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";

const AGENT = "support agent";

let browser: Browser;
let booted: Booted;
let user: Sender;
let context: BrowserContext;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send(runs(60, 3, "v2.2.3", 12));
  await user.send(runs(60, 3, "v2.2.4", 8));
  await user.send(runs(60, 24, "v2.3.0", 3, { search: 50, ask: 10 }));
  await user.send([trace({ name: "idle agent", startedAt: new Date().toISOString() })]);
  browser = await openBrowser();
  context = await signedInContext(browser, user);
});

/** Runs of a release, of which the first ones failed in a tool. */
function runs(count: number, bad: number, tag: string, daysAgo: number, choices = { search: 30, ask: 30 }) {
  return decidedRuns(choices, { tags: [tag], daysAgo })
    .slice(0, count)
    .map((run, index) => ({
      ...run,
      totalCost: 0.01,
      totalDuration: 2_000,
      ...(index < bad && {
        status: "ERROR",
        spans: [
          span({
            name: "refund_api",
            status: "ERROR",
            statusMessage: `${tag} broke`,
            startedAt: run.startedAt,
          }),
        ],
      }),
    }));
}

let page: Page;
let pageErrors: string[];
beforeEach(async () => {
  ({ page, pageErrors } = await openPage(context));
});
// Every open page holds an event stream, and a browser opens at most six connections per server.
afterEach(() => page.close());

const open = async (path: string) => {
  await page.goto(booted.client.url + path);
  await waitUntilLoaded(page);
};
const home = `/agents/${encodeURIComponent(AGENT)}`;

describe("the home of an agent", () => {
  it("is reached by key from every page, and says how each release compares with the one before", async () => {
    await open("/traces");
    await page.locator("#main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.waitForURL("**/agents");
    await page.getByRole("heading", { name: "Agents" }).waitFor();
    await page.getByRole("link", { name: AGENT }).click();
    await page.getByRole("heading", { name: AGENT }).waitFor();
    const releases = page.getByRole("region", { name: "Releases" });
    await releases
      .getByText(/^v2\.3\.0 is worse than v2\.2\.4: 40\s% of runs are bad, before 5\s%/)
      .waitFor();
    await releases.getByText(/^Nothing shows that v2\.2\.4 is worse than v2\.2\.3: /).waitFor();
    await page.getByRole("link", { name: "30 bad runs" }).click();
    await page.waitForURL(/outcome=bad/);
    await page.getByText("30", { exact: true }).first().waitFor();
    expect(pageErrors).toEqual([]);
  });

  it("offers a longer time range, or the list, for an agent that did not run", async () => {
    await open("/agents/nobody?range=7d");
    await page.getByRole("button", { name: "Show last 90 days" }).click();
    await page.getByRole("link", { name: "All agents" }).waitFor();
  });

  it("shows an agent without releases and decisions", async () => {
    await open("/agents/idle%20agent");
    await page.getByText("No run names its release.").waitFor();
    await page.getByText("No bad run in this time range.").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("the page of releases", () => {
  it("answers in one sentence, and each figure leads to its runs", async () => {
    await open(`${home}/releases`);
    await page.getByText(/^v2\.3\.0 is worse than v2\.2\.4/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("region", { name: "Errors that changed" }).getByText("v2.3.0 broke").waitFor();
    await page.getByRole("region", { name: "Choices that changed" }).getByText("ask").first().waitFor();
    await page.getByRole("link", { name: "Bad runs of v2.3.0: 40 %" }).click();
    await page.waitForURL(/release=v2\.3\.0.*outcome=bad/);
    await page.getByText("24", { exact: true }).first().waitFor();
    expect(pageErrors).toEqual([]);
  });

  it("compares other releases, and days, and keeps what it compares in its address", async () => {
    await open(`${home}/releases`);
    await page.getByLabel("Base", { exact: true }).selectOption("v2.2.3");
    await page.getByText(/^v2\.3\.0 is worse than v2\.2\.3/).waitFor();
    await page.reload();
    await page.getByText(/^v2\.3\.0 is worse than v2\.2\.3/).waitFor();
    await page.getByLabel("Release", { exact: true }).selectOption("v2.2.3");
    await page.getByText(/^v2\.3\.0 is worse than v2\.2\.3|^v2\.2\.3 is better than v2\.3\.0/).waitFor();
    await page.getByText("Days", { exact: true }).click();
    await page.getByText("The last 7 days against as many days before them.").waitFor();
    expect(new URL(page.url()).searchParams.get("by")).toBe("time");
  });

  it("shows an error of the server and can retry", async () => {
    const recover = await failRequests(
      page,
      "**/api/insights/releases/compare*",
      404,
      "No runs in this time range with release v9",
    );
    await page.goto(`${booted.client.url}${home}/releases`);
    await page.getByText("No runs in this time range with release v9").waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText(/^v2\.3\.0 is worse than v2\.2\.4/).waitFor();
  });
});
