import type { Booted } from "@whytrace/testing/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/boot-at-origin.ts";
import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/sample-traces.ts";
import { signedInContext } from "@whytrace/testing/signed-in-context.ts";
import type { Browser, BrowserContext, Locator, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

const DAY_MS = 24 * 3_600_000;
const RUNS = 260;
const OPTIONS = ["refund_api", "ask_human", "lookup_policy", "issue_voucher"];

let browser: Browser;
let booted: Booted;
let user: Sender;
let newcomer: Sender;
let soloist: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  newcomer = await newSender(booted.client, booted.db);
  soloist = await newSender(booted.client, booted.db);
  for (let from = 0; from < RUNS; from += 65)
    await user.send(Array.from({ length: 65 }, (_, index) => refundRun(from + index)));
  await soloist.send(
    Array.from({ length: 3 }, () =>
      trace({
        startedAt: ago(DAY_MS),
        decisionPoints: [decision({ alternatives: [], timestamp: ago(DAY_MS) })],
      }),
    ),
  );
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

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
const group = (page: Page, name: string) => page.locator(`[data-group="${name}"]`);
const card = async (page: Page, name: string) => {
  await rows(page).filter({ hasText: name }).first().click();
  await page.getByRole("heading", { level: 1, name: new RegExp(name) }).waitFor();
  await waitUntilLoaded(page);
};

describe("the list of Why", () => {
  it("groups decisions, the one that costs the most first, and says why others are not compared", async () => {
    const { page, context, pageErrors } = await open("/why");
    await rows(page).first().waitFor();
    const worst = group(page, "worse").getByRole("row").nth(1);
    await worst.getByText("refund_api").waitFor();
    await worst.getByText("ask_human").waitFor();
    expect(await worst.locator('[data-tone="worse"]').getAttribute("aria-label")).toMatch(
      /^\+\d+ failures compared with ask_human, \d+ to \d+$/,
    );
    await group(page, "few").getByText("refunds every time · sales never chosen").waitFor();
    await page.getByText(/^260 runs · \d+ failed \(\d+ %\)/).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("works with the keyboard alone: rows, scorecard, failed traces, search and setting aside", async () => {
    const { page, context } = await open("/");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await rows(page).first().waitFor();
    await page.keyboard.press("j");
    const first = rows(page).first();
    expect(await first.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("f");
    await page.waitForURL(/\/traces\?.*outcome=failed/);
    await page.getByText("Decision: refund_api, then failed").waitFor();
    await page.goBack();
    await rows(page).first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/why\/[0-9a-f]{14}$/);
    await page.getByRole("heading", { level: 1, name: /^refund_api/ }).waitFor();
    await page.goBack();
    await page.keyboard.press("/");
    await page.keyboard.type("policy");
    await expect.poll(() => rows(page).count()).toBe(2);
    // Escape empties a field for searching.
    await page.keyboard.press("Escape");
    await expect.poll(() => rows(page).count()).toBeGreaterThan(2);

    const routing = rows(page).filter({ hasText: "refunds" });
    await routing.focus();
    await page.keyboard.press("m");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("A");
    await group(page, "aside").getByRole("button", { name: "Set aside 1" }).click();
    await group(page, "aside").locator("[data-row]").focus();
    await page.keyboard.press("m");
    await group(page, "aside").waitFor({ state: "detached" });
    await group(page, "few").getByText("sales never chosen").waitFor();
    await context.close();
  });

  it("keeps agent, range, type, order and folded groups in the URL, and the back button undoes them", async () => {
    const { page, context } = await open("/why");
    await rows(page).first().waitFor();
    await page.getByLabel("Agent").selectOption("support-agent");
    await page.waitForURL(/agent=support-agent/);
    await page.getByText("90d").click();
    await page.waitForURL(/range=90d/);
    await page.getByRole("button", { name: "Planning" }).click();
    await page.waitForURL(/type=PLANNING/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByText("Decided", { exact: true }).first().click();
    await page.waitForURL(/sort=decided/);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.locator("[data-group] button").first().click();
    await page.waitForURL(/toggled=/);
    await expect.poll(() => rows(page).count()).toBe(0);
    for (let step = 0; step < 3; step += 1) await page.goBack();
    await page.waitForURL((url) => !url.search.includes("type="));
    await expect.poll(() => rows(page).count()).toBeGreaterThan(1);
    expect(new URL(page.url()).search).toBe("?agent=support-agent&range=90d");
    await context.close();
  });

  it("tells apart that there is nothing, nothing in the range, nothing to compare and nothing that matches", async () => {
    for (const [path, as, heading] of [
      ["/why", newcomer, "No decisions yet"],
      ["/why?agent=nobody", user, "No decisions of nobody"],
      ["/why", soloist, "3 decisions, none with alternatives"],
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
    await page.getByText(/^2 runs · /).waitFor({ timeout: 15_000 });
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
  it("leads with what the worst option costs, and never hides an option that was never chosen", async () => {
    const { page, context, pageErrors } = await open("/why");
    await card(page, "refund_api");
    await page.getByText(/After refund_api came \d+ more failures/).waitFor();
    await page.getByText(/Offered 260 times and never chosen/).waitFor();
    await page.getByRole("region", { name: "Choices by day" }).getByText("v2.2.4").waitFor();
    await page.getByRole("region", { name: "Like with like" }).getByText("cached policy").waitFor();
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
    await page
      .getByRole("button", { name: /^ask_human/ })
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
    const { rows: listed } = (await user.get("/api/insights/decisions")).json;
    const address = path.replace(":signature", listed[0].signature);
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
    const { page, context } = await open("/why");
    await card(page, "refund_api");
    await page.getByRole("button", { name: "Watch drift" }).click();
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
  it("of the list and of a scorecard lead to exactly the traces that they count", async () => {
    const { page, context } = await open("/why?agent=support-agent");
    await rows(page).first().waitFor();
    const links = await counts(page.locator("main"));
    await card(page, "refund_api");
    links.push(...(await counts(page.locator("main"))));
    expect(links.length).toBeGreaterThanOrEqual(30);
    for (const { href, text, expected } of links) {
      await page.goto(booted.client.url + href);
      await waitUntilLoaded(page);
      await expect
        .poll(() => page.locator("h1 + span").textContent(), { message: `${text}: ${href}` })
        .toBe(expected);
    }
    await context.close();
  });
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
  it.each([1440, 390])(
    "at %i px both pages have no accessibility violation and do not scroll sideways",
    async (width) => {
      const { page, context } = await open("/why?toggled=aside", { width });
      await rows(page).first().waitFor();
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
