import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";
import { overflowingWidths } from "./overflowing-widths.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
const run = (id: string) =>
  trace({
    id,
    name: `support agent ${id}`,
    spans: [span({ id: `${id}-reply`, name: "claude: reply" })],
    decisionPoints: [decision({ id: `${id}-plan`, chosen: "refund", alternatives: ["ask"] })],
  });
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
  user = await newSender(booted.client, booted.db);
});

const sendScores = (scores: unknown[]) =>
  booted.client.request("POST", "/api/scores", {
    body: { scores },
    headers: { authorization: `Bearer ${user.key}` },
  });
const scoresOf = async (traceId: string): Promise<Record<string, unknown>[]> =>
  (await user.get(`/api/scores?traceId=${traceId}`)).json.scores;

async function open(path: string, viewport = { width: 1280, height: 900 }) {
  const context = await signedInContext(browser, user, { viewport });
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}${path}`);
  return { context, page, pageErrors };
}

const panelOf = (page: Page) => page.getByRole("tabpanel");
const itemsOf = (page: Page) => page.getByRole("list", { name: "Scores" }).getByRole("listitem");

describe("the scores of a trace", () => {
  it("say what was judged, how, by whom and when, the bad ones first; a place selects its row", async () => {
    await user.send([run("told")]);
    await sendScores([
      { traceId: "told", name: "stars", value: 2, source: "user", timestamp: "2026-11-02T10:00:00.000Z" },
      {
        ...{ traceId: "told", name: "helpful", value: false, source: "user", author: "visitor-7f2c" },
        comment: "sent me in circles",
      },
      {
        ...{ id: "otlp_1", traceId: "told", spanId: "told-reply", name: "relevance", value: 0.1 },
        ...{ label: "fail", source: "judge", author: "openinference" },
      },
      { traceId: "told", decisionId: "gone", name: "tone", value: "rude" },
    ]);
    const { context, page, pageErrors } = await open("/traces/told?tab=scores");
    await page.getByRole("tab", { name: "Scores 4", selected: true }).waitFor();
    await page.getByRole("region", { name: "Outcome" }).waitFor();
    const tones = itemsOf(page).getByRole("img");
    const labels = () => tones.evaluateAll((icons) => icons.map((icon) => icon.ariaLabel));
    await expect
      .poll(labels)
      .toEqual([...["Bad", "Bad"], ...["Neither good nor bad", "Neither good nor bad"]]);
    const item = (text: string) => itemsOf(page).filter({ hasText: text });
    expect(await item("helpful").textContent()).toMatch(
      /helpful false“sent me in circles”on the run · visitor-7f2c · .+user$/,
    );
    expect(await item("relevance").textContent()).toContain("relevance 0.1 fail");
    expect(await item("relevance").textContent()).toContain("part of the trace");
    expect(await item("tone").textContent()).toContain("on a decision that is not in this trace");
    expect(await item("stars").getByRole("img").getAttribute("aria-label")).toBe("Neither good nor bad");
    // Nobody takes back what others said.
    expect(await page.getByRole("button", { name: /Take back/ }).count()).toBe(0);
    await item("relevance").getByRole("link", { name: "claude: reply" }).click();
    await page.getByRole("row", { name: /claude: reply/, selected: true }).waitFor();
    await page.waitForURL(/span=told-reply/);
    await expect.poll(() => item("relevance").getAttribute("aria-current")).toBe("true");
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("are added to the selected row by keyboard, as boolean, number or label, and taken back with undo", async () => {
    await user.send([run("added")]);
    const { context, page } = await open("/traces/added?tab=scores");
    await panelOf(page).getByText("Nobody has judged this run yet").waitFor();
    await panelOf(page).getByText("POST /api/scores").waitFor();
    const add = async (name: string, value: string) => {
      await page.getByLabel("Name", { exact: true }).focus();
      await page.keyboard.type(name);
      await page.keyboard.press("Tab");
      await page.keyboard.type(value);
      await page.keyboard.press("Enter");
      await itemsOf(page)
        .filter({ hasText: `${name} ${value}` })
        .waitFor();
      await expect.poll(() => page.getByLabel("Value", { exact: true }).inputValue()).toBe("");
    };
    await add("polite", "false");
    await page.getByRole("row", { name: /claude: reply/ }).click();
    await page.getByText("On the selected row").waitFor();
    await add("quality", "0.5");
    await add("mood", "grumpy");
    const added = () => scoresOf("added");
    await expect.poll(added).toMatchObject([
      { name: "mood", value: "grumpy", kind: "label", spanId: "added-reply", source: "person" },
      { name: "quality", value: 0.5, kind: "number", spanId: "added-reply" },
      { name: "polite", value: false, kind: "boolean", spanId: null, author: user.userId },
    ]);
    await page.getByRole("tab", { name: "Scores 3" }).waitFor();
    const before = await scoresOf("added");
    await page.getByRole("button", { name: "Take back polite false" }).press("Enter");
    await panelOf(page).getByText("Took back polite false.").waitFor();
    await expect.poll(async () => (await scoresOf("added")).length).toBe(2);
    const undo = panelOf(page).getByRole("button", { name: "Undo" });
    await expect.poll(() => undo.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Take back polite false" }).waitFor();
    const unstamped = (scores: Record<string, unknown>[]) => scores.map(({ createdAt: _, ...one }) => one);
    await expect.poll(async () => unstamped(await scoresOf("added"))).toEqual(unstamped(before));
    await context.close();
  });

  it("appear while the page is open, and an error can be retried", async () => {
    await user.send([run("live")]);
    const { context, page } = await open("/traces/live?tab=scores");
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await panelOf(page).getByText("Nobody has judged this run yet").waitFor();
    await sendScores([{ traceId: "live", name: "helpful", value: true, source: "user" }]);
    await itemsOf(page).filter({ hasText: "helpful true" }).waitFor();
    await page.getByRole("tab", { name: "Scores 1" }).waitFor();

    const recover = await failRequests(page, "**/api/scores?*", 404, "Gone");
    await page.reload();
    await panelOf(page).getByRole("alert").filter({ hasText: "Gone" }).waitFor();
    recover();
    await panelOf(page).getByRole("button", { name: "Retry" }).click();
    await itemsOf(page).filter({ hasText: "helpful true" }).waitFor();
    await context.close();
  });

  it("of more than a page are all listed", async () => {
    await user.send([run("many")]);
    const scores = Array.from({ length: 230 }, (_, i) => ({ traceId: "many", name: `check ${i}`, value: i }));
    await sendScores(scores);
    const { context, page } = await open("/traces/many?tab=scores");
    await page.getByRole("tab", { name: "Scores 230" }).waitFor();
    await expect.poll(() => itemsOf(page).count()).toBe(230);
    await context.close();
  });
});

describe("the page with scores", () => {
  it.runIf(IS_WHOLE).each([390, 1280])(
    "has no axe violation at %i px, and no overflow at any width",
    async (width) => {
      await user.send([run("seen")]);
      await sendScores([
        { traceId: "seen", name: "helpful", value: false, source: "user", comment: "sent me in circles" },
        { traceId: "seen", name: "valid json", value: true },
        {
          traceId: "seen",
          spanId: "seen-reply",
          name: "a_name_without_blanks_".repeat(6),
          value: "x".repeat(90),
        },
      ]);
      await user.post("/api/scores", { scores: [{ traceId: "seen", name: "review", value: false }] });
      const { context, page } = await open("/traces/seen?tab=scores", { width, height: 900 });
      await page.getByRole("button", { name: "Take back review false" }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      const panel = await panelOf(page).evaluate((one) => one.scrollWidth - one.clientWidth);
      expect(panel).toBeLessThanOrEqual(0);
      expect(await overflowingWidths(page)).toEqual([]);
      await context.close();
    },
  );
});
