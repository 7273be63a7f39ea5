// Every page in both themes, at a desk's and a phone's width, over a made-up week of agent runs: `npm run screenshots`.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { demoRefund, demoWeek, hugeTrace } from "@whytrace/demo";
import { launchBrowser, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { startBuiltServer } from "@whytrace/testing/built-server.ts";
import { openDurablePostgres } from "@whytrace/testing/durable-postgres.ts";
import { sql } from "kysely";
import type { Browser } from "playwright-core";
import { createDatabase, createPool } from "../../server/src/db/database.ts";
import { Operator } from "../../server/src/operator.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "screenshots" },
    only: { type: "string", default: "" },
    traces: { type: "string", default: "640" },
  },
});

const EMAIL = "ada@example.com";
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const REFUND_ID = "demo-refund";
const HUGE_ID = "demo-huge";
const BATCH = 20;

const PAGES: Record<string, { path: string; isOpen?: boolean }> = {
  login: { path: "/login", isOpen: true },
  register: { path: "/register", isOpen: true },
  "forgot-password": { path: "/forgot-password", isOpen: true },
  welcome: { path: "/welcome" },
  overview: { path: "/" },
  "overview-tables": { path: "/?view=tables&range=30d" },
  traces: { path: "/traces" },
  "traces-filtered": { path: "/traces?status=ERROR&tags=prod&received=7d&sort=costliest" },
  "traces-nothing": { path: "/traces?search=nothing-like-it" },
  trace: { path: `/traces/${REFUND_ID}` },
  "trace-huge": { path: `/traces/${HUGE_ID}` },
  "trace-unknown": { path: "/traces/unknown" },
  decisions: { path: "/decisions" },
  "decisions-type": { path: "/decisions?type=ESCALATION&sort=costliest" },
  sessions: { path: "/sessions" },
  session: { path: "/sessions/:session" },
  "api-keys": { path: "/settings/api-keys" },
  billing: { path: "/settings/billing" },
  account: { path: "/settings/account" },
};

const postgres = await openDurablePostgres();
const database = await postgres.create();
const server = await startBuiltServer(database.url);
const browser = await launchBrowser();
try {
  const { cookie, sessionId, decisionId } = await fill();
  mkdirSync(values.out, { recursive: true });
  const only = new RegExp(values.only);
  for (const [name, { path, isOpen = false }] of Object.entries(PAGES)) {
    if (!only.test(name)) continue;
    const address = path.replace(":session", encodeURIComponent(sessionId));
    const deep = name === "trace" ? `${address}?decision=${encodeURIComponent(decisionId)}` : address;
    await take(browser, name, deep, isOpen ? undefined : cookie);
  }
} finally {
  await browser.close();
  await server.stop();
  await database.drop();
  await postgres.stop();
}

/** One user on a paid plan with a week behind them. */
async function fill() {
  const operator = new Operator(database.url);
  const db = createDatabase(createPool(database.url, { max: 1 }));
  const now = new Date();
  await operator.addUser(EMAIL, "Ada");
  const refund = { ...demoRefund(now), id: REFUND_ID };
  const week = [...demoWeek({ seed: 7, now, traces: Number(values.traces) })];
  const traces = [...week, { ...hugeTrace(2_000, 120, { now }), id: HUGE_ID }, refund];
  for (let from = 0; from < traces.length; from += BATCH)
    await operator.storeTraces(server.url, EMAIL, traces.slice(from, from + BATCH));
  await sql`
    update subscriptions set tier = 'STARTER', sessions_limit = 1000, sessions_used = 618`.execute(db);
  const link = await operator.signInLink(server.url, EMAIL);
  if (!link) throw new Error("There is no account to sign in to");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL((url) => !url.href.includes("token="));
  for (const name of ["production", "staging", "ci"]) {
    const made = await context.request.post(`${server.url}/api/keys`, { data: { name } });
    if (!made.ok()) throw new Error(`A key was refused: ${made.status()}`);
  }
  const [cookie] = await context.cookies();
  if (!cookie) throw new Error("The sign-in link gave no session");
  await context.close();
  await operator.close();
  await db.destroy();
  return {
    cookie,
    sessionId: longestSession(week),
    decisionId: refund.decisionPoints[3]?.id ?? "",
  };
}

function longestSession(traces: { sessionId: string | null }[]): string {
  const counts = new Map<string, number>();
  for (const { sessionId } of traces) if (sessionId) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

type Cookie = Awaited<ReturnType<typeof fill>>["cookie"];

async function take(taker: Browser, name: string, path: string, cookie: Cookie | undefined) {
  for (const colorScheme of ["light", "dark"] as const)
    for (const [size, viewport] of Object.entries(SIZES)) {
      const context = await taker.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      if (cookie) await context.addCookies([cookie]);
      const page = await context.newPage();
      await page.goto(server.url + path);
      await page.locator("h1, h2").first().waitFor();
      await waitUntilLoaded(page);
      await page.screenshot({ path: `${values.out}/${name}-${size}-${colorScheme}.png` });
      await context.close();
    }
  console.log(name);
}
