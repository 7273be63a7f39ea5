import {
  type PlantedFailure,
  sendPlantedFailures,
} from "@whytrace/testing/agent-simulator/send-planted-failures.ts";
import type { Booted } from "@whytrace/testing/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/boot-at-origin.ts";
import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { expectStatus } from "@whytrace/testing/client.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/sample-traces.ts";
import { signedInContext } from "@whytrace/testing/signed-in-context.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

const FAILURES = 12;
let failures: PlantedFailure[];
let browser: Browser;
let booted: Booted;
let user: Sender;

beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  failures = await sendPlantedFailures(user);
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const open = async (path: string, options: Parameters<typeof signedInContext>[2] = {}) => {
  const context = await signedInContext(browser, user, options);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}${path}`);
  await waitUntilLoaded(page);
  return { context, page, pageErrors };
};
const suspect = (page: Page, rank: number) => page.getByRole("article", { name: `Suspect ${rank}:` });
const firstPath = () => `/traces/${failures[0]?.traceId}`;

it("a person reaches the culprit of 12 failures from the list of traces in three actions", async () => {
  expect(failures).toHaveLength(FAILURES);
  const { context, page, pageErrors } = await open("/traces");
  for (const { name, culpritId } of failures) {
    await page.goto(`${booted.client.url}/traces?status=ERROR&search=${encodeURIComponent(name)}`);
    await page.getByRole("link", { name }).first().click();
    await page.getByRole("tab", { name: "Why" }).click();
    await suspect(page, 1).getByRole("heading").getByRole("link").click();
    await page.waitForURL((url) => url.searchParams.get("decision") === culpritId);
  }
  expect(pageErrors).toEqual([]);
  await context.close();
});

describe("the Why tab", () => {
  it("shows both rates, how often this very error came and a clue, and links to the traces behind them", async () => {
    const { context, page } = await open(`${firstPath()}?tab=why`);
    const card = suspect(page, 1);
    await card.getByText("likelier to fail").waitFor();
    await card.getByText("This very error:").waitFor();
    await card.getByText('records = "outdated"').waitFor();
    await page.getByText("Association, not cause.").waitFor();
    await card.getByRole("link", { name: "Scorecard" }).waitFor();
    const compare = card.getByRole("link", { name: /Compare with a run that chose/ });
    expect(await compare.getAttribute("href")).toMatch(/\/compare\?a=blame-0-\d+&step=/);
    await card
      .getByRole("link", { name: /runs? failed/ })
      .first()
      .click();
    await page.waitForURL(/\/traces\?.*outcome=failed/);
    await context.close();
  });

  it("says so if no decision stands out, or if nothing was decided", async () => {
    const startedAt = new Date().toISOString();
    const failed = span({ id: "failed", startedAt, status: "ERROR", statusMessage: "no luck" });
    const decided = decision({ timestamp: startedAt, chosen: "look it up", alternatives: ["guess"] });
    const lone = trace({ id: "lone", name: "lone agent", status: "ERROR", startedAt, spans: [failed] });
    expectStatus(
      await user.send([
        { ...lone, decisionPoints: [decided] },
        { ...lone, id: "undecided", name: "other" },
      ]),
      200,
    );
    const { context, page } = await open("/traces/lone?tab=why");
    await page.getByText("No suspect among 1 decision").waitFor();
    await page.getByRole("button", { name: "Nearest decision: look it up" }).click();
    await page.waitForURL(/decision=/);
    await page.goto(`${booted.client.url}/traces/undecided?tab=why`);
    await page.getByText("Nothing was decided before this error").waitFor();
    await context.close();
  });

  it("offers to try again after an error of the server", async () => {
    const { context, page } = await open(firstPath());
    await page.route("**/api/insights/blame/**", (route) =>
      route.fulfill({ status: 503, json: { error: "Service temporarily unavailable" } }),
    );
    await page.getByRole("tab", { name: "Why" }).click();
    await page.getByText("Service temporarily unavailable").waitFor();
    await page.unroute("**/api/insights/blame/**");
    await page.getByRole("button", { name: "Retry" }).click();
    await suspect(page, 1).waitFor();
    await context.close();
  });

  it("is not there if nothing failed", async () => {
    const fine = trace({ id: "fine", startedAt: new Date().toISOString() });
    expectStatus(await user.send([fine]), 200);
    const { context, page } = await open("/traces/fine?tab=why");
    await page.getByRole("tab", { name: "Overview" }).waitFor();
    expect(await page.getByRole("tab", { name: "Why" }).count()).toBe(0);
    await context.close();
  });
});

it("the blame path is reached and left with the keyboard alone", async () => {
  const { context, page } = await open(firstPath());
  const rows = page.getByRole("treegrid").getByRole("row");
  const all = await rows.count();
  await page.keyboard.press("b");
  await suspect(page, 1).waitFor();
  await page.getByRole("treegrid").getByText("Suspect 1:").waitFor({ state: "attached" });
  await page.getByRole("treegrid").getByText("The error:").waitFor({ state: "attached" });
  expect(await rows.count()).toBeLessThan(all);
  await page.getByRole("columnheader", { name: "failed / alternative" }).waitFor();
  expect(await suspect(page, 1).getAttribute("aria-current")).toBe("true");
  const marked = page.getByRole("treegrid").locator("[role=row][aria-current=true]");
  expect(await marked.textContent()).toContain("Suspect 1");
  await page.locator("[data-suspect='1']").waitFor();
  await page.keyboard.press("]");
  await page.keyboard.press("[");
  expect(await marked.textContent()).toContain("Suspect 1");
  await page.keyboard.press("2");
  await page.getByText("It counts in the scorecard and in the exported dataset.").waitFor();
  await page.getByText("The first suspect was indeed wrong in 1 of 1 that were judged.").waitFor();
  expect(await suspect(page, 1).getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("b");
  await page.getByRole("columnheader", { name: "Cost · tokens" }).waitFor();
  expect(await rows.count()).toBe(all);
  await context.close();
});

it.each([1440, 390])("the blame path has no axe violation at a width of %i", async (width) => {
  const { context, page, pageErrors } = await open(`${firstPath()}?find=blame&tab=why`, {
    viewport: { width, height: 900 },
  });
  if (width < 768) await page.getByRole("treegrid").getByRole("row").nth(1).click();
  await suspect(page, 1).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(pageErrors).toEqual([]);
  await context.close();
});
