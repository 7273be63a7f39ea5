import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";

let browser: Browser;
let booted: Booted;
/** Has scores of all kinds. */
let user: Sender;
let newcomer: Sender;

const AGENT = "support agent";
const RUNS = 60;
const ids = Array.from({ length: RUNS }, (_, index) => `run-${index}`);
const startedAt = new Date(Date.now() - 3_600_000).toISOString();
const runs = ids.map((id, index) =>
  trace({
    id,
    name: AGENT,
    startedAt,
    endedAt: new Date(Date.parse(startedAt) + 2_000).toISOString(),
    metadata: index < 40 ? { "whytrace.feedback": ["helpful"] } : null,
    spans: [
      span({
        id: `${id}-reply`,
        name: "claude: reply",
        startedAt,
        input: "Where is my order?",
        output: "Soon.",
      }),
    ],
    decisionPoints: [
      decision({ id: `${id}-plan`, chosen: "refund", alternatives: ["ask"], timestamp: startedAt }),
    ],
  }),
);
const judge = { source: "judge", author: "correct.ts@3f1a9c02" };
const scores = [
  ...ids
    .slice(0, 20)
    .map((traceId, index) => ({ traceId, name: "helpful", value: index >= 6, source: "user" })),
  ...ids.slice(0, 25).map((traceId) => ({ traceId, name: "complaint", value: false, source: "user" })),
  ...ids.map((traceId, index) => ({ traceId, name: "correct", value: index >= 12, ...judge })),
  ...ids.map((traceId, index) => ({
    traceId,
    name: "quality",
    value: (RUNS - 1 - index) / RUNS,
    source: "judge",
    author: "quality@1",
  })),
  // People look above all at what the judge calls bad.
  ...ids.slice(0, 30).map((traceId, index) => ({
    traceId,
    name: "review",
    value: index >= 10,
    source: "person",
    author: "jana",
  })),
];

beforeAll(async () => {
  booted = await bootAtOrigin();
  [user, newcomer] = [await newSender(booted.client, booted.db), await newSender(booted.client, booted.db)];
  await user.send(runs);
  await sendScores(user, scores);
  browser = await openBrowser();
});

async function sendScores(sender: Sender, sent: unknown[]) {
  const headers = { authorization: `Bearer ${sender.key}` };
  const response = await booted.client.request("POST", "/api/scores", { body: { scores: sent }, headers });
  expect(response.status).toBe(200);
}

async function open(path: string, { sender = user, width = 1280 } = {}) {
  const context = await signedInContext(browser, sender, { viewport: { width, height: 900 } });
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}${path}`);
  return { context, page, pageErrors };
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
/** A new condition takes the focus. */
async function typeInto(page: Page, label: string, text: string) {
  const field = page.getByLabel(label, { exact: true });
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.type(text);
}
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe("the page of scores", () => {
  it("lists all names with what they say, and each number leads to its runs", async () => {
    const { context, page, pageErrors } = await open("/");
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.waitForURL(/\/scores$/);
    await page.getByText("60 runs · 60 scored").waitFor();
    const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
    expect(await row("helpful").textContent()).toMatch(/^helpfulusertrue \/ false20.*6 false of 20/);
    expect(await row("complaint").textContent()).toContain("complaints only");
    expect(await row("quality").textContent()).toMatch(/number 0 to 0\.983.*mean 0\.492/);
    await row("helpful").getByRole("link", { name: "6 false" }).click();
    await page.waitForURL(/scoreName=helpful/);
    await page.getByText("Score: helpful false").waitFor();
    await expect.poll(() => page.getByRole("link", { name: AGENT, exact: true }).count()).toBe(6);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("says of votes who was asked, who is silent, and what cannot be told from them", async () => {
    const { context, page } = await open(`/scores?name=helpful`);
    const votes = region(page, "Who votes");
    await votes.getByText("30 % of the votes are bad; that is not the share of unhappy users.").waitFor();
    expect(await votes.textContent()).toMatch(/6 bad14 not bad20 asked, no answer20 not asked/);
    await votes.getByText("Asked in 40 runs, 50 % answered.").waitFor();
    await votes.getByText("Judge and users differ in").waitFor();
    await votes.getByRole("link", { name: "20 runs: asked, no answer" }).click();
    await page.getByText("Score: helpful, asked, no answer").waitFor();
    await page.getByRole("heading", { name: "Traces" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: AGENT, exact: true }).count()).toBe(20);
    await page.goto(`${booted.client.url}/scores?name=complaint`);
    await region(page, "Who votes").getByText("Complaints only.").waitFor();
    await context.close();
  });

  it("says whether a judge can be trusted, in words and figures, and shows the latest scores live", async () => {
    const { context, page } = await open(`/scores?name=correct`);
    const panel = region(page, "Can you trust this judge?");
    await panel.getByText("Good enough to rank, not to decide.").waitFor();
    await panel
      .getByText(
        "30 of 60 judged runs were reviewed: 12 of 12 that it calls bad and 18 of 48 that it calls good.",
      )
      .waitFor();
    await panel
      .getByText("When it says bad, people agree in 83 %. Of what people call bad it finds 100 %.")
      .waitFor();
    await panel.getByRole("img", { name: /^Cohen's κ 0\.89, / }).waitFor();
    expect(await panel.getByRole("table").textContent()).toContain("judge: bad102false alarms");
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    const latest = region(page, "Latest");
    await latest.getByRole("link").first().waitFor();
    await sendScores(user, [
      { traceId: "run-0", name: "correct", value: "live", source: "person", author: "a colleague" },
    ]);
    await latest.getByText("a colleague").waitFor();
    await latest.getByRole("link", { name: "correct live, open its run" }).click();
    await page.waitForURL(/\/traces\/run-0\?tab=scores/);
    await context.close();
  });

  it("shows the days as one tab stop, moved through by arrow keys, and as a table", async () => {
    const { context, page } = await open(`/scores?name=quality`);
    const day = startedAt.slice(0, 10);
    const chart = page.getByRole("list", { name: "quality by day" });
    await chart.getByRole("link", { name: `${day}: 60 answered, mean 0.492` }).waitFor();
    await page.getByText("As a table").click();
    const table = page.getByRole("region", { name: "quality by day, as a table" });
    await table.getByRole("row", { name: new RegExp(`^${day} 60 0 60 0 0\\.492`) }).waitFor();
    const values = region(page, "Values");
    await values.getByRole("link", { name: "30 runs with quality below 0.5" }).click();
    await page.getByText("Score: quality below 0.5").waitFor();
    await context.close();
  });

  it("without any score says how the first one comes, with snippets to copy", async () => {
    const { context, page } = await open("/scores", { sender: newcomer });
    await page.getByRole("heading", { name: "No scores yet" }).waitFor();
    const tabs = page.getByRole("tablist", { name: "Ways to send scores" });
    for (const [tab, text] of [
      ["SDK", "@whytrace/sdk"],
      ["OpenTelemetry", "gen_ai.evaluation.result"],
      ["HTTP", "/api/scores"],
      ["Thumb on a page", "/api/feedback"],
    ] as const) {
      await tabs.getByRole("tab", { name: tab }).click();
      await page
        .getByRole("region", { name: `${tab} example` })
        .getByText(text)
        .waitFor();
    }
    await page.goto(`${booted.client.url}/scores?agent=another`);
    await page.getByRole("heading", { name: "No scores yet" }).waitFor();
    await context.close();
  });

  it("says that another range has scores, and shows an error with a way to try again", async () => {
    const { context, page } = await open("/scores?agent=unknown");
    await page.getByRole("heading", { name: "No run has a score in this time range" }).waitFor();
    await page.getByRole("button", { name: "Show 90 days of all agents" }).click();
    await page.getByRole("row", { name: /^helpful/ }).waitFor();
    const recover = await failRequests(page, "**/api/scores/summary*", 400, "Broken");
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "Broken" }).waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("row", { name: /^helpful/ }).waitFor();
    await context.close();
  });
});

describe("reviewing runs one after another", () => {
  it("takes only keys, hides what others said, skips, goes back and takes back", async () => {
    const { context, page, pageErrors } = await open(`/scores?name=correct`);
    await region(page, "Can you trust this judge?").getByRole("link", { name: "Review 20 runs" }).click();
    await page.getByText("60 runs are without your review").waitFor();
    await page.getByText("1 of 20 · 0 reviewed").waitFor();
    await page.getByRole("heading", { name: AGENT }).waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/Outcome|Bad:|false/);
    await page.keyboard.press("+");
    await page.getByText("2 of 20 · 1 reviewed").waitFor();
    await page.keyboard.press("n");
    await page.getByText("3 of 20 · 1 reviewed").waitFor();
    await page.keyboard.press("-");
    await page.getByText("4 of 20 · 2 reviewed").waitFor();
    await page.keyboard.press("p");
    await page.getByRole("button", { name: "The run was bad", pressed: true }).waitFor();
    await page.keyboard.press("0");
    await page.getByText("3 of 20 · 1 reviewed").waitFor();
    const own = async () =>
      (await user.get(`/api/scores?name=review&author=${user.userId}`)).json.scores.map(
        ({ value }: { value: boolean }) => value,
      );
    await expect.poll(own).toEqual([true]);
    for (let index = 2; index < 20; index++) await page.keyboard.press("n");
    await page.getByRole("heading", { name: "You reviewed 1 run" }).waitFor();
    await page.getByRole("button", { name: "Review more" }).click();
    await page.getByText("59 runs are without your review").waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("says that nothing is left, and that a review was not saved", async () => {
    const { context, page } = await open("/scores/review", { sender: newcomer });
    await page.getByRole("heading", { name: "No run is left to review" }).waitFor();
    await context.close();
    const other = await open("/scores/review");
    await other.page.getByText(/1 of 20/).waitFor();
    await failRequests(other.page, "**/api/scores*", 400, "Refused");
    await other.page.keyboard.press("-");
    await other.page.getByRole("alert").filter({ hasText: "A review was not saved: Refused" }).waitFor();
    await other.context.close();
  });
});

describe("what counts as bad", () => {
  it("is edited as sentences, with a preview, and saved as a version", async () => {
    const { context, page, pageErrors } = await open(`/scores?agent=${encodeURIComponent(AGENT)}`);
    await page.getByRole("link", { name: "What counts as bad" }).first().click();
    await page.waitForURL(/\/settings\/outcomes\?agent=/);
    const list = page.getByRole("list", { name: "Conditions" });
    await expect.poll(() => list.getByRole("listitem").count()).toBe(3);
    const preview = region(page, "Preview");
    await preview.getByText("60 runs of the last 30 days · nothing is saved").waitFor();
    await preview.getByText("No run would change.").waitFor();
    const unused = page.getByRole("list", { name: "Numbers that no condition uses" });
    await unused.getByRole("button", { name: "quality below 0.5: 30 runs" }).click();
    await list.getByRole("listitem").nth(3).getByText("30 runs").waitFor();
    expect(await unused.getByRole("listitem").count()).toBe(0);
    await preview.getByText("30 runs would change: 30 good → bad.").waitFor();
    await preview.getByText("0 of 60 runs have no quality.").waitFor();
    await page.getByRole("button", { name: /^Remove: A judge or a check/ }).click();
    await page.getByLabel("Why it changes").fill("The judge of quality is better");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await page.getByText("Saved. New runs follow it at once.").waitFor();
    await page.getByText(/^version 1, by you, /).waitFor();
    const { agents } = (await user.get("/api/outcomes")).json;
    expect(agents).toMatchObject([
      {
        ...{ agent: AGENT, version: 1, note: "The judge of quality is better" },
        bad: [
          { kind: "status", is: "ERROR" },
          { kind: "feedback" },
          { kind: "score", name: "quality", op: "below", value: 0.5 },
        ],
      },
    ]);
    await page.getByRole("button", { name: "History" }).click();
    const versions = page.getByRole("list", { name: "Versions" });
    await versions.getByText("Score quality is below 0.5; no answer means good").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Use the workspace’s" }).click();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("the workspace’s", { exact: true }).waitFor();
    expect((await user.get("/api/outcomes")).json.agents).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("loses neither version if somebody else saved meanwhile", async () => {
    const sender = await newSender(booted.client, booted.db);
    const { context, page } = await open("/settings/outcomes", { sender });
    await page.getByRole("group", { name: "Add a condition" }).getByRole("button", { name: "Tag" }).click();
    await page.getByText("Fill in condition 4 to see what it would change.").waitFor();
    await typeInto(page, "Tag", "refunded");
    const put = (version: number) =>
      sender.put("/api/outcomes", { version, bad: [{ kind: "duration", aboveMs: 5_000 }] });
    expect((await put(0)).status).toBe(200);
    const save = page.getByRole("button", { name: /^Save/ });
    await save.click();
    await page.getByText("The definition was changed meanwhile (version 1). Nothing was saved.").waitFor();
    await page.getByRole("button", { name: /^Keep mine/ }).click();
    await page.getByText("version 1, by you").waitFor();
    expect(await page.getByLabel("Tag", { exact: true }).inputValue()).toBe("refunded");
    await save.click();
    await page.getByText("version 2, by you").waitFor();
    expect((await sender.get("/api/outcomes")).json.default.bad).toHaveLength(4);
    await page.getByRole("button", { name: /^Remove: Tag is refunded/ }).click();
    expect((await put(2)).status).toBe(200);
    await save.click();
    await page.getByRole("button", { name: "Show theirs" }).click();
    await page.getByText("version 3, by you").waitFor();
    expect(await page.getByLabel("Seconds").inputValue()).toBe("5");
    await context.close();
  });

  it("asks once more before a definition by which no run can be counted", async () => {
    const sender = await newSender(booted.client, booted.db);
    await sender.send([trace({ id: "uncounted", name: "bot", startedAt })]);
    const { context, page } = await open("/settings/outcomes?agent=bot", { sender });
    for (const name of [/^Remove: Status/, /^Remove: A user/, /^Remove: A judge/])
      await page.getByRole("button", { name }).click();
    await page.getByText("Add a condition to see what it would change.").waitFor();
    await page.getByRole("group", { name: "Add a condition" }).getByRole("button", { name: "Score" }).click();
    await typeInto(page, "Name of the score", "helpful");
    await page.getByLabel("No answer means", { exact: true }).selectOption("unknown");
    const preview = region(page, "Preview");
    await preview.getByText("1 good → unknown").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "No run could be counted" });
    await dialog.getByText("0 of 1 runs could be counted").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await sender.get("/api/outcomes")).json.agents).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await dialog.getByRole("button", { name: "Save anyway" }).click();
    await page.getByText(/^version 1, by you/).waitFor();
    await context.close();
  });

  it("is reached from the outcome of a trace and from the palette", async () => {
    const { context, page } = await open("/traces/run-1");
    await page.getByLabel("Metrics").getByRole("link", { name: /^Bad/ }).click();
    await page.getByRole("heading", { name: "What counts as bad" }).waitFor();
    await page.goto(`${booted.client.url}/traces`);
    await waitUntilLoaded(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("counts as");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "What counts as bad" }).waitFor();
    await context.close();
  });
});

describe("these pages", () => {
  const PAGES = [
    ["/scores?name=helpful", "Latest"],
    ["/scores?name=correct", "Latest"],
    ["/scores?name=quality", "Latest"],
    ["/settings/outcomes", "Preview"],
    ["/scores/review", "Input and output"],
  ] as const;

  it.runIf(IS_WHOLE).each(PAGES)(
    "have no axe violation in both themes and no overflow from 320 px on: %s",
    async (path, name) => {
      const { context, page } = await open(path);
      for (const width of [1280, 768, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await region(page, name).waitFor();
        await expect.poll(() => page.locator("[data-skeleton]").count()).toBe(0);
        expect(await axeViolations(page)).toEqual([]);
        expect(await overflow(page), `${width} px`).toBeLessThanOrEqual(0);
      }
      await context.close();
    },
  );
});
