import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { overflowingWidths } from "./overflowing-widths.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
const run = (id: string, more = {}) =>
  trace({
    id,
    name: `support agent ${id}`,
    spans: [
      span({ id: `${id}-agent`, name: "support-agent", type: "AGENT" }),
      span({ id: `${id}-reply`, name: "claude: reply", parentSpanId: `${id}-agent` }),
    ],
    decisionPoints: [decision({ id: `${id}-plan`, spanId: `${id}-agent`, chosen: "refund" })],
    ...more,
  });
const badScores = (traceId: string) => [
  { traceId, name: "helpful", value: false, source: "user", comment: "sent me in circles" },
  { traceId, spanId: `${traceId}-reply`, name: "relevance", value: 0.1, label: "fail", source: "judge" },
  { traceId, decisionId: `${traceId}-plan`, name: "allowed", value: false, source: "code" },
  { traceId, name: "stars", value: 2, source: "user" },
];
const sendScores = (scores: unknown[]) =>
  booted.client.request("POST", "/api/scores", {
    body: { scores },
    headers: { authorization: `Bearer ${user.key}` },
  });
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
  user = await newSender(booted.client, booted.db);
});

async function open(path: string, viewport = { width: 1280, height: 900 }) {
  const context = await signedInContext(browser, user, { viewport });
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}${path}`);
  return { context, page, pageErrors };
}

describe("a trace", () => {
  it("that is bad without an error says so in words, with the reasons and where they are", async () => {
    await user.send([run("bad")]);
    await sendScores(badScores("bad"));
    const { context, page, pageErrors } = await open("/traces/bad?tab=scores");
    await page.getByLabel("Metrics").getByText("Bad: helpful false and 2 more").waitFor();
    await page.locator("header").getByTitle("Outcome: bad").waitFor();
    const summary = page.getByRole("region", { name: "Outcome" });
    await expect.poll(() => summary.textContent()).toContain("Bad by the built-in definition");
    await expect
      .poll(() => summary.textContent())
      .toContain(
        "Two conditions are true: a user said false for helpful; a judge said fail for relevance; a check said false for allowed.",
      );
    // A number with a failing label is bad because the outcome names it; another number is not.
    const items = page.getByRole("list", { name: "Scores" }).getByRole("listitem");
    await items.filter({ hasText: "relevance 0.1 fail" }).getByRole("img", { name: "Bad" }).waitFor();
    await items.filter({ hasText: "stars 2" }).getByRole("img", { name: "Neither good nor bad" }).waitFor();
    const marked = (row: string, words: string) =>
      page.getByRole("row", { name: new RegExp(`${row}.*bad: ${words}`) });
    await marked("support-agent", "helpful false").waitFor();
    await marked("claude: reply", "relevance 0.1 fail").waitFor();
    await marked("refund", "allowed false").waitFor();
    await page.getByRole("button", { name: "Bad scores 3" }).waitFor();
    // The key goes from one to the next.
    const selected = (name: RegExp) => page.getByRole("row", { name, selected: true }).waitFor();
    await page.keyboard.press("e");
    await selected(/support-agent/);
    await page.keyboard.press("e");
    await page.keyboard.press("e");
    await page.keyboard.press("e");
    await selected(/support-agent/);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("is good or bad as soon as a review says so, and as before when it is taken back", async () => {
    await user.send([run("reviewed")]);
    await sendScores(badScores("reviewed"));
    const { context, page } = await open("/traces/reviewed?tab=scores");
    const metrics = page.getByLabel("Metrics");
    const outcome = (words: string) =>
      metrics
        .locator("div")
        .filter({ hasText: `Outcome${words}` })
        .waitFor();
    await outcome("Bad: helpful false and 2 more");
    await page.keyboard.press("+");
    await outcome("Good");
    const summary = page.getByRole("region", { name: "Outcome" });
    await summary.getByText("A review decides, whatever else is known.").waitFor();
    await expect.poll(() => page.getByTitle("Outcome: bad").count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: /Bad scores/ }).count()).toBe(0);
    await page.keyboard.press("-");
    await outcome("Bad: review false and 3 more");
    await summary.getByText("A reviewer said that the run is bad. Two conditions are true").waitFor();
    await page.keyboard.press("0");
    await outcome("Bad: helpful false and 2 more");
    await context.close();
  });

  it("without the score that its definition needs is unknown; one that runs has no outcome yet", async () => {
    const agent = "asked agent";
    const bad = [{ kind: "score", name: "helpful", op: "is", value: false, missing: "unknown" }];
    await user.put("/api/outcomes", { agent, version: 0, bad });
    await user.send([run("asked", { name: agent }), run("going", { status: "RUNNING" })]);
    const { context, page } = await open("/traces/asked?tab=scores");
    await page.getByLabel("Metrics").getByText("Unknown: helpful is missing").waitFor();
    const summary = page.getByRole("region", { name: "Outcome" });
    await expect.poll(() => summary.textContent()).toContain("Unknown by version 1 for asked agent");
    await page.goto(`${booted.client.url}/traces/going?tab=scores`);
    await summary.getByText("The run has not ended. It is judged when it has.").waitFor();
    expect(await page.getByLabel("Metrics").getByText("Outcome").count()).toBe(0);
    await context.close();
  });

  it("shows nobody with a link how it was judged", async () => {
    await user.send([run("shared")]);
    await sendScores(badScores("shared"));
    const { url } = (await user.post("/api/traces/shared/shares", { payloads: false })).json;
    const context = await browser.newContext();
    const { page, pageErrors } = await openPage(context);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(url);
    await page.getByRole("treegrid").waitFor();
    await page.keyboard.press("+");
    expect(await page.getByRole("tab", { name: /Scores/ }).count()).toBe(0);
    expect(await page.getByRole("group", { name: "Your review" }).count()).toBe(0);
    expect(
      requested.filter((one) => /scores|outcome/.test(new URL(one).pathname) && !one.includes("/assets/")),
    ).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

it("the list marks runs whose outcome is not what the status says, and filters by it", async () => {
  const other = await newSender(booted.client, booted.db);
  await other.send([
    run("l-bad", { name: "unhappy" }),
    run("l-good", { name: "happy" }),
    run("l-error", { name: "broken", status: "ERROR" }),
  ]);
  const headers = { authorization: `Bearer ${other.key}` };
  const scores = [{ traceId: "l-bad", name: "helpful", value: false, source: "user" }];
  await booted.client.request("POST", "/api/scores", { body: { scores }, headers });
  const context = await signedInContext(browser, other);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}/traces`);
  const badge = (name: string, words = "Outcome: bad") =>
    page.getByRole("row", { name: new RegExp(name) }).getByTitle(words);
  await badge("unhappy").waitFor();
  expect([await badge("^.*\\bhappy").count(), await badge("broken").count()]).toEqual([0, 0]);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel("Outcome", { exact: true }).selectOption("bad");
  await page.waitForURL(/outcome=bad/);
  await page.getByRole("link", { name: "happy", exact: true }).waitFor({ state: "hidden" });
  await expect
    .poll(() => page.locator("[data-trace]").allTextContents())
    .toEqual(expect.arrayContaining(["unhappy", "broken"]));
  // A review changes the badge of its row.
  await page.goto(`${booted.client.url}/traces`);
  await page.locator('[data-live="live"]').waitFor({ state: "attached" });
  await page.getByRole("link", { name: "broken" }).focus();
  await page.keyboard.press("+");
  await badge("broken", "Outcome: good").waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

it.runIf(IS_WHOLE).each([390, 1280])(
  "a bad run has no axe violation at %i px, and no overflow at any width",
  async (width) => {
    await user.send([run("narrow", { name: "a long name of an agent that answers requests for refunds" })]);
    await sendScores([
      ...badScores("narrow"),
      {
        traceId: "narrow",
        spanId: "narrow-reply",
        name: "a_long_name_of_a_check_".repeat(5),
        value: false,
      },
    ]);
    for (const path of ["/traces/narrow", "/traces/narrow?tab=scores&find=bad", "/traces?outcome=bad"]) {
      const { context, page } = await open(path, { width, height: 900 });
      await page.getByTitle("Outcome: bad").first().waitFor();
      expect([path, await axeViolations(page)]).toEqual([path, []]);
      expect(await overflowingWidths(page), path).toEqual([]);
      await context.close();
    }
  },
);
