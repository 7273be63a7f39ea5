import { randomUUID } from "node:crypto";
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
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { deepRun, longRun, supportRun } from "../../lab/bench/dashboard/sample-traces.ts";
import { axeViolations } from "./axe-violations.ts";

/** Would run as a script if the page did not escape it. */
const HOSTILE = [
  `<img src=x onerror="window.hacked=1">`,
  `"><script>window.hacked=1</script>`,
  `javascript:window.hacked=1`,
  `<svg/onload=window.hacked=1>`,
  `'-window.hacked=1-'`,
  `</style><iframe srcdoc="<script>parent.hacked=1</script>">`,
  `{{constructor.constructor('window.hacked=1')()}}`,
  "$".concat("{window.hacked=1}"),
  `__proto__`,
  `data:text/html,<script>window.hacked=1</script>`,
];

let browser: Browser;
let booted: Booted;
let user: Sender;
const zeroMs = Date.parse("2026-01-02T03:04:05.000Z");
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  const sent = [
    supportRun(zeroMs),
    deepRun(zeroMs, 130),
    longRun(zeroMs, { id: "huge", spans: 10_000, decisions: 500, payloadBytes: 0 }),
    trace({ id: "empty" }),
    trace({ id: "silent", status: "RUNNING", spans: [span({ status: "RUNNING" })] }),
    hostileTrace(),
    malformedTrace(),
  ];
  for (const one of sent) expect((await user.send([one])).status).toBe(200);
  browser = await openBrowser();
});

/** A trace with a hostile string in every text field. */
function hostileTrace() {
  const payload = Object.fromEntries(HOSTILE.map((text) => [text, text]));
  const messages = HOSTILE.map((content) => ({ role: "user", content }));
  return trace({
    id: "hostile",
    name: HOSTILE.join(" "),
    tags: HOSTILE,
    spans: HOSTILE.map((text, i) =>
      span({
        id: `${text} ${i}`,
        name: text,
        status: "ERROR",
        statusMessage: text,
        input: { messages },
        output: payload,
        metadata: payload,
      }),
    ),
    decisionPoints: HOSTILE.map((text, i) =>
      decision({
        id: text,
        parentSpanId: `${text} ${i}`,
        reasoning: text,
        chosen: payload,
        alternatives: HOSTILE,
        contextSnapshot: payload,
      }),
    ),
    events: HOSTILE.map((text, i) =>
      event({ id: text, spanId: `${text} ${i}`, name: text, metadata: payload }),
    ),
  });
}

/** A trace with a group, a span with a missing parent, and a cycle of parents. */
const malformedTrace = () =>
  trace({
    id: "odd",
    spans: [
      span({ id: "root", name: "root" }),
      ...Array.from({ length: 12 }, (_, i) =>
        span({ id: `e${i}`, name: "embed chunk", parentSpanId: "root" }),
      ),
      span({ id: "orphan", name: "orphan", parentSpanId: "gone" }),
      span({ id: "a", name: "cycle a", parentSpanId: "b" }),
      span({ id: "b", name: "cycle b", parentSpanId: "a" }),
    ],
  });

async function open(path: string, options?: Parameters<Browser["newContext"]>[0]) {
  const context = await signedInContext(browser, user, {
    reducedMotion: "reduce",
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const watched = await openPage(context);
  await watched.page.goto(`${booted.client.url}/traces/${path}`);
  return { ...watched, context };
}

const rows = (page: Page) => page.locator("[role=row][aria-level]");
const selected = (page: Page) => page.locator("[role=row][aria-selected=true]");
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

describe("the tree grid", () => {
  it("opens 10,000 spans and 500 decisions with at most 120 rows in the document", async () => {
    const { page, pageErrors, context } = await open("huge");
    await rows(page).first().waitFor();
    const grid = page.getByRole("treegrid");
    expect(await grid.getAttribute("aria-rowcount")).toBe("10501");
    for (const top of [0, 1_000, 140_000, 10_000_000]) {
      await grid.evaluate((element, y) => element.scrollTo(0, y), top);
      await page.evaluate(async () => {
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      });
      expect(await page.locator("[role=row]").count()).toBeLessThanOrEqual(120);
    }
    await page.locator('[role=row][aria-rowindex="10501"]').waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("is operated by keyboard and exposes the active row", async () => {
    const { page, context } = await open("support-refund");
    const grid = page.getByRole("treegrid");
    await grid.focus();
    // The selection is in the address, and the grid follows it a moment later.
    const active = () =>
      grid.evaluate((element) => {
        const row = document.getElementById(element.getAttribute("aria-activedescendant") ?? "");
        return row?.getAttribute("data-key");
      });
    await page.keyboard.press("ArrowDown");
    await expect.poll(active).toBe("s:root");
    await page.keyboard.press("ArrowDown");
    await expect.poll(active).toBe("s:understand");
    const row = page.locator('[data-key="s:understand"]');
    expect(await row.getAttribute("aria-level")).toBe("2");
    expect(await row.getAttribute("aria-setsize")).toBe("5");
    expect(await row.getAttribute("aria-posinset")).toBe("1");
    await expect.poll(() => row.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => row.getAttribute("aria-expanded")).toBe("false");
    expect(await page.locator('[data-key="s:classify"]').count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => row.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowRight");
    await expect.poll(active).toBe("s:classify");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(active).toBe("s:understand");
    await page.keyboard.press("End");
    await expect.poll(active).toBe("s:reply");
    await page.keyboard.press("Home");
    await expect.poll(active).toBe("s:root");
    await page.keyboard.press("PageDown");
    await expect.poll(active).toBe("s:reply");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("tab");
    await page.getByRole("separator").focus();
    const width = Number(await page.getByRole("separator").getAttribute("aria-valuenow"));
    await page.keyboard.press("ArrowLeft");
    expect(Number(await page.getByRole("separator").getAttribute("aria-valuenow"))).toBeGreaterThan(width);
    await context.close();
  });

  it("finds text with a match count, decisions, errors and the critical path", async () => {
    const { page, context } = await open("support-refund");
    await rows(page).first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("refund_api");
    await page.getByText("4", { exact: true }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("1 of 4").waitFor();
    await page.getByRole("treegrid").focus();
    await page.keyboard.press("n");
    await page.getByText("2 of 4").waitFor();
    await page.keyboard.press("N");
    await page.getByText("1 of 4").waitFor();
    await page.keyboard.press("]");
    await expect.poll(() => selected(page).getAttribute("data-key")).toBe("d:d5");
    await page.keyboard.press("[");
    await expect.poll(() => selected(page).getAttribute("data-key")).toBe("d:d4");
    await page.keyboard.press("e");
    await expect.poll(() => selected(page).getAttribute("data-key")).toBe("s:refund");
    await page.keyboard.press("e");
    await expect.poll(() => selected(page).getAttribute("data-key")).toBe("s:again");
    await page.keyboard.press("c");
    await page.getByRole("button", { name: "Critical path", pressed: true }).waitFor();
    await context.close();
  });

  it("groups identical siblings, marks a missing parent, handles a cycle of parents", async () => {
    const { page, pageErrors, context } = await open("odd");
    await page.getByText("×12").waitFor();
    expect(await page.locator('[data-key="s:e0"]').count()).toBe(0);
    await page.locator('[data-key="g:s:e0"]').click();
    await page.keyboard.press("ArrowRight");
    await page.locator('[data-key="s:e11"]').waitFor();
    await page.getByText("missing parent").waitFor();
    await page.getByText("circular parent").waitFor();
    await page.goto(`${booted.client.url}/traces/odd?span=e7`);
    await page.locator('[data-key="s:e7"][aria-selected=true]').waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("stays readable with 130 levels", async () => {
    const { page, context } = await open("deep-run?span=l129");
    const name = page.locator('[data-key="s:l129"]').getByText("level 130");
    await name.waitFor();
    expect((await name.boundingBox())?.width).toBeGreaterThan(50);
    await context.close();
  });
});

describe("a link", () => {
  it("opens the same selection after reload, back and pasting", async () => {
    const { page, context } = await open("support-refund?decision=d4");
    await page.getByRole("heading", { name: "Tool selection" }).waitFor();
    await page.getByText("4 of 6").waitFor();
    await page.getByText("30 days, once").waitFor();
    await page
      .getByRole("link", { name: /refund_api.*409/ })
      .first()
      .click();
    await page.waitForURL("**/support-refund?span=refund");
    await page.getByRole("tab", { name: "Input / Output" }).click();
    await page.waitForURL("**tab=io");
    await page.getByText("A-1042").first().waitFor();
    await page.reload();
    await page.locator('[data-key="s:refund"][aria-selected=true]').waitFor();
    expect(await page.getByRole("tab", { name: "Input / Output" }).getAttribute("aria-selected")).toBe(
      "true",
    );
    await page.goBack();
    await page.locator('[data-key="d:d4"][aria-selected=true]').waitFor();
    await page.goto(`${booted.client.url}/traces/support-refund?q=refund_api&view=transcript`);
    await page.getByRole("region", { name: "Transcript" }).waitFor();
    await page.getByText("I want my money back for order A-1042.").waitFor();
    expect(await page.getByLabel("Find in trace").inputValue()).toBe("refund_api");
    await page.goto(`${booted.client.url}/traces/support-refund?span=unknown`);
    await page.getByText("The linked span, decision or event is not in this trace").waitFor();
    await context.close();
  });

  it("from the list of decisions opens the decision", async () => {
    const { page, context } = await open("support-refund");
    await page.goto(`${booted.client.url}/decisions?search=direct%20route`);
    await page.getByRole("link", { name: "support-agent: refund request" }).click();
    await page.getByRole("heading", { name: "Tool selection" }).waitFor();
    expect(param(page, "decision")).toBe("d4");
    await context.close();
  });
});

describe("payloads", () => {
  it("are shown as a conversation or JSON, also JSON inside a string, and can be searched", async () => {
    const { page, context } = await open("support-refund?span=read&tab=io");
    await page.getByText("A person should tell the customer when and how.").waitFor();
    await page.getByText("JSON", { exact: true }).click();
    await page.getByLabel("Find in Input").fill("refund_api");
    await page.getByLabel("Find in Input").press("Enter");
    await page.getByText("1 of 1").waitFor();
    await page.goto(`${booted.client.url}/traces/support-refund?span=refund&tab=io`);
    await page.getByRole("button", { name: "Show as JSON" }).click();
    await page.getByText('"already refunded"').waitFor();
    await context.close();
  });

  it("show numbers as they were sent, in payloads, decisions and copies", async () => {
    const id = "9007199254740993";
    const numbers = { input: { order: "ORDER", price: "PRICE" }, output: { text: '{"order":ORDER}' } };
    const body = JSON.stringify({
      traces: [
        trace({
          id: "numbers",
          spans: [span({ id: "s", ...numbers })],
          decisionPoints: [
            decision({ id: "d", chosen: { order: "ORDER" }, contextSnapshot: { big: "BIG" } }),
          ],
        }),
      ],
    });
    const raw = body
      .replaceAll('"ORDER"', id)
      .replaceAll("ORDER", id)
      .replaceAll('"PRICE"', "1.50")
      .replaceAll('"BIG"', "1e400");
    const headers = { authorization: `Bearer ${user.key}` };
    expect((await booted.client.request("POST", "/api/traces", { raw, headers })).status).toBe(200);
    const { page, context } = await open("numbers?span=s&tab=io");
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: booted.client.url });
    const input = page.getByRole("region", { name: "Input" });
    await input.getByText(id).waitFor();
    await input.getByText("1.50").waitFor();
    await page.getByRole("button", { name: "Copy input" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`{\n  "order": ${id},\n  "price": 1.50\n}`);
    await page.getByRole("button", { name: "Show as JSON" }).click();
    await page.getByRole("region", { name: "Output" }).getByText(id, { exact: true }).waitFor();
    await page.goto(`${booted.client.url}/traces/numbers?decision=d`);
    await page.getByRole("region", { name: "Context" }).getByText("1e400").waitFor();
    await page.getByRole("list", { name: "Options" }).getByText(id).first().waitFor();
    await page.goto(`${booted.client.url}/decisions?search=${id}`);
    await page.getByRole("list", { name: "Options" }).getByText(id).first().waitFor();
    await context.close();
  });

  it("follow the trace: a span, a decision or a record that was sent again is shown as it is now", async () => {
    const version = (n: number) =>
      trace({
        id: "resent",
        metadata: { version: `trace ${n}` },
        spans: [
          span({
            id: "s",
            input: { messages: [{ role: "user", content: "Hi" }] },
            output: { role: "assistant", content: `answer ${n}` },
            metadata: { version: `span ${n}` },
          }),
        ],
        decisionPoints: [decision({ id: "d", contextSnapshot: { version: `decision ${n}` } })],
      });
    await user.send([version(1)]);
    const { page, pageErrors, context } = await open("resent?span=s&tab=io");
    const isLive = () => page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await isLive();
    await page.getByText("answer 1").waitFor();
    await page.getByText("span 1").waitFor();
    await user.send([version(2)]);
    await page.getByText("answer 2").waitFor();
    await page.getByText("span 2").waitFor();
    await page.locator('[data-key="d:d"]').click();
    await page.getByText("decision 2").waitFor();
    await user.send([version(3)]);
    await page.getByText("decision 3").waitFor();
    await page.getByRole("tab", { name: "Raw" }).click();
    await page.getByText("decision 3").waitFor();
    await user.send([version(4)]);
    await page.getByText("decision 4").waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("show an error with a retry button when their worker cannot start, and recover", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    let isBroken = true;
    await page.route("**/payload-worker*", (route) => (isBroken ? route.abort() : route.continue()));
    await page.goto(`${booted.client.url}/traces/support-refund?span=refund&tab=raw`);
    await page.getByText("Could not read the payload").waitFor();
    isBroken = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("409 already refunded").first().waitFor();
    await context.close();
  });

  it("with an item of an unknown kind are still a conversation, and the item is shown as JSON", async () => {
    const messages = [
      { role: "user", content: "Look it up" },
      { type: "web_search_call", query: "weather" },
    ];
    const output = { role: "assistant", content: "Rain." };
    await user.send([trace({ id: "unknown-item", spans: [span({ id: "s", input: { messages }, output })] })]);
    const { page, context } = await open("unknown-item?span=s&tab=io");
    await page.getByText("Look it up").waitFor();
    await page.getByText('"query": "weather"').waitFor();
    await page.getByText("Rain.").waitFor();
    await context.close();
  });

  it("can be copied as a link, JSON and Markdown", async () => {
    const { page, context } = await open("support-refund?decision=d4");
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: booted.client.url });
    for (const [item, words] of [
      ["Link to this view Opens in your account only", "/traces/support-refund?decision=d4"],
      ["JSON", '"contextSnapshot"'],
      ["Markdown for an LLM", "**Decision** TOOL_SELECTION"],
    ] as const) {
      await page.getByRole("button", { name: /^Cop/ }).first().click();
      await page.getByRole("menuitem", { name: item }).click();
      await page.getByRole("button", { name: "Copied" }).first().waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(words);
    }
    await context.close();
  });
});

describe("a running trace", () => {
  it("grows 50 times without moving the selected row or changing the selection", async () => {
    // What an attempt has sent stays, so each has its own trace.
    const id = `growing-${randomUUID()}`;
    const growing = (count: number) =>
      trace({
        id,
        status: "RUNNING",
        startedAt: new Date(zeroMs).toISOString(),
        spans: Array.from({ length: 200 + count }, (_, i) =>
          span({
            id: `s${i}`,
            name: `step ${i}`,
            // Later spans may start before existing ones.
            startedAt: new Date(zeroMs + (i < 200 ? 10_000 + i * 10 : i)).toISOString(),
            durationMs: 5,
          }),
        ),
      });
    await user.send([growing(0)]);
    const { page, pageErrors, context } = await open(`${id}?span=s100`);
    const anchor = page.locator('[data-key="s:s100"]');
    await anchor.waitFor();
    const topOf = async () => (await anchor.boundingBox())?.y ?? Number.NaN;
    const before = await topOf();
    for (let count = 1; count <= 50; count++) {
      await user.send([growing(count)]);
      // Returning to the tab refetches at once.
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await page.locator(`[role=treegrid][aria-rowcount="${201 + count}"]`).waitFor();
      expect(Math.abs((await topOf()) - before)).toBeLessThanOrEqual(1);
    }
    expect(await anchor.getAttribute("aria-selected")).toBe("true");
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("without updates for 15 minutes shows a notice", async () => {
    await sql`update traces set created_at = created_at - interval '20 minutes' where id = 'silent'`.execute(
      booted.db,
    );
    const { page, context } = await open("silent");
    await page.getByText("no updates for more than 15 minutes").waitFor();
    await context.close();
  });

  it("that falls silent while its page is open shows the notice after 15 minutes, and an update removes it", async () => {
    const id = `falls-silent-${randomUUID()}`;
    const started = { id, status: "RUNNING", startedAt: new Date().toISOString() };
    await user.send([trace(started)]);
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.clock.install();
    await page.goto(`${booted.client.url}/traces/${id}`);
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    const notice = page.getByText("no updates for more than 15 minutes");
    await page.clock.fastForward(13 * 60_000);
    expect(await notice.count()).toBe(0);
    await page.clock.fastForward(3 * 60_000);
    await notice.waitFor();
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await user.send([trace({ ...started, tags: ["again"] })]);
    await notice.waitFor({ state: "detached" });
    await context.close();
  });

  it("keeps the zoomed time range while it grows and when gaps unfold", async () => {
    const grown = (seconds: number) =>
      trace({
        id: "zoomed",
        status: "RUNNING",
        startedAt: new Date(zeroMs).toISOString(),
        spans: [0, 4, seconds].map((at, i) =>
          span({
            id: `s${i}`,
            startedAt: new Date(zeroMs + at * 1_000).toISOString(),
            durationMs: 1_000,
          }),
        ),
      });
    await user.send([grown(9)]);
    const { page, context } = await open("zoomed");
    await rows(page).first().waitFor();
    // What loads later can move the map that is dragged on.
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await waitUntilLoaded(page);
    const minimap = await page.getByRole("img", { name: /^Minimap/ }).boundingBox();
    if (!minimap) throw new Error("no minimap");
    const y = minimap.y + minimap.height / 2;
    await page.mouse.move(minimap.x + minimap.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(minimap.x + minimap.width * 0.6, y, { steps: 4 });
    await page.mouse.up();
    const range = () =>
      Promise.all(
        ["Zoom start", "Zoom end"].map((name) =>
          page.getByRole("slider", { name }).getAttribute("aria-valuetext"),
        ),
      );
    const before = await range();
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await user.send([grown(39)]);
    await page
      .getByText(/^40\.0 s/)
      .first()
      .waitFor();
    expect(await range()).toEqual(before);
    await page.getByRole("button", { name: "Fold idle time" }).click();
    expect(await range()).toEqual(before);
    await context.close();
  });
});

describe("states", () => {
  it("cover loading, missing, failed with retry, and empty", async () => {
    const { page, context } = await open("unknown");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByText("it may belong to another account").waitFor();
    let isBroken = true;
    let held = Promise.resolve();
    await page.route("**/outline", async (route) => {
      await held;
      await (isBroken
        ? route.fulfill({ status: 503, json: { error: "Service temporarily unavailable" } })
        : route.continue());
    });
    await page.goto(`${booted.client.url}/traces/support-refund`);
    await page.getByText("Service temporarily unavailable").waitFor();
    isBroken = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await rows(page).first().waitFor();
    // The response waits until the test has seen that the page waits for it.
    const { promise, resolve: release } = Promise.withResolvers<void>();
    held = promise;
    await page.goto(`${booted.client.url}/traces/support-refund`);
    await page.getByRole("status", { name: "Loading" }).waitFor();
    release();
    await rows(page).first().waitFor();
    await page.goto(`${booted.client.url}/traces/empty`);
    await page.getByText("This trace has no spans or decisions.").waitFor();
    let failWith = 503;
    await page.route("**/spans/*", (route) =>
      failWith
        ? route.fulfill({ status: failWith, json: { error: "Service temporarily unavailable" } })
        : route.continue(),
    );
    await page.goto(`${booted.client.url}/traces/support-refund?span=refund&tab=raw`);
    await page.getByText("Service temporarily unavailable").first().waitFor();
    failWith = 0;
    await page.getByRole("button", { name: "Retry" }).first().click();
    await page.getByText("409 already refunded").first().waitFor();
    await context.close();
  });
});

describe("hostile strings", () => {
  it("in names, keys, payloads, reasoning, options and events are shown as text only", async () => {
    const { page, pageErrors, context } = await open("hostile");
    await rows(page).first().waitFor();
    const paths = [
      "",
      `?decision=${encodeURIComponent(HOSTILE[0] ?? "")}`,
      ...["overview", "io", "decisions", "events", "raw"].map(
        (tab) => `?span=${encodeURIComponent(`${HOSTILE[1]} 1`)}&tab=${tab}`,
      ),
      "?view=transcript",
      `?q=${encodeURIComponent(HOSTILE[2] ?? "")}`,
    ];
    for (const path of paths) {
      await page.goto(`${booted.client.url}/traces/hostile${path}`);
      await page.getByRole("tablist").waitFor();
      await waitUntilLoaded(page);
      for (const summary of await page.locator("summary:visible").all()) await summary.click();
      expect(await page.evaluate(() => "hacked" in window), path).toBe(false);
    }
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("a trace that is odd, huge or silent", () => {
  it.runIf(IS_WHOLE).each([1440, 390])("has no axe violation and no overflow at %i px", async (width) => {
    const { page, pageErrors, context } = await open("support-refund", {
      viewport: { width, height: 844 },
    });
    for (const path of ["odd?span=orphan", "huge?span=s5003&find=slowest", "silent"]) {
      await page.goto(`${booted.client.url}/traces/${path}`);
      await page.locator("[role=treegrid], [aria-label=Transcript]").first().waitFor();
      await waitUntilLoaded(page);
      expect(await axeViolations(page), path).toEqual([]);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBeLessThanOrEqual(0);
    }
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("on a phone", () => {
  it("details open as a sheet and can be closed", async () => {
    const { page, context } = await open("support-refund", { viewport: { width: 390, height: 844 } });
    // The run is bad, so it opens with the answer.
    await page.getByRole("button", { name: "Close details" }).click();
    await page.locator('[data-key="s:root"]').click();
    await page.getByRole("complementary", { name: "Details" }).waitFor();
    await page.getByRole("button", { name: "Close details" }).click();
    await page.getByRole("complementary", { name: "Details" }).waitFor({ state: "detached" });
    const box = await page.locator('[data-key="s:root"]').boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await context.close();
  });
});
