import { chanceSentence, type Findings, findingSentence, type WhyList } from "@whytrace/contract";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser, BrowserContext, Locator, Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";

const DAY_MS = 24 * 3_600_000;
const RUNS = 260;
const OPTIONS = ["refund_api", "ask_human", "lookup_policy", "issue_voucher"];

let browser: Browser;
let booted: Booted;
let user: Sender;
let newcomer: Sender;
let chancer: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  newcomer = await newSender(booted.client, booted.db);
  chancer = await newSender(booted.client, booted.db);
  for (let from = 0; from < RUNS; from += 65)
    await user.send(Array.from({ length: 65 }, (_, index) => refundRun(from + index)));
  await user.send([
    trace({ id: "idle", name: "idle", startedAt: ago(DAY_MS) }),
    trace({ id: "broken", name: "idle", startedAt: ago(DAY_MS), status: "ERROR" }),
  ]);
  await play(user, "near culprit", "researcher");
  await play(user, "left out anywhere", "careless");
  await play(chancer, "chance", "lucky");
  browser = await openBrowser();
});

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const WORLD_RUNS = 300;
const WORLD_STEP_MS = 30 * 60_000;

/** Runs of an agent whose faults are known, in the last week. */
async function play(sender: Sender, world: string, name: string) {
  const startedAtMs = Date.now() - (WORLD_RUNS + 4) * WORLD_STEP_MS;
  const { traces } = worldTraces({ world, name, runs: WORLD_RUNS, startedAtMs, stepMs: WORLD_STEP_MS });
  await sender.send(traces);
}

const readFindings = async (query = ""): Promise<Findings> =>
  (await user.get(`/api/insights/findings${query}`)).json;
/** As a page shows it: names are marked otherwise, and a per cent sign is not separated from its number. */
const plain = (text: string) => text.replaceAll("`", "").replaceAll(" %", "\u00a0%");

/** After refund_api runs fail four times as often as after ask_human; some recover, and some retry twice. */
function refundRun(index: number) {
  const startMs = Date.now() - (1 + (index % 20)) * DAY_MS;
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  const chosen = OPTIONS[index % 2 === 0 ? 0 : index % 3 === 0 ? 2 : 1] ?? "";
  const policy = index % 5 < 3 ? "cached policy" : "fetch policy";
  const hasFailed = chosen === "refund_api" ? index % 10 < 5 : index % 10 === 1;
  const hasRecovered = !hasFailed && index % 13 === 0;
  const options = (all: string[], one: string) => ({
    chosen: { name: one },
    alternatives: all.filter((name) => name !== one).map((name) => ({ name })),
  });
  const retries = index % 4 === 0 ? [200, 300] : [];
  return trace({
    name: `support-agent`,
    status: hasFailed ? "ERROR" : "COMPLETED",
    tags: [index % 20 < 10 ? "v2.3.0" : "v2.2.4"],
    startedAt: at(0),
    endedAt: at(5_000),
    spans: [
      span({
        name: "tool",
        type: "TOOL_CALL",
        startedAt: at(1_000),
        endedAt: at(2_000),
        costUsd: chosen === "refund_api" ? 0.02 : 0.01,
        ...(hasFailed || hasRecovered ? { status: "ERROR", statusMessage: "refund rejected" } : {}),
      }),
    ],
    decisionPoints: [
      decision({
        type: "MEMORY_RETRIEVAL",
        ...options(["cached policy", "fetch policy"], policy),
        timestamp: at(50),
      }),
      decision({
        ...options(OPTIONS, chosen),
        reasoning: index % 3 === 0 ? "The order number is known" : "The amount is below the limit",
        timestamp: at(100),
      }),
      ...retries.map((ms) =>
        decision({
          type: "PLANNING",
          ...options(["short plan", "long plan"], ms === 200 ? "short plan" : "long plan"),
          timestamp: at(ms),
        }),
      ),
      decision({ type: "ROUTING", ...options(["refunds", "sales"], "refunds"), timestamp: at(400) }),
    ],
  });
}

async function open(
  path: string,
  { as = user, width = 1440 }: { as?: Sender; width?: number } = {},
): Promise<{ page: Page; context: BrowserContext; pageErrors: string[] }> {
  const context = await signedInContext(browser, as, {
    reducedMotion: "reduce",
    viewport: { width, height: 900 },
  });
  const opened = await openPage(context);
  await opened.page.goto(booted.client.url + path);
  return { ...opened, context };
}

const rows = (page: Page) => page.locator("[data-row]");
const findings = (page: Page, group: string) => page.locator(`[data-finding="${group}"]`);
const aside = (page: Page) => page.locator('[data-group="aside"]');
const table = (page: Page) => page.getByRole("table");
const tableRows = (page: Page) => table(page).locator("[data-row]");
const card = async (page: Page, name: string) => {
  await tableRows(page).filter({ hasText: name }).first().click();
  await page.getByRole("heading", { level: 1, name: new RegExp(name) }).waitFor();
  await waitUntilLoaded(page);
};

describe("the findings of Why", () => {
  it("say the same as the interface, and add up to all bad runs", async () => {
    let found = await readFindings();
    const worseRows = () => found.rows.filter(({ group }) => group === "worse");
    // A busy machine computes some agents only after it has answered.
    const readKinds = async () => {
      found = await readFindings();
      return new Set(found.progress ? [] : worseRows().map(({ kind }) => kind));
    };
    await expect.poll(readKinds).toEqual(new Set(["chose", "left-out"]));
    const worse = worseRows();
    const { page, context, pageErrors } = await open("/why");
    await findings(page, "worse").first().waitFor();
    const texts = await findings(page, "worse").locator("p:first-of-type").allTextContents();
    for (const row of worse) {
      const said = plain(findingSentence(row, found).text);
      expect(texts.some((text) => text.includes(said))).toBe(true);
    }
    const shares = await page.locator("[data-finding=worse], [data-finding=chance]").allTextContents();
    const numbers = shares.map((text) => /^([\d,]+) of ([\d,]+)/.exec(text)?.slice(1).map(toNumber) ?? []);
    const sum = numbers.reduce((total, [explained = 0]) => total + explained, 0);
    if (worse.every(({ togetherWith }) => togetherWith.length === 0)) expect(sum).toBe(numbers[0]?.[1]);
    await findings(page, "chance")
      .getByText(/^No row explains [\d,]+ of [\d,]+ failed runs/)
      .waitFor();
    expect(chanceSentence(found)).toMatch(/^No row explains/);
    await page
      .getByText(/Holds since \d+ [A-Z][a-z]+\./)
      .first()
      .waitFor();
    await page.getByText(/^computed .*; counts beside it are current$/).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("have a lens in the address, which says what a bad run is", async () => {
    const { page, context } = await open("/why");
    await page.getByRole("heading", { name: "What explains failed runs" }).waitFor();
    await page.getByText("An error came").click();
    await page.waitForURL(/lens=error/);
    await page.getByRole("heading", { name: "What explains errors" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "What explains errors" }).waitFor();
    await waitUntilLoaded(page);
    await page
      .locator("[data-finding]")
      .getByText(/runs? with an error|errors\./)
      .first()
      .waitFor();
    await context.close();
  });

  it("lead to the runs behind them and to the scorecard, where they are said again", async () => {
    const named = (await readFindings()).rows.find(
      ({ group, kind }) => group === "worse" && kind === "chose",
    );
    const option = named?.option ?? "";
    const { page, context } = await open("/why");
    const row = findings(page, "worse").filter({
      has: page.getByRole("link", { name: option, exact: true }),
    });
    const sentence = (await row.locator("p").first().textContent()) ?? "";
    await row.getByRole("link", { name: "Failed runs that chose it" }).click();
    await page.waitForURL(/\/traces\?.*lens=failed/);
    await page.getByText(`Decision: ${option}`).waitFor();
    await page.goBack();
    await row.getByRole("link", { name: option, exact: true }).click();
    await page.waitForURL(/\/why\/[0-9a-f]{14}\?.*option=[0-9a-f]{8}/);
    const said = page.getByRole("list", { name: "Findings" }).locator("p").first();
    await said.waitFor();
    // The scorecard is of the finding's agent alone, so the numbers of all bad runs differ.
    const words = (text: string | null) => text?.replaceAll(/\d/g, "").split(".")[0];
    expect(words(await said.textContent())).toBe(words(sentence));
    await context.close();
  });

  it("say that nothing stands out, and that a range of one's own is not watched", async () => {
    const { page, context } = await open("/why", { as: chancer });
    await page.getByText(/^Nothing stands out in 300 runs with \d+ failures\./).waitFor();
    expect(await page.getByText("You asked; not watched").count()).toBe(0);
    await page.getByText("24h", { exact: true }).click();
    await page.getByText("You asked; not watched").waitFor();
    await page.getByRole("button", { name: "Compute again" }).click();
    await page.getByText(/computed just now/).waitFor();
    await context.close();
  });

  it("take situation keys, suggested or by name, with the keyboard alone", async () => {
    const namer = await newSender(booted.client, booted.db);
    await namer.send(
      Array.from({ length: 4 }, (_, index) => ({
        ...refundRun(index),
        metadata: { plan: index % 2 ? "pro" : "free" },
      })),
    );
    const { page, context } = await open("/why", { as: namer });
    await page.getByRole("button", { name: "Name situation keys" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("plan").press("Space");
    await dialog.getByLabel("Another key").fill("tier");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Name situation keys" }).waitFor({ state: "detached" });
    expect((await namer.get("/api/insights/situation-keys?agent=support-agent")).json.keys).toEqual([
      "plan",
      "tier",
    ]);
    await page.getByRole("button", { name: "Situation keys" }).press("Enter");
    expect(await dialog.getByLabel("tier").isChecked()).toBe(true);
    await context.close();
  });

  it("show a skeleton while loading, and an error with a button to retry, beside the table", async () => {
    const { page, context } = await open("/traces");
    const recover = await failRequests(page, "**/api/insights/findings?*", 429, "Other findings.");
    await page.goto(`${booted.client.url}/why`);
    await page.getByRole("alert").getByText("Other findings.").waitFor();
    await tableRows(page).first().waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).first().click();
    await findings(page, "worse").first().waitFor();
    await context.close();
  });

  it("ask again while they are not complete", async () => {
    const { page, context } = await open("/traces");
    const found = await readFindings();
    // They are not complete until the test has seen that the page says so.
    let progress: Findings["progress"] = { agentsLeft: 2, tracesLeft: 0 };
    await page.route("**/api/insights/findings?*", (route) =>
      route.fulfill({ json: { ...found, progress } }),
    );
    await page.goto(`${booted.client.url}/why`);
    await page.getByText("Still counting: 2 agents left.").waitFor();
    progress = null;
    await page.getByText("Still counting").waitFor({ state: "detached" });
    await context.close();
  });
});

const toNumber = (text: string) => Number(text.replaceAll(",", ""));

describe("the list of Why", () => {
  it("has all decisions with their options, the most frequent first, and counts runs that decided nothing", async () => {
    const { page, context, pageErrors } = await open("/why");
    await tableRows(page).first().waitFor();
    const decision = table(page).getByRole("row").filter({ hasText: "refund_api" });
    await decision.getByText("ask_human").waitFor();
    await decision.getByText("+2").waitFor();
    await page.getByText(/^\d+ runs · \d+ bad \(\d+ %\)/).waitFor();
    const undecided = page.getByText("decided nothing");
    expect(await undecided.textContent()).toBe("2 runs decided nothing, 1 of them is bad.");
    await undecided.getByRole("link", { name: "2 runs" }).click();
    await page.waitForURL(/decided=no/);
    await expect.poll(() => page.locator("h1 + span").textContent()).toBe("2");
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("works with the keyboard alone: rows, scorecard, failed traces, search and setting aside", async () => {
    // An attempt before may have left a decision set aside.
    const { rows: decisions }: WhyList = (await user.get("/api/insights/decisions")).json;
    for (const { signature, isAside } of decisions)
      if (isAside) await user.delete(`/api/insights/set-aside/${signature}`);
    const { page, context } = await open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await findings(page, "worse").first().waitFor();
    await tableRows(page).first().waitFor();
    await page.keyboard.press("j");
    const first = rows(page).first();
    await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
    const option = await first.textContent();
    await page.keyboard.press("f");
    await page.waitForURL(/\/traces\?.*lens=failed/);
    await page.goBack();
    await rows(page).first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/why\/[0-9a-f]{14}\?.*option=/);
    await page.getByRole("heading", { level: 1, name: new RegExp(option ?? "") }).waitFor();
    await page.goBack();
    const policies = tableRows(page).filter({ hasText: "cached policy" });
    await policies.focus();
    await page.keyboard.press("f");
    await page.getByText("Decision: cached policy, then failed").waitFor();
    await page.goBack();
    await tableRows(page).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("policy");
    await expect.poll(() => tableRows(page).count()).toBe(2);
    // Escape empties a field for searching.
    await page.keyboard.press("Escape");
    await expect.poll(() => tableRows(page).count()).toBeGreaterThan(2);

    const routing = tableRows(page).filter({ hasText: "refunds" });
    await routing.focus();
    await page.keyboard.press("m");
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("A");
    await aside(page).getByRole("button", { name: "Ignored 1" }).click();
    await page.waitForURL(/aside=1/);
    await aside(page).getByText("ignored by you").waitFor();
    await aside(page).locator("[data-row]").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Ignored by you: the request decides this").waitFor();
    await page.goBack();
    await aside(page).locator("[data-row]").focus();
    await page.keyboard.press("m");
    await aside(page).waitFor({ state: "detached" });
    await tableRows(page).filter({ hasText: "refunds" }).waitFor();
    await context.close();
  });

  it("keeps agent, range, type and order in the URL, and the back button undoes them", async () => {
    const { page, context } = await open("/why");
    await tableRows(page).first().waitFor();
    await page.getByLabel("Agent").selectOption("support-agent");
    await page.waitForURL(/agent=support-agent/);
    await page.getByText("90d", { exact: true }).click();
    await page.waitForURL(/range=90d/);
    await page.getByRole("button", { name: "Planning" }).click();
    await page.waitForURL(/type=PLANNING/);
    await expect.poll(() => tableRows(page).count()).toBe(1);
    await page.getByText("Drift", { exact: true }).first().click();
    await page.waitForURL(/sort=drift/);
    await page.reload();
    await expect.poll(() => tableRows(page).count()).toBe(1);
    for (let step = 0; step < 2; step += 1) await page.goBack();
    await page.waitForURL((url) => !url.search.includes("type="));
    await expect.poll(() => tableRows(page).count()).toBeGreaterThan(1);
    expect(new URL(page.url()).search).toBe("?agent=support-agent&range=90d");
    await context.close();
  });

  it("tells apart that there is nothing, nothing of an agent and nothing that matches", async () => {
    for (const [path, as, heading] of [
      ["/why", newcomer, "No decisions yet"],
      ["/why?agent=nobody", user, "No decisions of nobody"],
      ["/why?search=nothing-like-it", user, "No decisions match these filters"],
      ["/why/00000000000000", user, "Not decided in this time range"],
    ] as const) {
      const { page, context } = await open(path, { as });
      await page.getByRole("heading", { name: heading }).waitFor();
      await context.close();
    }
  });

  it("counts a run that has just ended without a reload", async () => {
    const live = await newSender(booted.client, booted.db);
    await live.send([refundRun(1)]);
    const { page, context } = await open("/why", { as: live });
    await page.getByText(/^1 run · /).waitFor();
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await live.send([refundRun(2)]);
    await page.getByText(/^2 runs · /).waitFor();
    await context.close();
  });

  it("says what is counted, in a dialog", async () => {
    const { page, context } = await open("/why");
    await page.getByRole("button", { name: "How this is counted" }).click();
    await page.getByRole("dialog").getByText("Not cause").waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("dialog")
      .waitFor({ state: "detached" })
      .catch(() => undefined);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await context.close();
  });
});

describe("a scorecard", () => {
  it("leads with what findings say of it, if anything, and never hides an option that was never chosen", async () => {
    const { page, context, pageErrors } = await open("/why");
    await card(page, "refund_api");
    await page.getByText(/^A turn with refund_api costs/).waitFor();
    await page.getByText("Association in the same situation, not cause").waitFor();
    await page.getByText(/Offered 260 times and never chosen/).waitFor();
    await page.getByRole("region", { name: "Choices by day" }).getByText("v2.2.4").waitFor();
    await page.getByRole("region", { name: "Same situation" }).getByText("cached policy").waitFor();
    await page
      .getByRole("region", { name: "Reasons given" })
      .getByText("The order number is known")
      .waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("has keys for options, failed traces and the neighbours in the list, and an address for each state", async () => {
    const { page, context } = await open("/why");
    await card(page, "refund_api");
    const first = page.url();
    await page.keyboard.press("2");
    await page.waitForURL(/option=[0-9a-f]{8}/);
    // The next key is about the selected option, and the page follows its address a moment later.
    await page
      .getByRole("button", { name: /^ask_human/, pressed: true })
      .first()
      .waitFor();
    await page.keyboard.press("f");
    await page.getByText("Decision: ask_human, then failed").waitFor();
    await page.goBack();
    await waitUntilLoaded(page);
    await page.getByText("Release", { exact: true }).click();
    await page.waitForURL(/like=release/);
    await page.getByRole("region", { name: "in v2.3.0" }).waitFor();
    await page.keyboard.press("]");
    await page.waitForURL((url) => !first.includes(url.pathname));
    await page.keyboard.press("[");
    await page.waitForURL((url) => first.includes(url.pathname));
    await context.close();
  });
});

describe("judging", () => {
  it("opens the newest decision for the selected option that nobody has judged", async () => {
    const { page, context } = await open("/why");
    await card(page, "refund_api");
    await page.keyboard.press("v");
    await page.waitForURL(/\/traces\/[^?]+\?decision=/);
    await page.getByRole("button", { name: "Wrong" }).first().waitFor();
    await context.close();
  });
});

describe("both pages", () => {
  it.each([
    ["/why", "/api/insights/decisions?*"],
    ["/why/:signature", "/api/insights/decisions/*"],
  ])("%s: show a skeleton while loading, and an error with a button to retry", async (path, request) => {
    const list: WhyList = (await user.get("/api/insights/decisions?agent=support-agent")).json;
    const refunds = list.rows.find(({ options }) => options.some(({ name }) => name === "refund_api"));
    const address = path.replace(":signature", refunds?.signature ?? "");
    const { page, context } = await open("/traces");
    let mode: "hold" | "fail" | "pass" = "hold";
    const held: Route[] = [];
    await page.route(`**${request}`, (route) => {
      if (mode === "hold") return void held.push(route);
      if (mode === "pass") return route.continue();
      return route.fulfill({ status: 429, json: { error: "Too many requests." } });
    });
    await page.goto(booted.client.url + address);
    await page.locator("#main [aria-label=Loading]").first().waitFor();
    mode = "fail";
    for (const route of held) await route.fulfill({ status: 429, json: { error: "Too many requests." } });
    await page.getByRole("alert").getByText("Too many requests.").waitFor();
    mode = "pass";
    await page.getByRole("button", { name: "Retry" }).last().click();
    await page.getByText("refund_api").first().waitFor();
    await context.close();
  });
});

describe("a rule", () => {
  it("is added from the scorecard, around the share of today, listed and deleted", async () => {
    // An attempt before may have left its rule.
    const { rules } = (await user.get("/api/insights/rules")).json;
    for (const { id } of rules) await user.delete(`/api/insights/rules/${id}`);
    const { page, context } = await open("/why");
    await card(page, "refund_api");
    await page.getByRole("button", { name: "Add CI rule" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("At least, in %").inputValue()).toBe("40");
    expect(await dialog.getByLabel("At most, in %").inputValue()).toBe("60");
    await dialog.getByRole("button", { name: "Add rule" }).click();
    const rule = dialog.getByRole("listitem").filter({ hasText: "refund_api between 40 % and 60 %" });
    await rule.getByRole("button", { name: /^Delete rule/ }).click();
    await rule.waitFor({ state: "detached" });
    await context.close();
  });
});

describe("numbers", () => {
  it("of the table and of a scorecard lead to exactly the traces that they count", async () => {
    const { page, context } = await open("/why?agent=support-agent");
    await tableRows(page).first().waitFor();
    const links = await counts(table(page));
    await card(page, "refund_api");
    links.push(...(await counts(table(page).first())), ...(await counts(page.getByRole("region"))));
    expect(links.length).toBeGreaterThanOrEqual(30);
    for (const { href, text, expected } of links) {
      await page.goto(booted.client.url + href);
      await waitUntilLoaded(page);
      await expect
        .poll(() => page.locator("h1 + span").textContent(), { message: `${text}: ${href}` })
        .toBe(expected);
    }
    await context.close();
    // It opens a page for each of dozens of links.
  }, 900_000);
});

/** All numbers that link to a list of traces, with the count that they promise. */
async function counts(within: Locator) {
  const links = await within.locator('a[href^="/traces?"]').evaluateAll((all) =>
    all.map((link) => ({
      href: link.getAttribute("href") ?? "",
      text: link.getAttribute("aria-label") ?? link.textContent ?? "",
    })),
  );
  return links.map((link) => ({
    ...link,
    expected: /([\d,]+) (?:runs?|failed)\b/.exec(link.text)?.[1] ?? "?",
  }));
}

describe("the pages of Why", () => {
  it.runIf(IS_WHOLE).each([1440, 390])(
    "at %i px both pages have no accessibility violation and do not scroll sideways",
    async (width) => {
      const { page, context } = await open("/why?aside=1", { width });
      await tableRows(page).first().waitFor();
      for (const name of ["list", "scorecard"]) {
        if (name === "scorecard") await card(page, "refund_api");
        await waitUntilLoaded(page);
        expect(await axeViolations(page), name).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
      await context.close();
    },
  );
});
