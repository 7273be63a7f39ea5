import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sampleOf } from "@whytrace/testing/volume.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

const COUNT = 60;
const TYPES = ["TOOL_SELECTION", "ROUTING", "RETRY"];
const STATUSES = ["COMPLETED", "ERROR", "RUNNING"];

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send(
    Array.from({ length: COUNT }, (_, i) =>
      trace({
        name: `run ${String(i).padStart(2, "0")}`,
        sessionId: `s-${i % 30}`,
        status: STATUSES[i % 3],
        tags: [`tag-${i % 4}`, "all"],
        totalDuration: i * 1_000,
        totalCost: i / 100,
        startedAt: new Date(Date.UTC(2026, 0, 1, 0, (i * 7) % COUNT)).toISOString(),
        metadata: { env: i % 6 ? "prod" : "staging" },
        spans: [span({ metadata: { model: `model-${i % 5}` }, status: i % 7 ? "COMPLETED" : "ERROR" })],
        decisionPoints: [
          decision({
            type: TYPES[i % 3],
            reasoning: `because ${i}`,
            chosen: `way ${i % 10}`,
            costUsd: i / 1_000,
          }),
        ],
      }),
    ),
  );
  browser = await openBrowser();
});

interface Case {
  list: string;
  filter: string;
  /** Sets the filter with the list's own control. */
  set: (page: Page) => Promise<unknown>;
  /** The URL search parameters that result. */
  params: Record<string, string | RegExp>;
}

const radio = (name: string) => (page: Page) => page.getByText(name, { exact: true }).click();
const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();
async function fill(page: Page, chip: string, fields: Record<string, string>) {
  await press(chip)(page);
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
  await press("Apply")(page);
}

const CASES: Case[] = [
  {
    list: "/traces",
    filter: "name",
    set: (page) => page.getByLabel("Search by name").fill("run 3"),
    params: { search: "run 3" },
  },
  {
    list: "/traces",
    filter: "a name that looks like a number",
    set: (page) => page.getByLabel("Search by name").fill("05"),
    params: { search: "05" },
  },
  {
    list: "/traces",
    filter: "status",
    set: (page) => page.getByLabel("Status").selectOption("ERROR"),
    params: { status: "ERROR" },
  },
  {
    list: "/traces",
    filter: "model, typed",
    set: (page) => addFilter(page, "Model", { "Name of the model": "model-3" }),
    params: { model: "model-3" },
  },
  {
    list: "/traces",
    filter: "tags, typed",
    set: (page) => addFilter(page, "Tags", { "Any of these tags": "tag-1, tag-2" }),
    params: { tags: "tag-1,tag-2" },
  },
  {
    list: "/traces",
    filter: "tags, picked",
    set: async (page) => {
      await press("+ Filter")(page);
      await page.getByRole("menuitem", { name: "Tags", exact: true }).click();
      await press("tag-3")(page);
      await press("Apply")(page);
    },
    params: { tags: "tag-3" },
  },
  {
    list: "/traces",
    filter: "session, typed",
    set: (page) => addFilter(page, "Session", { "Session ID": "s-7" }),
    params: { sessionId: "s-7" },
  },
  {
    list: "/traces",
    filter: "received in the last hour",
    set: async (page) => {
      await press("Time")(page);
      await press("1 hour")(page);
    },
    params: { received: "1h" },
  },
  {
    list: "/traces",
    filter: "received from and to",
    set: (page) => fill(page, "Time", { From: "2020-01-02T03:04", To: "2020-02-03T04:05" }),
    params: { dateFrom: /^2020-01-0[123]T/, dateTo: /^2020-02-0[234]T/ },
  },
  { list: "/traces", filter: "sort longest", set: press("Duration"), params: { sort: "longest" } },
  { list: "/traces", filter: "sort costliest", set: press("Cost"), params: { sort: "costliest" } },
  { list: "/traces", filter: "sort oldest", set: press("Started"), params: { sort: "oldest" } },
  { list: "/traces", filter: "page", set: press("Next →"), params: { page: "2" } },
  {
    list: "/traces",
    filter: "page size",
    set: (page) => page.getByLabel("Page size").selectOption("50"),
    params: { limit: "50" },
  },
  {
    list: "/decisions",
    filter: "search",
    set: (page) => page.getByLabel("Search reasoning, choices and trace names").fill("because 1"),
    params: { search: "because 1" },
  },
  { list: "/decisions", filter: "type", set: press("Retry"), params: { type: "RETRY" } },
  { list: "/decisions", filter: "sort oldest", set: radio("Oldest"), params: { sort: "oldest" } },
  { list: "/decisions", filter: "sort costliest", set: radio("Costliest"), params: { sort: "costliest" } },
  { list: "/decisions", filter: "page", set: press("Next →"), params: { page: "2" } },
  { list: "/sessions", filter: "page", set: press("Next →"), params: { page: "2" } },
  { list: "/sessions/s-3", filter: "view", set: radio("Table"), params: { view: "table" } },
];

/** Adds a filter that has no chip yet, with its fields. */
async function addFilter(page: Page, filter: string, fields: Record<string, string>) {
  await press("+ Filter")(page);
  await page.getByRole("menuitem", { name: filter, exact: true }).click();
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
  await press("Apply")(page);
}

/** Picks a value that the server suggests. */
async function pick(page: Page, value: string) {
  await page.getByRole("dialog").getByRole("button", { name: value, exact: true }).click();
}

/** Filters that are tried one after the other on the same page. */
const MORE_CASES: Omit<Case, "filter">[] = [
  {
    list: "/traces",
    set: (page) => addFilter(page, "Cost", { "At least": "0.1", "At most": "0.25" }),
    params: { costFrom: "0.1", costTo: "0.25" },
  },
  {
    list: "/traces",
    set: (page) => addFilter(page, "Duration", { "At least": "30000" }),
    params: { durationFrom: "30000" },
  },
  {
    list: "/traces",
    set: (page) => addFilter(page, "Errors", { "At least": "1" }),
    params: { errorsFrom: "1" },
  },
  {
    list: "/traces",
    set: (page) => addFilter(page, "Metadata", { "Key and value": "env=staging" }),
    params: { "metadata.env": "staging" },
  },
  {
    list: "/traces",
    set: async (page) => {
      await press("+ Filter")(page);
      await page.getByRole("menuitem", { name: "Metadata" }).click();
      await pick(page, "env=prod");
    },
    params: { "metadata.env": "prod" },
  },
  {
    list: "/traces",
    set: (page) => addFilter(page, "Agent", { "Name of the agent": "run 07" }),
    params: { agent: "run 07" },
  },
  {
    list: "/traces",
    set: async (page) => {
      await press("+ Filter")(page);
      await page.getByRole("menuitem", { name: "Choice" }).click();
      await pick(page, "way 3");
    },
    params: { choice: "way 3" },
  },
  {
    list: "/traces",
    set: async (page) => {
      await press("+ Filter")(page);
      await page.getByRole("menuitem", { name: "Decision type" }).click();
      await page.getByLabel("Decision type", { exact: true }).selectOption("RETRY");
    },
    params: { choiceType: "RETRY" },
  },
  {
    list: "/traces",
    set: async (page) => {
      await press("+ Filter")(page);
      await page.getByRole("menuitem", { name: "Decided" }).click();
      await page.getByLabel("Decided", { exact: true }).selectOption("no");
    },
    params: { decided: "no" },
  },
  {
    list: "/decisions",
    set: (page) => fill(page, "Agent", { "Name of the agent": "run 07" }),
    params: { agent: "run 07" },
  },
  {
    list: "/decisions",
    set: async (page) => {
      await press("Choice")(page);
      await pick(page, "way 3");
    },
    params: { choice: "way 3" },
  },
  {
    list: "/decisions",
    set: (page) => page.getByLabel("Outcome", { exact: true }).selectOption("failed"),
    params: { outcome: "failed" },
  },
  {
    list: "/decisions",
    set: (page) => page.getByLabel("Source", { exact: true }).selectOption("true"),
    params: { inferred: "true" },
  },
  {
    list: "/decisions",
    set: async (page) => {
      await press("Time")(page);
      await press("24 hours")(page);
    },
    params: { last: "24h" },
  },
  {
    list: "/decisions",
    set: (page) => fill(page, "Time", { From: "2020-01-02T03:04", To: "2027-02-03T04:05" }),
    params: { from: /^2020-01-0[123]T/, to: /^2027-02-0[234]T/ },
  },
];

/** Everything that a filter changes on the page: the rows, their order and number, and the controls. */
const viewOf = (page: Page) =>
  page.evaluate(() => ({
    // Relative times may change between two snapshots.
    main: document.querySelector("main")?.textContent.replaceAll(/\d+ (s|min|h|d) ago|just now/g, "ago"),
    links: [...document.querySelectorAll<HTMLAnchorElement>("main [data-row]")].map(({ href }) => href),
    fields: [...document.querySelectorAll<HTMLInputElement>("main input, main select")].map((field) =>
      field.type === "radio" ? field.checked : field.value,
    ),
    pressed: [...document.querySelectorAll("main [aria-pressed=true]")].map(({ textContent }) => textContent),
  }));

async function settledView(page: Page) {
  await page.locator("main [aria-busy=false], main ol, main table").first().waitFor();
  await page.waitForFunction(() => !document.querySelector("main [aria-busy=true], main [data-skeleton]"));
  // Hover styles are not part of the view.
  await page.mouse.move(0, 0);
  return viewOf(page);
}

describe.each(sampleOf(CASES))("$list, by $filter", ({ list, set, params }) => {
  it("is in the URL: reload, back, forward and a pasted link show the same", async () => {
    const context = await signedInContext(browser, user);
    const { page, pageErrors } = await openPage(context);
    await page.goto(booted.client.url + list);
    await page.locator("[data-row]").first().waitFor();
    const before = await settledView(page);

    await set(page);
    await page.waitForURL((url) => url.search !== "");
    const parameters = new URL(page.url()).searchParams;
    expect([...parameters.keys()].sort()).toEqual(Object.keys(params).sort());
    for (const [name, value] of Object.entries(params)) expect(parameters.get(name)).toMatch(value);
    const address = page.url();
    const { page: pasted } = await openPage(context);
    await pasted.goto(address);
    const after = await settledView(pasted);
    expect(after).not.toEqual(before);

    // A page that is open follows its address a moment later.
    const view = () => settledView(page);
    await expect.poll(view).toEqual(after);
    await page.reload();
    await expect.poll(view).toEqual(after);
    await page.goBack();
    await page.waitForURL(booted.client.url + list);
    await expect.poll(view).toEqual(before);
    await page.goForward();
    await page.waitForURL(address);
    await expect.poll(view).toEqual(after);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("every further filter", () => {
  it("has a chip and is in the URL; back and forward show the same, and its ✕ clears it", async () => {
    const context = await signedInContext(browser, user);
    const { page, pageErrors } = await openPage(context);
    for (const { list, set, params } of sampleOf(MORE_CASES)) {
      // After each case, the list is shown without filters again.
      if (page.url() !== booted.client.url + list) await page.goto(booted.client.url + list);
      await page.locator("[data-row]").first().waitFor();
      const before = await settledView(page);
      await set(page);
      await page.waitForURL((url) => url.search !== "");
      const parameters = new URL(page.url()).searchParams;
      expect([...parameters.keys()].sort()).toEqual(Object.keys(params).sort());
      for (const [name, value] of Object.entries(params)) expect(parameters.get(name)).toMatch(value);
      // The page follows its address a moment later.
      const view = () => settledView(page);
      await expect.poll(view).not.toEqual(before);
      const after = await view();
      const address = page.url();
      await page.goBack();
      await page.waitForURL(booted.client.url + list);
      await expect.poll(view).toEqual(before);
      await page.goForward();
      await page.waitForURL(address);
      await expect.poll(view).toEqual(after);
      await page.getByRole("button", { name: /^Clear (?!filters)/ }).click();
      await page.waitForURL(booted.client.url + list);
      await expect.poll(view).toEqual(before);
    }
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("a filter chip", () => {
  it("shows its value, and its ✕ clears the filter", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/traces?status=ERROR&tags=tag-1&sessionId=s-1&received=7d`);
    for (const [label, value] of [
      ["Tags", "tag-1"],
      ["Session", "s-1"],
      ["Time", "7 days"],
    ] as const) {
      const chip = page.getByRole("button", { name: `${label}: ${value}` });
      await chip.waitFor();
      await page.getByRole("button", { name: `Clear ${label}` }).click();
      await chip.waitFor({ state: "detached" });
    }
    await page.getByRole("button", { name: "Clear Status" }).click();
    await page.waitForURL(`${booted.client.url}/traces`);
    await context.close();
  });

  it("goes to the first page when it changes", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/traces?page=3`);
    await page.getByText("Page 3 of 3").waitFor();
    await page.getByLabel("Status").selectOption("ERROR");
    await page.waitForURL(`${booted.client.url}/traces?status=ERROR`);
    await context.close();
  });
});

describe("a URL", () => {
  it.each(["/traces", "/decisions", "/sessions"])(
    "%s past the last page offers the first page",
    async (list) => {
      const context = await signedInContext(browser, user);
      const { page } = await openPage(context);
      await page.goto(`${booted.client.url}${list}?page=99`);
      await page.getByText("Page 99 does not exist").waitFor();
      await page.getByRole("button", { name: "Go to first page" }).click();
      await page.locator("[data-row]").first().waitFor();
      await context.close();
    },
  );

  it("with invalid parameters shows the list without them", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(
      `${booted.client.url}/traces?status=x&dateFrom=x&dateTo=x&received=x&sort=x&page=x&limit=7`,
    );
    await page.getByText(`1–20 of ${COUNT}`).waitFor();
    await context.close();
  });

  it("of a decision opens it inside its trace", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/decisions?sort=oldest`);
    const link = page.locator("[data-row]").first();
    await link.waitFor();
    const { decisions } = (await user.get("/api/decisions?sort=oldest&limit=1")).json;
    expect(await link.getAttribute("href")).toBe(
      `/traces/${decisions[0].traceId}?decision=${decisions[0].id}`,
    );
    await context.close();
  });
});

describe("typing into the search field", () => {
  it("adds one history entry, for any number of letters", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/traces`);
    await page.locator("[data-row]").first().waitFor();
    await page.getByLabel("Search by name").pressSequentially("run 1", { delay: 200 });
    await page.waitForURL("**/traces?search=run+1");
    await expect.poll(() => page.getByLabel("Search by name").inputValue()).toBe("run 1");
    await page.goBack();
    await page.waitForURL(`${booted.client.url}/traces`);
    await expect.poll(() => page.getByLabel("Search by name").inputValue()).toBe("");
    await context.close();
  });

  it("does not navigate back to the list after a click on a row", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.clock.install();
    await page.goto(`${booted.client.url}/traces?sort=oldest`);
    const row = page.getByRole("link", { name: "run 00" });
    await row.waitFor();
    // A slow response keeps the list on screen after the click.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/api/traces/*", async (route) => {
      await answered;
      await route.continue();
    });
    await page.getByLabel("Search by name").fill("run");
    await row.click();
    await page.waitForURL(/\/traces\/[^?]+/);
    // Longer than the field waits for another letter.
    await page.clock.runFor(2_000);
    answer();
    expect(new URL(page.url()).pathname).toMatch(/^\/traces\/.+/);
    await page.goBack();
    await page.waitForURL("**/traces?sort=oldest&search=run");
    await page.unrouteAll({ behavior: "wait" });
    await context.close();
  });
});
