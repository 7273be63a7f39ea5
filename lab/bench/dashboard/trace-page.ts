// Measures the trace page in headless Chromium: time to interactive of a long trace, rows in the DOM, frame times while
// scrolling, and how long a huge payload blocks the main thread. Fails if a limit is exceeded.
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

interface Measurement {
  name: string;
  value: number;
  limit: number;
  unit: string;
}
const measurements: Measurement[] = [];
const record = (name: string, value: number, limit: number, unit: string) => {
  measurements.push({ name, value, limit, unit });
  const mark = value <= limit ? "ok  " : "FAIL";
  console.log(`${mark} ${name}: ${value.toFixed(unit === "ms" ? 1 : 0)} ${unit} (limit ${limit} ${unit})`);
};
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const percentile = (values: number[], fraction: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * fraction))] ??
  Number.NaN;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(async () => {
    server.child.kill("SIGINT");
    await new Promise((ended) => server.child.once("exit", ended));
  });
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const startMs = Date.parse("2026-01-02T03:04:05.000Z");
  for (const trace of [
    fillOutputs(longRun(startMs, { id: "long", spans: 10_000, decisions: 500, payloadBytes: 700 })),
    removeNulls(longRun(startMs, { id: "longer", spans: 50_000, decisions: 0, payloadBytes: 0 })),
    deepRun(startMs, 130),
    wideRun(startMs, BODY_BYTES * 0.97),
  ]) {
    const body = JSON.stringify({ traces: [trace] });
    console.log(`${trace.name}: ${(body.length / 1024 / 1024).toFixed(2)} MiB`);
    const { status, text } = await postBatch(server.url, tenant.key, body);
    if (status !== 200) throw new Error(`${trace.name}: ${status} ${text}`);
  }
  const browser = await launchBrowser();
  onCleanup(() => browser.close());
  const [name = "", value = ""] = (tenant.user.cookie ?? "").split("=");
  const target = { browser, url: server.url, cookie: { name, value, url: server.url } };

  record("10,000 spans, 500 decisions: interactive", await timeToInteractive(target, "long"), 1_500, "ms");
  const scrolled = await scrollThrough(target, "long");
  record("maximum of rows in the DOM", scrolled.rows, 120, "rows");
  record("frame while scrolling, median", median(scrolled.frames), 17, "ms");
  record("frame while scrolling, p95", percentile(scrolled.frames, 0.95), 34, "ms");
  record("50,000 spans: interactive", await timeToInteractive(target, "longer"), 4_000, "ms");
  record("130 levels: interactive", await timeToInteractive(target, "deep-run"), 1_500, "ms");
  console.log(`     load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  const opened = await openOutput(target);
  record("10 MB output: longest task of the main thread", opened.longestMs, 200, "ms");
  console.log(`     its first line appeared after ${opened.afterMs.toFixed(0)} ms`);
  return measurements.every((one) => one.value <= one.limit);
});

/** Fills the outputs of the spans until the body has its maximum size. */
function fillOutputs<T extends { spans: Record<string, unknown>[] }>(trace: T): T {
  const spare = BODY_BYTES - JSON.stringify({ traces: [trace] }).length;
  const each = Math.floor(spare / trace.spans.length);
  for (const span of trace.spans) span.output = "x".repeat(Math.max(0, each - 14));
  return trace;
}

/** Removes optional null fields. */
function removeNulls<T extends { spans: Record<string, unknown>[] }>(trace: T): T {
  for (const span of trace.spans)
    for (const name of ["tokenCount", "costUsd"]) if (span[name] === null) delete span[name];
  return trace;
}

interface Target {
  browser: Browser;
  url: string;
  cookie: { name: string; value: string; url: string };
}

async function newPage({ browser, cookie }: Target): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.addInitScript(() => {
    const longTasksMs: number[] = [];
    Object.assign(window, { longTasksMs });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) longTasksMs.push(entry.duration);
    }).observe({ type: "longtask", buffered: true });
  });
  return page;
}

/** The median time from navigation until a key press moves the selection. */
async function timeToInteractive(target: Target, id: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const page = await newPage(target);
    await page.goto(`${target.url}/traces/${id}`, { waitUntil: "commit" });
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const check = () => {
              const grid = document.querySelector<HTMLElement>("[role=treegrid]");
              if (grid && document.querySelector("[role=row][aria-level]")) {
                grid.focus();
                grid.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
                if (document.querySelector("[role=row][aria-selected=true]"))
                  return resolve(performance.now());
              }
              requestAnimationFrame(check);
            };
            check();
          }),
      ),
    );
    await page.context().close();
  }
  return median(times);
}

/** Scrolls from top to bottom by half a viewport per frame. */
async function scrollThrough(target: Target, id: string): Promise<{ frames: number[]; rows: number }> {
  const page = await newPage(target);
  await page.goto(`${target.url}/traces/${id}`);
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

/** Selects the span, opens and unfolds its output, scrolls, and searches in it. */
async function openOutput(target: Target): Promise<{ longestMs: number; afterMs: number }> {
  const page = await newPage(target);
  await page.goto(`${target.url}/traces/wide-run`);
  await page.locator('[data-key="s:s"]').click();
  await page.evaluate(() => (window as unknown as { longTasksMs: number[] }).longTasksMs.splice(0));
  const startedAt = Date.now();
  await page.getByRole("tab", { name: "Input / Output" }).click();
  const output = page.getByRole("region", { name: "Output" });
  await output.getByText("rows").waitFor();
  const afterMs = Date.now() - startedAt;
  await output.getByRole("button", { name: "Unfold" }).first().click();
  await output.getByText("items ]").waitFor({ state: "detached" });
  await output.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await page.waitForTimeout(300);
  await page.getByLabel("Find in Output").fill("customer 9999");
  await page.getByLabel("Find in Output").press("Enter");
  await page.getByText(/^1 of/).waitFor();
  await page.waitForTimeout(500);
  const longTasksMs = await page.evaluate(() => (window as unknown as { longTasksMs: number[] }).longTasksMs);
  await page.context().close();
  return { longestMs: Math.max(0, ...longTasksMs), afterMs };
}
