import type { SearchLine } from "@whytrace/contract";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { COUNTDOWN } from "./countdown.ts";
import { failRequests } from "./fail-requests.ts";

const COUNT = 120;
const startedAt = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  const runs = Array.from({ length: COUNT }, (_, i) =>
    trace({
      id: `run-${i}`,
      name: `run ${i}`,
      status: i % 3 === 0 ? "ERROR" : "COMPLETED",
      tags: [`tag-${i % 2}`],
      startedAt: startedAt(i),
      spans: [
        span({
          id: "ask",
          name: "ask",
          input: { order: `pelican ${i}` },
          output: i === 7 ? "a rare walrus" : "",
        }),
      ],
    }),
  );
  for (const batch of [runs, [everyField(), longTrace()]]) expect((await user.send(batch)).status).toBe(200);
  browser = await openBrowser();
});

/** A trace with another word in each field. */
const everyField = () =>
  trace({
    id: "fields",
    name: "agent of zebra-name",
    metadata: { note: "zebra-trace" },
    startedAt: startedAt(500),
    spans: [
      span({
        id: "s",
        name: "call zebra-span",
        type: "TOOL_CALL",
        status: "ERROR",
        statusMessage: "no zebra-status",
        input: { rows: Array.from({ length: 900 }, (_, i) => (i === 700 ? "the zebra-input" : `row ${i}`)) },
        output: `${"Some words before it. ".repeat(300)}She said "zebra-output\n to Zoë".`,
        metadata: { deep: { deeper: { deepest: "zebra-span-metadata" } } },
      }),
      span({
        id: "chat",
        name: "chat",
        input: { messages: [{ role: "user", content: "Is there a zebra-chat?" }] },
        output: {
          role: "assistant",
          content: `${"Let me think. ".repeat(200)}A zebra-chat, yes: zebra-answer.`,
        },
      }),
    ],
    decisionPoints: [
      decision({
        id: "d",
        parentSpanId: "s",
        reasoning: "because of zebra-reasoning",
        chosen: { name: "go", why: `${"x".repeat(500)} zebra-chosen` },
        alternatives: [{ name: "zebra-alternative" }],
        contextSnapshot: { seen: ["zebra-context"] },
      }),
    ],
    events: [
      event({ id: "e1", spanId: "s", name: "zebra-event" }),
      event({ id: "e2", spanId: "s", name: "note", metadata: { text: "zebra-event-metadata" } }),
      event({ id: "e3", name: "alone", metadata: { text: "zebra-lonely" } }),
    ],
  });

/** Payloads with matches far apart. */
const longTrace = () =>
  trace({
    id: "long",
    name: "long run",
    startedAt: startedAt(501),
    metadata: { text: "okapi in the trace" },
    spans: Array.from({ length: 60 }, (_, i) =>
      span({
        id: `s${i}`,
        name: i === 3 ? "okapi step" : `step ${i}`,
        type: "TOOL_CALL",
        startedAt: startedAt(501 + i),
        input: i === 40 ? { one: "okapi", list: ["Okapi", "none"] } : { one: "none" },
        output: i === 50 ? { text: `${"okapi ".repeat(2)}and ${"more words ".repeat(400)}okapi` } : null,
      }),
    ),
  });

async function open(path: string, options?: Parameters<Browser["newContext"]>[0]) {
  const context = await signedInContext(browser, user, {
    reducedMotion: "reduce",
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const watched = await openPage(context);
  await watched.page.goto(booted.client.url + path);
  return { ...watched, context };
}

const everything = (text: string, more = "") =>
  `/traces?search=${encodeURIComponent(text)}&in=everything${more}`;
const hits = (page: Page) => page.getByRole("list", { name: "Hits" });
const status = (page: Page, name: string) => page.locator(`[data-search=${name}]`);
const current = (page: Page) => page.locator("[role=tabpanel] mark[data-current]");
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const isInView = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return shown !== null && (element.contains(shown) || shown.contains(element));
    });

/** Replaces the search's responses in the page by streams that the test writes. */
async function controlSearch(page: Page) {
  await page.addInitScript(() => {
    const send = window.fetch;
    const state = { urls: [] as string[], aborted: 0, controllers: [] as ReadableStreamDefaultController[] };
    Object.assign(window, { searches: state });
    window.fetch = (input, init) => {
      if (!String(input).startsWith("/api/search")) return send(input, init);
      state.urls.push(String(input));
      const body = new ReadableStream({
        start(controller) {
          state.controllers.push(controller);
          init?.signal?.addEventListener("abort", () => {
            state.aborted += 1;
            controller.error(new DOMException("aborted", "AbortError"));
          });
        },
      });
      return Promise.resolve(new Response(body));
    };
  });
  const write = (text: string, isLast: boolean) =>
    page.evaluate(
      ([chunk, last]) => {
        const controller = Reflect.get(window, "searches").controllers.at(-1);
        controller.enqueue(new TextEncoder().encode(String(chunk)));
        if (last) controller.close();
      },
      [text, isLast],
    );
  return {
    write: (lines: SearchLine[], isLast = false) =>
      write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), isLast),
    urls: (): Promise<string[]> => page.evaluate(() => Reflect.get(window, "searches").urls),
    aborted: (): Promise<number> => page.evaluate(() => Reflect.get(window, "searches").aborted),
  };
}

const hitLine = (i: number): SearchLine => ({
  kind: "hit",
  traceId: `run-${i}`,
  traceName: `run ${i}`,
  traceStartedAt: startedAt(i),
  status: "COMPLETED",
  record: { kind: "span", id: "ask", name: "ask" },
  field: "input",
  before: "a ",
  match: "pelican",
  after: ` ${i}`,
});

describe("a search in everything", () => {
  it.each([
    { text: "zebra-name", label: "Trace", field: "name" },
    { text: "zebra-trace", label: "Trace", field: "metadata" },
    { text: "zebra-span-metadata", label: "Span", field: "metadata" },
    { text: "call zebra-span", label: "Span", field: "name" },
    { text: "zebra-status", label: "Span", field: "status message" },
    { text: "ZEBRA-input", label: "Span", field: "input" },
    { text: 'said "zebra-output\n to zoë', label: "Span", field: "output" },
    { text: "zebra-answer", label: "Span", field: "output" },
    { text: "zebra-reasoning", label: "Decision", field: "reasoning" },
    { text: "zebra-chosen", label: "Decision", field: "chosen option" },
    { text: "zebra-alternative", label: "Decision", field: "alternatives" },
    { text: "zebra-context", label: "Decision", field: "context" },
    { text: "zebra-event-metadata", label: "Event", field: "metadata" },
    { text: "zebra-lonely", label: "Event", field: "metadata" },
  ])("finds $text in the $field of a $label, and its hit opens it there", async ({ text, label, field }) => {
    const { page, pageErrors, context } = await open(everything(text));
    await status(page, "ended").waitFor();
    const hit = hits(page).locator("li li a");
    expect(await hit.count()).toBe(1);
    await hit.getByRole("img", { name: label }).waitFor();
    await hit.getByText(field, { exact: true }).waitFor();
    expect((await hit.locator("mark").textContent())?.toLowerCase()).toBe(text.toLowerCase());
    await hit.click();
    await page.waitForURL(/\/traces\/fields\?/);
    expect(param(page, "q")).toBe(text);
    if (text !== "zebra-name") {
      await current(page).first().waitFor();
      const words = (await current(page).allTextContents()).join(" ").replaceAll(/\s+/g, " ");
      expect(words.toLowerCase()).toBe(text.replaceAll(/\s+/g, " ").toLowerCase());
      await expect.poll(() => isInView(page, "[role=tabpanel] mark[data-current]")).toBe(true);
    }
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("groups the hits by trace, and a hit in the output opens the output, not an earlier match in the input", async () => {
    const { page, context } = await open(everything("zebra-chat"));
    await status(page, "ended").waitFor();
    const group = hits(page).locator("> li");
    expect(await group.count()).toBe(1);
    await group.getByRole("heading", { name: "agent of zebra-name" }).waitFor();
    expect(await group.locator("li a").count()).toBe(2);
    await group.locator("li a").filter({ hasText: "output" }).click();
    await page.getByText("2 of 2 here").waitFor();
    await expect.poll(() => isInView(page, "[role=tabpanel] mark[data-current]")).toBe(true);
    await page.getByRole("button", { name: "Next occurrence" }).click();
    await page.getByText("1 of 2 here").waitFor();
    await page.locator("#main").focus();
    await page.keyboard.press(",");
    await page.getByText("2 of 2 here").waitFor();
    await page.reload();
    await page.getByText("2 of 2 here").waitFor();
    await context.close();
  });

  it("is in the URL with the other filters: reload, back, forward and a pasted link show the same", async () => {
    const { page, pageErrors, context } = await open("/traces");
    await page.locator("[data-row]").first().waitFor();
    await page.getByText("Everything", { exact: true }).click();
    await page.getByText("Type at least 2 characters").waitFor();
    await page.getByLabel("Search in everything").fill("pelican 1");
    await status(page, "ended").waitFor();
    await page.getByLabel("Status").selectOption("ERROR");
    await page.waitForURL((url) => url.searchParams.has("status"));
    await status(page, "ended").waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      search: "pelican 1",
      in: "everything",
      status: "ERROR",
    });
    const view = () =>
      hits(page)
        .locator("a")
        .evaluateAll((links) => links.map((link) => `${link.getAttribute("href")} ${link.textContent}`));
    const expected = Array.from({ length: COUNT }, (_, i) => i).filter(
      (i) => i % 3 === 0 && String(i).startsWith("1"),
    );
    // The hits of the search before are shown until the page follows its address.
    await expect.poll(view).toHaveLength(expected.length * 2);
    const before = await view();
    await page.reload();
    await status(page, "ended").waitFor();
    expect(await view()).toEqual(before);
    const { page: pasted } = await openPage(context);
    await pasted.goto(page.url());
    await pasted.locator("[data-search=ended]").waitFor();
    expect(await pasted.locator("ol a").count()).toBe(before.length);
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has("status"));
    expect(await page.getByLabel("Search in everything").inputValue()).toBe("pelican 1");
    await page.goForward();
    await expect.poll(view).toEqual(before);
    await page.getByText("Names", { exact: true }).click();
    await page.getByText("No traces match these filters").waitFor();
    await page.getByRole("button", { name: "Search for “pelican 1” in everything" }).click();
    await expect.poll(view).toEqual(before);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("pauses after 50 hits and searches on from there, newest first", async () => {
    const { page, context } = await open(everything("pelican"));
    await page.getByText(/^50 hits in 50 traces/).waitFor();
    await page.getByRole("button", { name: "Search on" }).click();
    await page.getByText(/^100 hits in 100 traces/).waitFor();
    await page.getByRole("button", { name: "Search on" }).click();
    await page
      .getByText(new RegExp(`^${COUNT} hits in ${COUNT} traces · searched ${COUNT + 2} traces`))
      .waitFor();
    expect(await page.getByRole("button", { name: "Search on" }).count()).toBe(0);
    const names = await hits(page).locator("h2").allTextContents();
    expect(names).toEqual(Array.from({ length: COUNT }, (_, i) => `run ${COUNT - 1 - i}`));
    await context.close();
  });

  it("keeps its hits and the place in the list when the user returns from a hit", async () => {
    const { page, context } = await open(everything("pelican"));
    await page.getByRole("button", { name: "Search on" }).click();
    await page.getByText(/^100 hits in 100 traces/).waitFor();
    await hits(page).locator("li li a").nth(80).click();
    await page.getByRole("heading", { name: "run 39" }).waitFor();
    await current(page).waitFor();
    await page.goBack();
    await page.getByText(/^100 hits in 100 traces/).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
    await context.close();
  });

  it("says what it found nothing in, and offers to search all traces", async () => {
    const { page, context } = await open(everything("no such text", "&status=ERROR"));
    await page.getByRole("heading", { name: "Nothing found" }).waitFor();
    await page.getByText(/^No hits · searched 40 traces/).waitFor();
    await page.getByRole("button", { name: "Search in all traces" }).click();
    await page.waitForURL((url) => !url.searchParams.has("status"));
    await page.getByText(/^No hits · searched 122 traces/).waitFor();
    expect(await page.getByRole("button", { name: "Search in all traces" }).count()).toBe(0);
    await context.close();
  });

  it("waits for more letters, sends one request for them and aborts the one before", async () => {
    const { page, context } = await open("/login");
    const search = await controlSearch(page);
    await page.goto(`${booted.client.url}/traces?in=everything`);
    await page.getByText("Type at least 2 characters").waitFor();
    const field = page.getByLabel("Search in everything");
    await field.fill("p");
    await page.waitForURL((url) => url.searchParams.get("search") === "p");
    expect(await search.urls()).toEqual([]);
    // In one task of the page: a busy machine could pause between two keys for longer than the field waits.
    await field.evaluate(() => {
      for (const letter of "elic") document.execCommand("insertText", false, letter);
    });
    await expect.poll(search.urls).toEqual(["/api/search?q=pelic&limit=50"]);
    await field.fill("pelican");
    await field.press("Enter");
    await expect
      .poll(search.urls)
      .toEqual(["/api/search?q=pelic&limit=50", "/api/search?q=pelican&limit=50"]);
    expect(await search.aborted()).toBe(1);
    await context.close();
  });

  it("shows hits and progress while they arrive, stops, and goes on from the last cursor", async () => {
    const { page, context } = await open("/login");
    const search = await controlSearch(page);
    await page.goto(booted.client.url + everything("pelican"));
    await page.getByText("No hits yet · searching…").waitFor();
    const announced = page.locator("[data-search] [role=status]");
    await expect.poll(() => announced.textContent()).toBe("Searching");
    await search.write([
      { kind: "progress", traces: 12_400, totalTraces: 100_000, bytes: 1.2e9, cursor: "a" },
    ]);
    await page.getByText("No hits yet · searched 12,400 of 100,000 traces · 1.2 GB").waitFor();
    await search.write([hitLine(1)]);
    await page.getByText(/^1 hit in 1 trace · searched 12,400/).waitFor();
    const bar = page.getByRole("progressbar", { name: "Searched traces" });
    expect(await bar.getAttribute("aria-valuenow")).toBe("12400");
    expect(await bar.getAttribute("aria-valuemax")).toBe("100000");
    await search.write([
      { kind: "progress", traces: 55_000, totalTraces: 100_000, bytes: 5e9, cursor: "b" },
      hitLine(2),
    ]);
    await page.getByText(/^2 hits in 2 traces · searched 55,000/).waitFor();
    await expect.poll(() => announced.textContent()).toBe("Searched 50 percent");
    await page.getByRole("button", { name: "Stop" }).click();
    await page
      .getByText(/^Stopped · 2 hits in 2 traces · searched 55,000 of 100,000 traces · 5.0 GB/)
      .waitFor();
    await expect.poll(() => announced.textContent()).toBe("Search stopped. 2 hits in 2 traces.");
    expect(await search.aborted()).toBe(1);
    await page.getByRole("button", { name: "Search on" }).click();
    await expect
      .poll(search.urls)
      .toEqual(["/api/search?q=pelican&limit=50", "/api/search?q=pelican&limit=50&cursor=b"]);
    // What had arrived after the cursor arrives again.
    await search.write([hitLine(2), hitLine(3)]);
    await search.write([{ kind: "end", cursor: null, traces: 45_000, bytes: 4e9 }], true);
    await page.getByText("3 hits in 3 traces · searched 100,000 traces · 9.0 GB").waitFor();
    await expect.poll(() => announced.textContent()).toBe("Search ended. 3 hits in 3 traces.");
    await context.close();
  });

  it("that breaks off or fails keeps its hits, and Retry goes on; a rate limit says when", async () => {
    const { page, context } = await open("/login");
    const search = await controlSearch(page);
    await page.goto(booted.client.url + everything("pelican"));
    await status(page, "searching").waitFor();
    await search.write([hitLine(1)], true);
    await page.getByRole("alert").getByText("The search broke off.").waitFor();
    expect(await hits(page).locator("h2").count()).toBe(1);
    await page.getByRole("button", { name: "Retry" }).click();
    await status(page, "searching").waitFor();
    await search.write([hitLine(1), { kind: "end", cursor: null, traces: 1, bytes: 1 }], true);
    await page.getByText("1 hit in 1 trace · searched 1 trace · 1 B").waitFor();
    await context.close();

    const limited = await open("/login");
    let isLimited = true;
    await limited.page.route("**/api/search?*", (route) =>
      isLimited
        ? route.fulfill({
            status: 429,
            headers: { "retry-after": "7" },
            json: { error: "Too many requests. Try again in 7 s." },
          })
        : route.continue(),
    );
    await limited.page.goto(booted.client.url + everything("walrus"));
    await limited.page.getByRole("alert").getByText("Too many requests.", { exact: true }).waitFor();
    await limited.page.getByText(COUNTDOWN).waitFor();
    isLimited = false;
    await limited.page.getByRole("button", { name: "Retry" }).click();
    await limited.page.getByText(/^1 hit in 1 trace/).waitFor();
    expect(await limited.page.getByRole("alert").count()).toBe(0);
    await limited.context.close();
  });

  it("is reached from the command palette, and its hits with j, k and Tab", async () => {
    const { page, context } = await open("/");
    await page.getByRole("heading").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("walrus");
    await page.getByRole("option", { name: "Search everything for “walrus”" }).click();
    await status(page, "ended").waitFor();
    await page.locator("#main").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("run 7");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await current(page).waitFor();
    expect(await current(page).textContent()).toBe("walrus");
    await context.close();
  });

  it.runIf(IS_WHOLE)("has no axe violation and fits every width", async () => {
    for (const path of [
      everything("zebra"),
      everything("no such text"),
      "/traces?in=everything",
      "/traces/fields?q=zebra",
      "/traces/fields?span=s&tab=io&q=zebra",
      "/traces/fields?decision=d&q=zebra",
      "/traces/fields?event=e2&q=zebra",
      "/traces/fields?q=zebra&view=transcript",
    ])
      for (const width of [1440, 390]) {
        const { page, pageErrors, context } = await open(path, {
          viewport: { width, height: 844 },
        });
        await page.locator("h1").first().waitFor();
        if (path.includes("search=")) await status(page, "ended").waitFor();
        await waitUntilLoaded(page);
        expect(await axeViolations(page), path).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, path).toBeLessThanOrEqual(0);
        if (width < 640 && path.startsWith("/traces?search=zebra"))
          for (const link of await hits(page).locator("a").all())
            expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
        expect(pageErrors).toEqual([]);
        await context.close();
      }
  });
});

describe("a search in one trace", () => {
  it("marks the rows whose payloads match, counts them, and steps through them", async () => {
    const { page, pageErrors, context } = await open("/traces/long");
    await page.locator("[data-key='s:s0']").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("okapi");
    await page.getByText("3", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1 of 3").waitFor();
    await page.locator("[data-key='s:s3'][aria-selected=true]").waitFor();
    await page.getByRole("treegrid").focus();
    await page.keyboard.press("n");
    const inputRow = page.locator("[data-key='s:s40'][aria-selected=true]");
    await inputRow.waitFor();
    await inputRow.getByTitle("Found in input").waitFor();
    // The tab with the match opens.
    await page.getByRole("tab", { name: "Input / Output", selected: true }).waitFor();
    await page.getByText("1 of 2 here").waitFor();
    await page.keyboard.press("n");
    await page.locator("[data-key='s:s50'][aria-selected=true]").waitFor();
    await page.getByText("1 of 3 here").waitFor();
    for (const position of ["2 of 3 here", "3 of 3 here"]) {
      await page.getByRole("button", { name: "Next occurrence" }).click();
      await page.getByText(position).waitFor();
      await expect.poll(() => isInView(page, "[role=tabpanel] mark[data-current]")).toBe(true);
    }
    await page.getByRole("treegrid").focus();
    await page.keyboard.press("N");
    await inputRow.waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("shows the match of a marked row that is clicked, and matches outside the tree", async () => {
    const { page, context } = await open("/traces/fields?q=zebra-lonely");
    await page.getByRole("button", { name: "In the trace itself" }).click();
    await current(page).waitFor();
    expect(await page.getByRole("tab", { selected: true }).textContent()).toContain("Events");
    await page.getByLabel("Find in trace").fill("zebra-event-metadata");
    const row = page.locator("[data-key='s:s']");
    await row.getByTitle("Found in event").waitFor();
    await row.click();
    await current(page).waitFor();
    await page.waitForURL((url) => url.searchParams.get("event") === "e2");
    await page.goto(`${booted.client.url}/traces/long?q=okapi+in+the+trace`);
    await page.getByRole("button", { name: "In the trace itself" }).click();
    await current(page).waitFor();
    await page.getByRole("region", { name: "Metadata" }).locator("mark").waitFor();
    await context.close();
  });

  it("opens a text of 9 MB at the match near its end", async () => {
    const output = `${"lorem ipsum dolor sit amet ".repeat(330_000)}the gazelle${" tail".repeat(9_000)}`;
    const big = trace({
      id: "big",
      startedAt: startedAt(0),
      spans: [span({ id: "s", type: "TOOL_CALL", output })],
    });
    expect((await user.send([big])).status).toBe(200);
    const { page, context } = await open("/traces/big?q=the+gazelle");
    await page.getByRole("button", { name: "Next match" }).click();
    await current(page).waitFor();
    await expect.poll(() => isInView(page, "[role=tabpanel] mark[data-current]")).toBe(true);
    await context.close();
  });

  it("finds what arrives while the trace runs", async () => {
    const running = (count: number) =>
      trace({
        id: "growing",
        status: "RUNNING",
        spans: Array.from({ length: count }, (_, i) =>
          span({ id: `s${i}`, name: `step ${i}`, output: "an ibex" }),
        ),
      });
    await user.send([running(1)]);
    const { page, context } = await open("/traces/growing?q=ibex");
    await page.locator("[data-live=live]").waitFor({ state: "attached" });
    await page.locator("[data-key='s:s0']").getByTitle("Found in output").waitFor();
    await user.send([running(3)]);
    await page.locator("[data-key='s:s2']").getByTitle("Found in output").waitFor();
    await context.close();
  });

  it("that fails says so, and Retry searches again", async () => {
    const { page, context } = await open("/login");
    const recover = await failRequests(page, "**/api/search?*", 429, "Too many requests");
    await page.goto(`${booted.client.url}/traces/long?q=okapi`);
    await page.getByText("Could not search inputs and outputs.").waitFor();
    await page.getByText("1", { exact: true }).waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("3", { exact: true }).waitFor();
    await context.close();
  });
});
