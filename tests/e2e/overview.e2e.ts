import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { COUNTDOWN } from "./countdown.ts";
import { failRequests } from "./fail-requests.ts";

/** Would run as a script if a page did not escape it. */
const HOSTILE = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const HOUR_MS = 3_600_000;

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  const startedAt = new Date(Date.now() - 2 * HOUR_MS).toISOString();
  const lastMonth = new Date(Date.now() - 20 * 24 * HOUR_MS).toISOString();
  await user.send([
    ...Array.from({ length: 9 }, () =>
      trace({ startedAt, totalCost: 0.5, totalTokens: 100, totalDuration: 1_000 }),
    ),
    trace({
      name: "the failed one",
      startedAt,
      status: "ERROR",
      spans: [span({ name: "refund_api", status: "ERROR", statusMessage: HOSTILE, startedAt })],
      decisionPoints: [decision({ chosen: { name: HOSTILE }, timestamp: startedAt })],
    }),
    trace({ name: "of last month", startedAt: lastMonth }),
  ]);
  browser = await openBrowser();
});

async function open(
  path: string,
  { as = user }: { as?: Sender } = {},
): Promise<{ page: Page; context: BrowserContext; pageErrors: string[] }> {
  const context = await signedInContext(browser, as, { reducedMotion: "reduce" });
  const opened = await openPage(context);
  await opened.page.goto(booted.client.url + path);
  return { ...opened, context };
}

const rows = (page: Page) => page.locator("[data-row]");

describe("the overview", () => {
  it("sums up the traces, and every metric, bar and error links to its traces", async () => {
    const { page, context, pageErrors } = await open("/?range=7d");
    await page.getByRole("link", { name: "10", exact: true }).waitFor();
    await page.getByText("10 %", { exact: true }).waitFor();
    await page.getByText("$4.50", { exact: true }).first().waitFor();

    await page.getByRole("link", { name: /: Error 1$/ }).click();
    await page.waitForURL(/status=ERROR/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.goBack();

    await page
      .getByRole("region", { name: "Most frequent errors" })
      .getByRole("link", { name: /refund_api/ })
      .first()
      .click();
    await page.waitForURL(/errorMessage=/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByText("the failed one").waitFor();
    await page.getByRole("button", { name: "Clear Error message" }).click();
    await expect.poll(() => rows(page).count()).toBe(10);
    await page.goto(`${booted.client.url}/?range=7d`);

    const findings = page.getByRole("region", { name: "What explains bad runs" });
    await findings.getByText("Nothing stands out in 1 run with 1 failure.").waitFor();
    await findings.getByRole("link", { name: "Why" }).click();
    await page.waitForURL(/\/why\?range=7d/);
    await page.getByRole("heading", { name: "What explains failed runs" }).waitFor();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("names the option that explains failed runs, in the words of the Why page, and links to its scorecard", async () => {
    const sender = await newSender(booted.client, booted.db);
    const stepMs = 30 * 60_000;
    const { agent, traces } = worldTraces({
      world: "near culprit",
      name: "worker",
      runs: 300,
      startedAtMs: Date.now() - 301 * stepMs,
      stepMs,
    });
    await sender.send(traces);
    const guilty = agent.guilty.map((claim) => claim.replace(/^chose /, ""));
    const { page, context } = await open("/", { as: sender });
    const findings = page.getByRole("region", { name: "What explains bad runs" });
    const option = findings.locator("[data-step]").first();
    await option.waitFor();
    const words = await option.locator("xpath=ancestor::p").textContent();
    expect(guilty).toContain(await option.textContent());
    await findings.getByRole("link", { name: "Why" }).click();
    await page.waitForURL(/\/why\?range=30d/);
    await page.getByText(words ?? "", { exact: true }).waitFor();
    await page.goBack();
    await option.click();
    await page.waitForURL(/\/why\/.*agent=worker/);
    await context.close();
  });

  it("keeps the time range and view in the URL: reload, back and a pasted link show the same", async () => {
    const { page, context } = await open("/");
    await page.getByRole("link", { name: "11", exact: true }).waitFor();
    await page.getByText("7d", { exact: true }).click();
    await page.waitForURL(/range=7d/);
    await page.getByRole("link", { name: "10", exact: true }).waitFor();
    await page.getByText("Tables").click();
    await page.waitForURL(/view=tables/);
    await page.getByRole("region", { name: "Traces, table" }).waitFor();
    await page.reload();
    await page.getByRole("region", { name: "Traces, table" }).waitFor();
    expect(await page.getByRole("radio", { name: "7d" }).isChecked()).toBe(true);
    await page.goBack();
    await page.getByRole("list", { name: "Traces by day" }).waitFor();
    const pasted = await open("/?range=7d&view=tables");
    await pasted.page.getByRole("region", { name: "Traces, table" }).waitFor();
    await pasted.context.close();
    await context.close();
  });

  it("is operated by keyboard: a chart is one tab stop, arrow keys move between marks, Enter opens", async () => {
    const { page, context } = await open("/?range=30d");
    const chart = page.getByRole("list", { name: "Traces by day" });
    await chart.waitFor();
    expect(await chart.locator("[tabindex='0']").count()).toBe(1);
    await chart.locator("[tabindex='0']").focus();
    await page.keyboard.press("End");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/Error 1$/);
    await page.keyboard.press("ArrowLeft");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(
      /Completed 9$/,
    );
    await page.keyboard.press("Enter");
    await page.waitForURL(/status=COMPLETED/);
    await expect.poll(() => rows(page).count()).toBe(9);
    await context.close();
  });

  it("distinguishes no traces at all from no recent traces", async () => {
    const newcomer = await newSender(booted.client, booted.db);
    const never = await open("/", { as: newcomer });
    await never.page.getByText("No traces yet").waitFor();
    await newcomer.send([trace({ startedAt: new Date(Date.now() - 40 * 24 * HOUR_MS).toISOString() })]);
    await never.page.reload();
    await never.page.getByText("No traces started in the last 30 days").waitFor();
    await never.page.getByRole("button", { name: "Show last 90 days" }).click();
    await never.page.getByRole("list", { name: "Traces by day" }).waitFor();
    await never.context.close();
  });

  it("shows a skeleton while loading, errors with a retry button, and recovers", async () => {
    const { page, context } = await open("/login");
    const recover = await failRequests(page, "**/api/stats/traces*", 500, "Broken");
    const lift = await failRequests(
      page,
      "**/api/stats/traces*",
      429,
      "Too many requests. Try again in 7 s.",
    );
    await page.goto(`${booted.client.url}/`);
    await page.getByText(COUNTDOWN).waitFor();
    lift();
    await page.reload();
    await page.getByRole("status", { name: "Loading" }).waitFor();
    await page.getByText("Broken").waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("list", { name: "Traces by day" }).waitFor();
    await context.close();
  });

  it("has no axe violation with a tooltip open", async () => {
    const { page, context } = await open("/");
    const chart = page.getByRole("list", { name: "Traces by day" });
    await chart.waitFor();
    await chart.locator("[tabindex='0']").focus();
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });
});
