import { optionName, signatureToHex, signDecision } from "@whytrace/contract";
import { demoMonth, demoRefund, demoScores } from "@whytrace/demo";
import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, BrowserContext, CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { paths } from "../src/paths.ts";
import { layoutFaults } from "./layout-faults.ts";

/** The last one is 1280 px wide at a zoom of 200 %. */
const SCREENS = [
  { name: "390 px", width: 390, height: 844, deviceScaleFactor: 1 },
  { name: "768 px", width: 768, height: 1024, deviceScaleFactor: 1 },
  { name: "1024 px", width: 1024, height: 768, deviceScaleFactor: 1 },
  { name: "1280 px", width: 1280, height: 800, deviceScaleFactor: 1 },
  { name: "1440 px", width: 1440, height: 900, deviceScaleFactor: 1 },
  { name: "2560 px", width: 2560, height: 1440, deviceScaleFactor: 1 },
  { name: "200 %", width: 640, height: 400, deviceScaleFactor: 2 },
];
/** A narrower screen may wrap a name, or cut it shorter. */
const NAMES_FROM_PX = 600;

const AGENT = "support-agent: refund request";
const LONG_NAME =
  "research-agent: compare the suppliers of a component with all of their certificates and prices";
const BATCH_SIZE = 20;

let browser: Browser;
let booted: Booted;
let user: Sender;
let contexts: { visitor: BrowserContext; member: BrowserContext };
/** The values of parameters in paths, and what belongs behind a path. */
const known: Record<string, string> = {};
const queries: Record<string, string> = {};

beforeAll(async () => {
  booted = await boot({}, { memberships: 1 });
  user = await newSender(booted.client, booted.db);
  const now = new Date();
  const refund = { ...demoRefund(now), id: "refund" };
  const month = [...demoMonth({ seed: 7, now, traces: 160 })];
  const deep = Array.from({ length: 6 }, (_, level) =>
    span({
      id: `level-${level}`,
      name: `${level} steps below the ${LONG_NAME}`,
      ...(level > 0 && { parentSpanId: `level-${level - 1}` }),
    }),
  );
  const long = trace({
    id: "long",
    name: LONG_NAME,
    startedAt: now.toISOString(),
    tags: ["production", "eu-west", "nightly-evaluation"],
    spans: deep,
  });
  const traces = [...month, long, refund];
  for (let from = 0; from < traces.length; from += BATCH_SIZE)
    expectStatus(await user.send(traces.slice(from, from + BATCH_SIZE)), 200);
  expectStatus(
    await user.request("POST", "/api/scores", {
      body: { scores: [...month, refund].flatMap(demoScores).slice(0, 1_000) },
      headers: { authorization: `Bearer ${user.key}` },
    }),
    200,
  );
  const decided = refund.decisionPoints.find(({ chosen }) => optionName(chosen) === "refund_api");
  if (!decided) throw new Error("The demo refund does not choose refund_api");
  const issue = await vi.waitUntil(async () => (await user.get("/api/issues")).json.issues[0], {
    timeout: 60_000,
  });
  const sessionId = month.find((one) => one.sessionId !== null)?.sessionId ?? "";
  const share = await user.post(`/api/traces/${refund.id}/shares`, {});
  await user.put("/api/prices", { model: "our-own-model-with-a-long-name-*", inputUsd: 1.6, outputUsd: 6.4 });
  Object.assign(known, {
    [`${paths.trace} id`]: refund.id,
    [`${paths.agentSession} id`]: sessionId,
    signature: signatureToHex(signDecision(decided).signature),
    agent: AGENT,
    number: String(issue.number),
    token: new URL(share.json.url).pathname.slice("/shared/".length),
  });
  Object.assign(queries, {
    [paths.compare]: `?a=${refund.id}`,
    [paths.decisionMap]: `?agent=${encodeURIComponent(AGENT)}`,
    [paths.resetPassword]: "?token=x",
    [paths.verifyEmail]: "?token=x",
  });
  browser = await launchBrowser();
  const options = { reducedMotion: "reduce" } as const;
  contexts = {
    visitor: await browser.newContext(options),
    member: await signedInContext(browser, user, options),
  };
});
afterAll(() => browser.close());

/** The address of a page with the records of the account. A new parameter needs a value above. */
function addressOf(path: string): string {
  const filled = path.replace(/\$(\w+)/g, (_, name: string) => {
    const value = known[`${path} ${name}`] ?? known[name];
    if (value === undefined) throw new Error(`No sample for ${name} of ${path}`);
    return encodeURIComponent(value);
  });
  return filled + (queries[path] ?? "");
}

/** Pages that need no session are shown to those who have none. */
async function contextOf(address: string): Promise<BrowserContext> {
  const { status } = await fetch(booted.client.url + address, { redirect: "manual" });
  return status === 200 ? contexts.visitor : contexts.member;
}

describe("every page at every width", () => {
  // A run that failed opens with its details; another one, with long names and deep spans, without them.
  const views = [...Object.values(paths), "/traces/long"];
  it.each(views)("%s does not scroll sideways, overlap, clip controls or cut names", async (path) => {
    const address = addressOf(path);
    const context = await contextOf(address);
    const { page } = await openPage(context);
    const session = await context.newCDPSession(page);
    await page.goto(booted.client.url + address);
    await page.locator("h1, h2").first().waitFor();
    const faults: string[] = [];
    for (const screen of SCREENS) {
      await resize(session, screen);
      await waitUntilLoaded(page);
      const minNameWidth = screen.width < NAMES_FROM_PX ? 0 : 200;
      const found = await page.evaluate(layoutFaults, minNameWidth);
      faults.push(...found.map((fault) => `${screen.name}: ${fault}`));
    }
    await page.close();
    expect(faults).toEqual([]);
  });
});

/** Playwright's own function cannot change the scale of a page that is open. */
const resize = (session: CDPSession, { name: _, ...metrics }: (typeof SCREENS)[number]) =>
  session.send("Emulation.setDeviceMetricsOverride", { ...metrics, mobile: false });
