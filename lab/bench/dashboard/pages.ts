// Measures LCP and CLS of pages, and how long a filter takes to paint its rows, for a user with many traces.
import { parseArgs } from "node:util";
import { launchBrowser } from "@whytrace/testing/browser.ts";
import { percentile } from "@whytrace/testing/percentile.ts";
import { openDurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { createSession, findWorkspaceId } from "@whytrace/testing/samples/create-session.ts";
import { startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { Client } from "@whytrace/testing/server/client.ts";
import type { Page } from "playwright-core";
import { createDatabase, createPool } from "../../../packages/server/src/db/database.ts";
import { loadTenant } from "../load-tenants.ts";
import { BIG_EMAIL } from "../tenants.ts";
import { FILTERS, measureFilter } from "./filters.ts";
import { PUBLIC_PAGES, privatePages } from "./measured-pages.ts";

const { values } = parseArgs({
  options: {
    /** Fraction of 100,000 traces. */
    scale: { type: "string", default: "1" },
    rounds: { type: "string", default: "5" },
    /** Measures only pages whose path matches this regular expression, and no filters. */
    only: { type: "string", default: "" },
    database: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const only = new RegExp(values.only);
const MAX_LCP_MS = 1_500;
const MAX_CLS = 0.05;
const MAX_FILTER_MS = 200;
const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

const postgres = await openDurablePostgres();
const created = values.database === undefined ? await postgres.create() : undefined;
const databaseUrl = values.database ?? created?.url ?? "";
try {
  if (created) await loadTenant(databaseUrl, 100_000 * Number(values.scale));
  await measure();
} finally {
  if (values.keep) console.log(`database not dropped: ${databaseUrl}`);
  else await created?.drop();
  await postgres.stop();
}

async function measure() {
  const db = createDatabase(createPool(databaseUrl, { max: 1 }));
  const server = await startBuiltServer(databaseUrl);
  const browser = await launchBrowser();
  try {
    const workspaceId = await findWorkspaceId(db, BIG_EMAIL);
    const token = await createSession(db, workspaceId);
    const cookie = { name: "whytrace_session", value: token, url: server.url };
    const member = new Client(server.url, `${cookie.name}=${token}`);
    const measured = { ...PUBLIC_PAGES, ...(await privatePages(member)) };
    console.log(`\n| Page | LCP ms, p75 of ${rounds} | CLS, worst | |\n|---|---|---|---|`);
    for (const [path, address] of Object.entries(measured))
      for (const viewport of VIEWPORTS) {
        if (!only.test(path)) continue;
        const loads: PageLoad[] = [];
        for (let round = 0; round < rounds; round += 1) {
          // A new context has an empty cache.
          const context = await browser.newContext({ viewport });
          if (!(path in PUBLIC_PAGES)) await context.addCookies([cookie]);
          loads.push(await load(await context.newPage(), server.url + address));
          await context.close();
        }
        const lcpMs = percentile(
          loads.map((one) => one.lcpMs),
          0.75,
        );
        const cls = Math.max(...loads.map((one) => one.cls));
        const verdict = lcpMs <= MAX_LCP_MS && cls <= MAX_CLS ? "" : "over";
        console.log(
          `| ${path} at ${viewport.width} | ${lcpMs.toFixed(0)} | ${cls.toFixed(3)} | ${verdict} |`,
        );
        const worst = loads.find((one) => one.cls === cls);
        if (cls > MAX_CLS) for (const shift of worst?.shifts ?? []) console.log(`  ${shift}`);
      }
    if (values.only) return;

    console.log(`\n| Filter | rows painted ms, p50 | p75 of ${rounds * 4} | |\n|---|---|---|---|`);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([cookie]);
    for (const filter of FILTERS) {
      const times = await measureFilter(await context.newPage(), filter, server.url, rounds * 4);
      const p75 = percentile(times, 0.75);
      console.log(
        `| ${filter.name}${filter.pauseMs ? `, with its debounce of ${filter.pauseMs} ms` : ""} | ${percentile(times, 0.5).toFixed(0)} | ${p75.toFixed(0)} | ${p75 - (filter.pauseMs ?? 0) > MAX_FILTER_MS ? "over" : ""} |`,
      );
    }
  } finally {
    await browser.close();
    await server.stop();
    await db.destroy();
  }
}

interface PageLoad {
  lcpMs: number;
  cls: number;
  /** What moved, when and how far. */
  shifts: string[];
}

interface LayoutShiftSource {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}

async function load(page: Page, url: string): Promise<PageLoad> {
  await page.addInitScript(() => {
    const seen: PageLoad = { lcpMs: 0, cls: 0, shifts: [] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.lcpMs = startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    const moved = ({ node, previousRect, currentRect }: LayoutShiftSource) => {
      const text = node?.textContent?.slice(0, 40) ?? "";
      const name = node instanceof Element ? `${node.tagName} ${node.className}`.slice(0, 60) : "text";
      return `${name} "${text}" ${previousRect.y}+${previousRect.height} to ${currentRect.y}+${currentRect.height}`;
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const value = Number(Reflect.get(entry, "value"));
        seen.cls += value;
        const sources: LayoutShiftSource[] = Reflect.get(entry, "sources");
        seen.shifts.push(
          `${value.toFixed(3)} at ${entry.startTime.toFixed(0)} ms: ${sources.map(moved).join("; ")}`,
        );
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(url);
  await page.locator("h1, h2").first().waitFor();
  await page.waitForFunction(() => !document.querySelector("[data-skeleton], [aria-busy=true]"));
  await page.waitForTimeout(300);
  return page.evaluate(() => Reflect.get(window, "seen"));
}
