// The trace page in headless Chromium against its figures: how soon a long run can be used, how many rows are in the
// document, how even the frames are while all of it is scrolled through, and whether a huge payload holds the page up.
import { availableParallelism, loadavg } from "node:os";
import { launchBrowser } from "@whytrace/testing/browser.ts";
import {
  createTrialDatabase,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import type { Browser, Page } from "playwright-core";
import { deepRun, longRun, wideRun } from "./sample-traces.ts";

const BODY_BYTES = 9.7 * 1024 * 1024;
const RUNS = 3;

interface Figure {
  what: string;
  value: number;
  bound: number;
  unit: string;
}
const figures: Figure[] = [];
const note = (what: string, value: number, bound: number, unit: string) => {
  figures.push({ what, value, bound, unit });
  const mark = value <= bound ? "ok  " : "MISS";
  console.log(`${mark} ${what}: ${value.toFixed(unit === "ms" ? 1 : 0)} ${unit} (bound ${bound} ${unit})`);
};
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

await runTrial(async (atEnd) => {
  const database = await createTrialDatabase();
  atEnd(() => database.drop());
  const server = await startTrialServer(database.url);
  atEnd(async () => {
    server.child.kill("SIGINT");
    await new Promise((ended) => server.child.once("exit", ended));
  });
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const zeroMs = Date.parse("2026-01-02T03:04:05.000Z");
  for (const trace of [
    filled(longRun(zeroMs, { id: "long", spans: 10_000, decisions: 500, payloadBytes: 700 })),
    compact(longRun(zeroMs, { id: "longer", spans: 50_000, decisions: 0, payloadBytes: 0 })),
    deepRun(zeroMs, 130),
    wideRun(zeroMs, BODY_BYTES * 0.97),
  ]) {
    const body = JSON.stringify({ traces: [trace] });
    console.log(`${trace.name}: ${(body.length / 1024 / 1024).toFixed(2)} MiB`);
    const { status, text } = await postBatch(server.url, tenant.key, body);
    if (status !== 200) throw new Error(`${trace.name}: ${status} ${text}`);
  }
  const browser = await launchBrowser();
  atEnd(() => browser.close());
  const [name = "", value = ""] = (tenant.user.cookie ?? "").split("=");
  const measured = { browser, url: server.url, cookie: { name, value, url: server.url } };

  note("10,000 spans, 500 decisions: interactive", await timeToInteractive(measured, "long"), 1_500, "ms");
  const scrolled = await scrollThrough(measured, "long");
  note("rows in the document, at most", scrolled.rows, 120, "rows");
  note("frame while scrolling, median", median(scrolled.frames), 17, "ms");
  note("frame while scrolling, p95", percentile(scrolled.frames, 0.95), 34, "ms");
  note("50,000 spans: interactive", await timeToInteractive(measured, "longer"), 4_000, "ms");
  note("130 levels: interactive", await timeToInteractive(measured, "deep-run"), 1_500, "ms");
  console.log(`     load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  const opened = await openOutput(measured);
  note("10 MB output: longest block of the main thread", opened.longestMs, 200, "ms");
  console.log(`     its first line was there after ${opened.afterMs.toFixed(0)} ms`);
  return figures.every(({ value: figure, bound }) => figure <= bound);
});

/** Payloads cut so that the body is as large as it may be. */
function filled<T extends { spans: Record<string, unknown>[] }>(trace: T): T {
  const spare = BODY_BYTES - JSON.stringify({ traces: [trace] }).length;
  const each = Math.floor(spare / trace.spans.length);
  for (const span of trace.spans) span.output = "x".repeat(Math.max(0, each - 14));
  return trace;
}

/** What a span may go without. */
function compact<T extends { spans: Record<string, unknown>[] }>(trace: T): T {
  for (const span of trace.spans)
    for (const name of ["tokenCount", "costUsd"]) if (span[name] === null) delete span[name];
  return trace;
}

interface Measured {
  browser: Browser;
  url: string;
  cookie: { name: string; value: string; url: string };
}

async function newPage({ browser, cookie }: Measured): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const blocks: number[] = [];
    Object.assign(window, { blocks });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) blocks.push(entry.duration);
    }).observe({ type: "longtask", buffered: true });
  });
  return page;
}

/** From the navigation until a key moves the selection: not merely until something is drawn. The median of some runs. */
async function timeToInteractive(measured: Measured, id: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const page = await newPage(measured);
    await page.goto(`${measured.url}/traces/${id}`, { waitUntil: "commit" });
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const look = () => {
              const grid = document.querySelector<HTMLElement>("[role=treegrid]");
              if (grid && document.querySelector("[role=row][aria-level]")) {
                grid.focus();
                grid.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
                if (document.querySelector("[role=row][aria-selected=true]"))
                  return resolve(performance.now());
              }
              requestAnimationFrame(look);
            };
            look();
          }),
      ),
    );
    await page.context().close();
  }
  return median(times);
}

/** Everything from top to bottom, half of what is in sight with every frame. */
async function scrollThrough(measured: Measured, id: string): Promise<{ frames: number[]; rows: number }> {
  const page = await newPage(measured);
  await page.goto(`${measured.url}/traces/${id}`);
  await page.locator("[role=row][aria-level]").first().waitFor();
  await page.waitForTimeout(500);
  const result = await page.evaluate(
    () =>
      new Promise<{ frames: number[]; rows: number }>((resolve) => {
        const grid = document.querySelector<HTMLElement>("[role=treegrid]");
        if (!grid) throw new Error("No tree");
        const frames: number[] = [];
        let rows = 0;
        let last = performance.now();
        const step = grid.clientHeight / 2;
        const frame = (now: number) => {
          frames.push(now - last);
          last = now;
          rows = Math.max(rows, document.querySelectorAll("[role=row]").length);
          if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1)
            return resolve({ frames: frames.slice(2), rows });
          grid.scrollTop += step;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
  );
  await page.context().close();
  return result;
}

/** Selects the span, opens its output, unfolds all of it, scrolls, and looks for something in it. */
async function openOutput(measured: Measured): Promise<{ longestMs: number; afterMs: number }> {
  const page = await newPage(measured);
  await page.goto(`${measured.url}/traces/wide-run`);
  await page.locator('[data-key="s:s"]').click();
  await page.evaluate(() => (window as unknown as { blocks: number[] }).blocks.splice(0));
  const began = Date.now();
  await page.getByRole("tab", { name: "Input / Output" }).click();
  const output = page.getByRole("region", { name: "Output" });
  await output.getByText("rows").waitFor();
  const afterMs = Date.now() - began;
  await output.getByRole("button", { name: "Unfold" }).first().click();
  await output.getByText("items ]").waitFor({ state: "detached" });
  await output.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await page.waitForTimeout(300);
  await page.getByLabel("Find in Output").fill("customer 9999");
  await page.getByLabel("Find in Output").press("Enter");
  await page.getByText(/^1 of/).waitFor();
  await page.waitForTimeout(500);
  const blocks = await page.evaluate(() => (window as unknown as { blocks: number[] }).blocks);
  await page.context().close();
  return { longestMs: Math.max(0, ...blocks), afterMs };
}
