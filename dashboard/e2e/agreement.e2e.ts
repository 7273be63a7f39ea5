import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Blame, blameSentence, type Findings, findingSentence } from "@whytrace/contract";
import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { type ConnectedMcp, connectMcp } from "@whytrace/testing/server/mcp-client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { worldTraces } from "@whytrace/testing/why-worlds/world-traces.ts";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";

/* One data set, read on every page, by the command line and by the tools of assistants: none contradicts another. */

const RUNS = 300;
const STEP_MS = 30 * 60_000;
const BLAMED = 3;
const CLI = fileURLToPath(new URL("../../cli/bin/whytrace.js", import.meta.url));
const run = promisify(execFile);

let browser: Browser;
let booted: Booted;
let user: Sender;
let context: BrowserContext;
let page: Page;
let mcp: ConnectedMcp;
let readKey: string;
/** Bad runs, the newest first, and what explains them. */
let blames: Blame[];

beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await seed();
  readKey = expectStatus(await user.post("/api/keys", { name: "cli", scope: "read" }), 201).json.key;
  mcp = await connectMcp(user, "read");
  browser = await launchBrowser();
  context = await signedInContext(browser, user, { viewport: { width: 1280, height: 900 } });
  ({ page } = await openPage(context));
});
afterAll(() => browser.close());

/** Runs with decisions of two releases; runs without; one that is running, and one that only a score makes bad. */
async function seed() {
  const startedAtMs = Date.now() - (RUNS + 4) * STEP_MS;
  const { traces } = worldTraces({
    world: "near culprit",
    name: "worker",
    runs: RUNS,
    startedAtMs,
    stepMs: STEP_MS,
  });
  const released = traces.map((one, index) => ({ ...one, tags: [index < RUNS / 2 ? "v1.9.0" : "v1.10.0"] }));
  const startedAt = new Date(Date.now() - STEP_MS).toISOString();
  const failed = span({ name: "fetch", status: "ERROR", statusMessage: "no route to host", startedAt });
  const undecided = ["COMPLETED", "ERROR", "ERROR"].map((status) =>
    trace({ name: "sweeper", status, startedAt, spans: status === "ERROR" ? [failed] : [] }),
  );
  const unhappy = trace({ name: "sweeper", startedAt });
  const running = trace({ name: "sweeper", status: "RUNNING", startedAt });
  expectStatus(await user.send([...released, ...undecided, unhappy, running]), 200);
  const scores = [{ traceId: unhappy.id, name: "helpful", value: false, source: "user" }];
  const headers = { authorization: `Bearer ${user.key}` };
  expectStatus(await user.request("POST", "/api/scores", { body: { scores }, headers }), 200);
  blames = [];
  for (const { id } of released
    .filter(({ status }) => status === "ERROR")
    .toReversed()
    .slice(0, BLAMED))
    blames.push(expectStatus(await user.get(`/api/insights/blame/${id}`), 200).json);
}

const visit = async (path: string) => {
  await page.goto(booted.client.url + path);
  await waitUntilLoaded(page);
};
const cli = async (...args: string[]) => {
  const env = { ...process.env, WHYTRACE_URL: booted.client.url, WHYTRACE_READ_KEY: readKey, NO_COLOR: "1" };
  const { stdout } = await run(process.execPath, [CLI, ...args], { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
};
/** As a page shows it: names are marked otherwise, and a per cent sign is not separated from its number. */
const plain = (text: string) => text.replaceAll("`", "").replaceAll("\u00a0", " ");
const read = async (locator: ReturnType<Page["locator"]>) => plain((await locator.textContent()) ?? "");

it("the failure rate is one: on the overview, on Why, in the lists behind them and in the interface", async () => {
  const { total, from } = expectStatus(
    await user.get(`/api/stats/traces?from=${new Date(Date.now() - 29 * 86_400_000).toISOString()}`),
    200,
  ).json;
  const { good, bad } = total.outcomes;
  expect(bad).toBeGreaterThan(3);
  const why = expectStatus(await user.get(`/api/insights/decisions?from=${from}`), 200).json;
  expect(why.failure).toEqual({ failed: bad, judged: good + bad });

  await visit("/?range=30d");
  const metric = page.locator("dl div", { hasText: "Failure rate" });
  expect(await metric.locator("dd").getAttribute("title")).toContain(`${bad} of ${good + bad} traces`);
  const shown = (await read(metric.getByRole("link"))).replace("%", "");
  expect(Number(shown)).toBeCloseTo((bad / (good + bad)) * 100, 0);
  await metric.getByRole("link").click();
  await expect.poll(() => page.locator("h1 + span").textContent()).toBe(String(bad));

  await visit("/why?range=30d");
  const totals = page.locator("header p, p[aria-live]").filter({ hasText: "bad" }).first();
  expect(await read(totals)).toMatch(
    new RegExp(` · ${bad} bad \\(${Math.round((bad / (good + bad)) * 100)} %\\)`),
  );
  await totals.getByRole("link", { name: `${bad} bad` }).click();
  await expect.poll(() => page.locator("h1 + span").textContent()).toBe(String(bad));
});

it("what explains bad runs is the same sentence on the overview, on Why, by command line and for assistants", async () => {
  const readFindings = async (): Promise<Findings> =>
    expectStatus(await user.get("/api/insights/findings"), 200).json;
  // A busy machine computes some agents only after it has answered.
  await expect.poll(async () => (await readFindings()).progress).toBeNull();
  const found = await readFindings();
  const worse = found.rows.filter(({ group }) => group === "worse");
  expect(worse.length).toBeGreaterThan(0);
  const sentences = worse.map((row) => plain(findingSentence(row, found).text));
  const [first = ""] = sentences;
  for (const path of ["/?range=30d", "/why?range=30d"]) {
    await visit(path);
    expect(await read(page.locator("[data-finding=worse] p").first()), path).toContain(
      first.split(" In the same")[0],
    );
  }
  const printed = plain((await cli("why")).replaceAll(/\s+/g, " "));
  expect(printed).toContain(first.split(" In the same")[0]);
  const { data } = await mcp.call("why");
  expect(plain(JSON.stringify(data))).toContain(first.split(" In the same")[0]);
});

it("the first suspect of a run is one: in its header, on its Why tab, by command line and for assistants", async () => {
  for (const blame of blames) {
    const sentence = plain(blameSentence(blame).text);
    await visit(`/traces/${blame.traceId}`);
    const line = page.getByRole("region", { name: "What went wrong" });
    await line.getByText(sentence).waitFor();
    await page.getByRole("tabpanel").getByRole("heading", { name: sentence }).waitFor();
    const printed = plain((await cli("why", blame.traceId)).replaceAll(/\s+/g, " "));
    expect(printed).toContain(sentence);
    const { data } = await mcp.call("why", { traceId: blame.traceId });
    expect(plain(data[0].says)).toBe(sentence);
    expect(data[1].decisionPointId ?? null).toBe(blame.suspects[0]?.decisionPointId);
  }
});

it("releases have as many runs on Why as in the lists of their traces", async () => {
  const why = expectStatus(await user.get("/api/insights/decisions?agent=worker"), 200).json;
  const runs = why.releases.map((one: { name: string; runs: number }) => [one.name, one.runs]);
  expect(Object.fromEntries(runs)).toEqual({ "v1.9.0": RUNS / 2, "v1.10.0": RUNS / 2 });
  for (const [name, count] of runs) {
    await visit(`/traces?agent=worker&release=${name}`);
    await expect.poll(() => page.locator("h1 + span").textContent()).toBe(String(count));
  }
});
