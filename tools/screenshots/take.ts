// Takes screenshots of every page with a month of demo data, in both themes, in the sizes of --sizes: `npm run screenshots`. With
// --docs it takes those of the README and the tour into docs/images, and writes the sentences of Why that they show beside them.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { optionName, signatureToHex, signDecision } from "@whytrace/contract";
import { type DemoTrace, demoMonth, demoRefund, demoScores, hugeTrace } from "@whytrace/demo";
import { launchBrowser, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { openDurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { startBuiltServer } from "@whytrace/testing/server/built-server.ts";
import { sql } from "kysely";
import type { APIRequestContext, Page } from "playwright-core";
import { createDatabase, createPool } from "../../packages/server/src/db/database.ts";
import { Operator } from "../../packages/server/src/operator.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "screenshots" },
    only: { type: "string", default: "" },
    traces: { type: "string", default: "2000" },
    full: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
    sizes: { type: "string", default: "wide,desktop,laptop,small,tablet,phone,zoomed" },
  },
});

/** The pictures of the documentation. */
const DOCUMENTED = /^(why|scorecard|trace|decisions|overview|issues)$/;
/** What these pictures must show. It may arrive after the rest of the page. */
const SHOWN: Record<string, RegExp[]> = {
  overview: [/explains \d+ of/],
  trace: [/^Likely:/, /^Issue$/],
  why: [/explains \d+ of/],
  scorecard: [/explains \d+ of/],
};
const EMAIL = "ada@example.com";
const SIZES: Record<string, { width: number; height: number; scale?: number }> = {
  desktop: { width: 1440, height: 900 },
  laptop: { width: 1280, height: 800 },
  small: { width: 1024, height: 768 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
  wide: { width: 2560, height: 1440 },
  /** 1280 px wide at a zoom of 200 %. */
  zoomed: { width: 640, height: 400, scale: 2 },
};
const REFUND_ID = "demo-refund";
const HUGE_ID = "demo-huge";
const BATCH_SIZE = 20;
const MAX_SCORES = 1_000;

const PAGES: Record<string, { path: string; isPublic?: boolean }> = {
  login: { path: "/login", isPublic: true },
  register: { path: "/register", isPublic: true },
  "forgot-password": { path: "/forgot-password", isPublic: true },
  "reset-password": { path: "/reset-password?token=x", isPublic: true },
  "verify-email": { path: "/verify-email?token=x", isPublic: true },
  invitation: { path: "/invitation?token=x", isPublic: true },
  welcome: { path: "/welcome" },
  cli: { path: "/cli?challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&name=ada-laptop" },
  overview: { path: "/" },
  "overview-tables": { path: "/?view=tables&range=30d" },
  issues: { path: "/issues" },
  issue: { path: "/issues/1" },
  alerts: { path: "/alerts" },
  traces: { path: "/traces" },
  "traces-filtered": { path: "/traces?status=ERROR&tags=prod&received=7d&sort=costliest" },
  "traces-nothing": { path: "/traces?search=nothing-like-it" },
  "traces-everything": { path: "/traces?search=refund&in=everything" },
  trace: { path: `/traces/${REFUND_ID}` },
  "trace-search": { path: `/traces/${REFUND_ID}?q=refund` },
  "trace-huge": { path: `/traces/${HUGE_ID}` },
  "trace-unknown": { path: "/traces/unknown" },
  why: { path: "/why" },
  "why-errors": { path: "/why?lens=error" },
  "why-agent": { path: `/why?agent=${encodeURIComponent("support-agent: refund request")}` },
  "why-map": { path: `/why/map?agent=${encodeURIComponent("support-agent: refund request")}&view=map` },
  "why-table": { path: `/why/map?agent=${encodeURIComponent("support-agent: refund request")}&view=table` },
  "why-guide": { path: "/why/guide" },
  "why-rules": { path: "/why/rules" },
  "why-words": { path: "/why/words" },
  agents: { path: "/agents" },
  agent: { path: `/agents/${encodeURIComponent("support-agent: refund request")}` },
  releases: { path: `/agents/${encodeURIComponent("support-agent: refund request")}/releases` },
  scorecard: { path: "/why/:signature" },
  scores: { path: "/scores?name=helpful" },
  "scores-judge": { path: "/scores?name=correct" },
  "scores-number": { path: "/scores?name=stars" },
  "scores-nothing": { path: "/scores?agent=unknown" },
  "scores-review": { path: "/scores/review" },
  general: { path: "/settings/general" },
  members: { path: "/settings/members" },
  masking: { path: "/settings/masking" },
  audit: { path: "/settings/audit" },
  "sign-in": { path: "/settings/sign-in" },
  "new-workspace": { path: "/workspaces/new" },
  outcomes: { path: "/settings/outcomes" },
  compare: { path: `/compare?a=${REFUND_ID}` },
  "trace-why": { path: `/traces/${REFUND_ID}?tab=why` },
  "trace-blame": { path: `/traces/${REFUND_ID}?tab=why&find=blame` },
  decisions: { path: "/decisions" },
  "decisions-type": { path: "/decisions?type=ESCALATION&sort=costliest" },
  sessions: { path: "/sessions" },
  session: { path: "/sessions/:session" },
  "api-keys": { path: "/settings/api-keys" },
  links: { path: "/settings/links" },
  shared: { path: "/shared/:shared", isPublic: true },
  "shared-outline": { path: "/shared/:outline", isPublic: true },
  "shared-why": { path: "/shared/:explained", isPublic: true },
  "shared-unknown": { path: "/shared/unknown", isPublic: true },
  prices: { path: "/settings/prices" },
  "prices-add": { path: "/settings/prices?model=gpt-4.1" },
  billing: { path: "/settings/billing" },
  account: { path: "/settings/account" },
};

const postgres = await openDurablePostgres();
const database = await postgres.create();
// The pictures of the documentation show a server without plans.
const server = await startBuiltServer(
  database.url,
  values.docs ? { FREE_SESSIONS_PER_DAY: "unlimited" } : {},
);
const browser = await launchBrowser();
try {
  const { cookie, sessionId, decisionId, signature, shared, outline, explained } = await createDemoUser();
  if (!values.docs) mkdirSync(values.out, { recursive: true });
  const only = values.docs ? DOCUMENTED : new RegExp(values.only);
  for (const [name, { path, isPublic = false }] of Object.entries(PAGES)) {
    if (!only.test(name)) continue;
    const address = path
      .replace(":session", encodeURIComponent(sessionId))
      .replace(":signature", signature)
      .replace(":shared", shared)
      .replace(":outline", outline)
      .replace(":explained", explained);
    const target = name === "trace" ? `${address}?decision=${encodeURIComponent(decisionId)}` : address;
    await takeScreenshots(name, target, isPublic ? undefined : cookie);
    if (values.docs && name === "scorecard") await takeFinding(target, cookie);
  }
} finally {
  await browser.close();
  await server.stop();
  await database.drop();
  await postgres.stop();
}

/** Creates a user with a month of traces, on a paid plan unless the pictures are for the documentation. */
async function createDemoUser() {
  const operator = new Operator(database.url);
  const db = createDatabase(createPool(database.url, { max: 1 }));
  const now = new Date();
  await operator.addUser(EMAIL, "Ada");
  const refund = { ...demoRefund(now), id: REFUND_ID };
  // The 30 days of a page begin at midnight. A run before them would be all that these 30 days are compared with.
  const month = [...demoMonth({ seed: 7, now, traces: Number(values.traces), days: 29 })];
  // A day old, so that its decisions do not fill the first page of the list.
  const yesterday = new Date(now.getTime() - 24 * 3_600_000);
  const huge = { ...hugeTrace(2_000, 120, { now: yesterday }), id: HUGE_ID };
  const traces = [...month, huge, refund];
  const [owned] = await operator.ownedWorkspaces(EMAIL);
  if (!owned) throw new Error("The user owns no workspace");
  for (let from = 0; from < traces.length; from += BATCH_SIZE)
    await operator.storeTraces(server.url, owned.workspaceId, traces.slice(from, from + BATCH_SIZE));
  if (!values.docs)
    await sql`
      update subscriptions set tier = 'STARTER', sessions_limit = 1000, sessions_used = 618`.execute(db);
  const link = await operator.signInLink(server.url, EMAIL);
  if (!link) throw new Error("No sign-in link: the account does not exist");
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForURL((url) => !url.href.includes("token="));
  const inMonth = new Date(now.getTime() + 30 * 24 * 3_600_000);
  for (const data of [
    { name: "production" },
    { name: "nightly report", scope: "read", expiresAt: inMonth },
    { name: "evaluation", scope: "review", expiresAt: inMonth },
  ]) {
    const response = await context.request.post(`${server.url}/api/keys`, { data });
    if (!response.ok()) throw new Error(`Could not create an API key: ${response.status()}`);
    if (data.name === "production") await sendScores((await response.json()).key, traces);
  }
  for (const rule of [
    { model: "gpt-4.1", inputUsd: 1.6, outputUsd: 6.4, cacheReadUsd: 0.4 },
    { model: "our-*", inputUsd: 0.2, outputUsd: 0.6, validFrom: "2026-01-01T00:00:00Z" },
  ])
    await context.request.put(`${server.url}/api/prices`, { data: rule });
  const judged = refund.decisionPoints.find(({ chosen }) => optionName(chosen) === "refund_api");
  if (!judged) throw new Error("The demo refund does not choose refund_api");
  const signature = signatureToHex(signDecision(judged).signature);
  await judgeDecisions(context.request, [...month, refund], signature);
  const share = async (data: object): Promise<string> => {
    const response = await context.request.post(`${server.url}/api/traces/${REFUND_ID}/shares`, { data });
    return new URL((await response.json()).url).pathname.slice("/shared/".length);
  };
  const shared = await share({});
  const outline = await share({ payloads: false });
  const explained = await share({ payloads: false, why: true });
  const [cookie] = await context.cookies();
  if (!cookie) throw new Error("The sign-in link set no session cookie");
  await sql`update api_keys set expires_at = now() - interval '1 day' where scope = 'review'`.execute(db);
  await context.close();
  await operator.close();
  await db.destroy();
  return {
    cookie,
    sessionId: longestAgentSession(month),
    decisionId: judged.id,
    signature,
    shared,
    outline,
    explained,
  };
}

/** What users, a judge and a reviewer say about the runs. */
async function sendScores(key: string, traces: DemoTrace[]) {
  const scores = traces.flatMap(demoScores);
  for (let from = 0; from < scores.length; from += MAX_SCORES) {
    const response = await fetch(`${server.url}/api/scores`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ scores: scores.slice(from, from + MAX_SCORES) }),
    });
    if (!response.ok) throw new Error(`Could not send scores: ${response.status}`);
  }
}

/** Judges decisions with this signature as somebody would who looks at failed runs. */
async function judgeDecisions(request: APIRequestContext, traces: DemoTrace[], signature: string) {
  const decisions = traces.flatMap(({ id: traceId, status, decisionPoints }) =>
    decisionPoints
      .filter((one) => signatureToHex(signDecision(one).signature) === signature)
      .map((one) => ({ traceId, status, decisionPointId: one.id, option: optionName(one.chosen) })),
  );
  const judged = decisions.slice(-60);
  for (const [index, { traceId, decisionPointId, status, option }] of judged.entries()) {
    const isWrong = status === "ERROR";
    const shouldHaveBeen = option === "ask_human" || index % 5 === 0 ? "lookup_policy" : "ask_human";
    const note =
      index === judged.length - 1
        ? "order.state said refunded before it called the API. A person had to trace it anyway."
        : null;
    if (!isWrong && index % 4 > 0) continue;
    const response = await request.put(`${server.url}/api/insights/verdicts`, {
      data: {
        traceId,
        decisionPointId,
        verdict: isWrong ? "wrong" : "right",
        ...(isWrong && { shouldHaveBeen }),
        note,
      },
    });
    if (!response.ok()) throw new Error(`Could not save a verdict: ${response.status()}`);
  }
}

function longestAgentSession(traces: { sessionId: string | null }[]): string {
  const counts = new Map<string, number>();
  for (const { sessionId } of traces) if (sessionId) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

type Cookie = Awaited<ReturnType<typeof createDemoUser>>["cookie"];

async function takeScreenshots(name: string, path: string, cookie: Cookie | undefined) {
  for (const colorScheme of ["light", "dark"] as const)
    for (const size of values.docs ? ["desktop"] : values.sizes.split(",")) {
      const chosen = SIZES[size];
      if (!chosen) throw new Error(`Unknown size ${size}: choose of ${Object.keys(SIZES).join(", ")}`);
      const { scale: deviceScaleFactor = 1, ...viewport } = chosen;
      const options = { viewport, deviceScaleFactor, colorScheme, reducedMotion: "reduce" } as const;
      const context = await browser.newContext(options);
      if (cookie) await context.addCookies([cookie]);
      const page = await context.newPage();
      await page.goto(server.url + path);
      await page.locator("h1, h2").first().waitFor();
      await waitUntilLoaded(page);
      if (values.docs) for (const text of SHOWN[name] ?? []) await page.getByText(text).first().waitFor();
      const tooWide = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const isTooWide = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1;
        const found = [...document.querySelectorAll("body *")].filter(isTooWide);
        return scrollWidth > clientWidth ? (found.at(-1)?.textContent ?? "?") : undefined;
      });
      if (tooWide !== undefined) console.log(`${name}, ${size}: scrolls sideways, for example "${tooWide}"`);
      await page.screenshot({
        path: values.docs
          ? `docs/images/${name}-${colorScheme}.png`
          : `${values.out}/${name}-${size}-${colorScheme}.png`,
        fullPage: values.full,
      });
      if (values.docs && colorScheme === "light" && name === "why") await writeFigures(page);
      await context.close();
    }
  console.log(name);
}

/** The top of a scorecard, for the README: there, a picture of a whole page is too small to be read. */
async function takeFinding(path: string, cookie: Cookie) {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      viewport: { width: 1_280, height: 900 },
      deviceScaleFactor: 2,
      colorScheme,
      reducedMotion: "reduce",
    });
    await context.addCookies([cookie]);
    const page = await context.newPage();
    await page.goto(server.url + path);
    for (const text of SHOWN.scorecard ?? []) await page.getByText(text).first().waitFor();
    await page.locator("main table").first().waitFor();
    await waitUntilLoaded(page);
    const [main, table] = await Promise.all(
      ["main", "main table"].map((selector) => page.locator(selector).first().boundingBox()),
    );
    if (!main || !table) throw new Error("The scorecard shows no table of options");
    const clip = { ...main, height: table.y + table.height - main.y + 8 };
    await page.screenshot({ path: `docs/images/finding-${colorScheme}.png`, clip });
    await context.close();
  }
}

/** What the text beside the pictures says: `documents.test.ts` compares them. */
async function writeFigures(page: Page) {
  const sentences = await page.getByText(/explains \d+ of/).allTextContents();
  writeFileSync(
    "docs/images/why.txt",
    sentences.map((text) => `${text.trim().replaceAll(/\s+/g, " ")}\n`).join(""),
  );
}
