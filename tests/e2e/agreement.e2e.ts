import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type Blame,
  blameSentence,
  type DecisionMap,
  type Findings,
  findingSentence,
  type Scorecard,
} from "@whytrace/contract";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { type ConnectedMcp, connectMcp } from "@whytrace/testing/server/mcp-client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";

/* One data set, read on every page, by the command line and by the tools of assistants: none contradicts another. */

const RUNS = 300;
const STEP_MS = 30 * 60_000;
const BLAMED = 3;
const CLI = fileURLToPath(new URL("../../packages/cli/bin/whytrace.js", import.meta.url));
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
/** How many runs of each release are bad. */
let badOf: ReadonlyMap<string, number>;

beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await seed();
  readKey = expectStatus(await user.post("/api/keys", { name: "cli", scope: "read" }), 201).json.key;
  mcp = await connectMcp(user, "read");
  browser = await openBrowser();
  context = await signedInContext(browser, user, { viewport: { width: 1280, height: 900 } });
  ({ page } = await openPage(context));
});

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
  const badRuns = released.filter(({ status }) => status === "ERROR");
  badOf = new Map(
    [...Map.groupBy(badRuns, ({ tags }) => tags[0] ?? "")].map(([tag, all]) => [tag, all.length]),
  );
  blames = [];
  for (const { id } of badRuns.toReversed().slice(0, BLAMED))
    blames.push(expectStatus(await user.get(`/api/insights/blame/${id}`), 200).json);
}

const visit = async (path: string) => {
  await page.goto(booted.client.url + path);
  await waitUntilLoaded(page);
};
/** The list that is open has so many traces. */
const expectListed = (count: number) =>
  expect.poll(() => page.locator("h1 + span").textContent()).toBe(String(count));
const cli = async (...args: string[]) => {
  const env = { ...process.env, WHYTRACE_URL: booted.client.url, WHYTRACE_READ_KEY: readKey, NO_COLOR: "1" };
  const { stdout } = await run(process.execPath, [CLI, ...args], { env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
};
/** How many traces the command line lists as bad. */
const badByCli = async (...filter: string[]) => {
  const listed = await cli("traces", ...filter, "--outcome", "bad", "--last", "100", "--json");
  return listed.trim().split("\n").length;
};
/** As a page shows it: names are marked otherwise, and a per cent sign is not separated from its number. */
const plain = (text: string) => text.replaceAll("`", "").replaceAll("\u00a0", " ");
const read = async (locator: ReturnType<Page["locator"]>) => plain((await locator.textContent()) ?? "");

it("the failure rate is one: on the overview, on Why, in the lists behind them, in the interface, by command line and for assistants", async () => {
  const { total, from } = expectStatus(
    await user.get(`/api/stats/traces?from=${new Date(Date.now() - 29 * 86_400_000).toISOString()}`),
    200,
  ).json;
  const { good, bad } = total.outcomes;
  expect(bad).toBeGreaterThan(3);
  const why = expectStatus(await user.get(`/api/insights/decisions?from=${from}`), 200).json;
  expect(why.failure).toEqual({ failed: bad, judged: good + bad });
  const { words } = await mcp.call("option_scorecard", { from });
  expect(words).toContain(
    `${why.failedRuns} runs failed. ${why.runsWithoutDecisions} other runs decided nothing`,
  );
  expect(words).toContain(`${bad - why.failedRuns} of them failed`);
  expect((await mcp.call("find_traces", { outcome: "bad" })).words).toContain(`${bad} traces match`);
  expect(await badByCli()).toBe(bad);

  await visit("/?range=30d");
  const metric = page.locator("dl div", { hasText: "Failure rate" });
  expect(await metric.locator("dd").getAttribute("title")).toContain(`${bad} of ${good + bad} traces`);
  const shown = (await read(metric.getByRole("link"))).replace("%", "");
  expect(Number(shown)).toBeCloseTo((bad / (good + bad)) * 100, 0);
  await metric.getByRole("link").click();
  await expectListed(bad);

  await visit("/why?range=30d");
  const totals = page.locator("header p, p[aria-live]").filter({ hasText: "bad" }).first();
  expect(await read(totals)).toMatch(
    new RegExp(` · ${bad} bad \\(${Math.round((bad / (good + bad)) * 100)} %\\)`),
  );
  await totals.getByRole("link", { name: `${bad} bad` }).click();
  await expectListed(bad);
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
    const asJson = JSON.parse(await cli("why", blame.traceId, "--json"));
    expect(asJson.blame.suspects[0]?.decisionPointId).toBe(blame.suspects[0]?.decisionPointId);
    const { data } = await mcp.call("why", { traceId: blame.traceId });
    expect(plain(data[0].says)).toBe(sentence);
    expect(data[1].decisionPointId ?? null).toBe(blame.suspects[0]?.decisionPointId);
  }
});

const RELEASES = ["v1.9.0", "v1.10.0"] as const;

it("an agent's runs and bad runs are as many on its page, on Why, in the lists, by command line and for assistants", async () => {
  const health = expectStatus(await user.get("/api/insights/agents/health"), 200).json;
  const { runs, badRuns } = health.agents.find(({ name }: { name: string }) => name === "worker");
  expect(runs).toBe(RUNS);
  expect(badRuns).toBe([...badOf.values()].reduce((sum, count) => sum + count, 0));

  await visit("/agents");
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "worker", exact: true }) });
  const rate = `${Math.round((100 * badRuns) / runs)} %`;
  expect(await read(row)).toContain(`${RUNS} runs`);
  expect(await read(row)).toContain(rate);
  await visit("/why?agent=worker&range=30d");
  await page.getByText(`${RUNS} runs · ${badRuns} bad (${rate.replace(" ", "\u00a0")})`).waitFor();
  await visit("/agents/worker");
  await page.getByRole("link", { name: `${badRuns} bad runs` }).click();
  await expectListed(badRuns);

  const printed = JSON.parse(await cli("why", "--agent", "worker", "--json"));
  expect(printed).toMatchObject({ countedRuns: runs, badRuns });
  expect(await badByCli("--agent", "worker")).toBe(badRuns);
  expect((await mcp.call("find_traces", { agent: "worker" })).words).toContain(`${runs} traces match`);
  const bad = await mcp.call("find_traces", { agent: "worker", outcome: "bad" });
  expect(bad.words).toContain(`${badRuns} traces match`);
  const decided = await mcp.call("option_scorecard", { agent: "worker" });
  expect(decided.words).toMatch(new RegExp(`in ${runs} runs from .*; ${badRuns} runs failed\\.`));
});

it("a choice's bad runs are as many on the map, on its scorecard, in the lists and for assistants", async () => {
  const map: DecisionMap = expectStatus(await user.get("/api/insights/map?agent=worker"), 200).json;
  expect(map).toMatchObject({
    runs: RUNS,
    failedRuns: [...badOf.values()].reduce((sum, bad) => sum + bad, 0),
  });
  const [worst] = map.nodes
    .filter(({ signature }) => signature !== null)
    .toSorted((a, b) => b.failedRuns - a.failedRuns);
  if (!worst?.signature) throw new Error("The map has no choice");
  const { signature, step, name, times, failedTimes, runs, failedRuns } = worst;
  expect(failedRuns).toBeGreaterThan(0);
  const counts = { decisions: times, failed: failedTimes };
  const path = `/api/insights/decisions/${signature}?agent=worker`;
  const card: Scorecard = expectStatus(await user.get(path), 200).json;
  // In this world an error comes last: all decisions of a bad run came before it.
  expect(card.options.find((option) => option.step === step)?.rate).toMatchObject({
    ...counts,
    runs,
    failedRuns,
  });
  const { data } = await mcp.call("option_scorecard", { signature, agent: "worker" });
  expect(data.find((line) => line.step === step)).toMatchObject(counts);
  const { words } = await mcp.call("find_traces", { agent: "worker", step, outcome: "bad" });
  expect(words).toContain(`${failedRuns} traces match`);

  await visit(`/why/map?agent=worker&range=30d&step=${step}`);
  await page.getByText(`${map.runs} runs · ${map.failedRuns} bad`).waitFor();
  const panel = page.getByRole("complementary", { name: "Selection" });
  await panel.getByRole("link", { name: new RegExp(`^${failedRuns} bad`) }).click();
  await expectListed(failedRuns);
  await visit(`/why/${signature}?agent=worker&range=30d`);
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name }) });
  await row.getByRole("link", { name: `${failedTimes} of ${times}` }).click();
  await expectListed(failedRuns);
});

it("a release's runs and bad runs are as many on Why, on its comparison, in the lists, by command line and for assistants", async () => {
  const why = expectStatus(await user.get("/api/insights/decisions?agent=worker"), 200).json;
  const runs = why.releases.map((one: { name: string; runs: number }) => [one.name, one.runs]);
  expect(Object.fromEntries(runs)).toEqual({ "v1.9.0": RUNS / 2, "v1.10.0": RUNS / 2 });
  const printed = JSON.parse(await cli("compare-releases", "worker", "--json"));
  const { data } = await mcp.call("compare_releases", { agent: "worker" });
  expect(data[0].sentence).toBe(printed.sentence);
  expect(data[1]).toEqual({ base: printed.base, current: printed.current });
  await visit("/agents/worker/releases");
  await page
    .getByRole("status")
    .filter({ hasText: plain(printed.sentence) })
    .waitFor();
  for (const [side, release] of [
    ["base", RELEASES[0]],
    ["current", RELEASES[1]],
  ] as const) {
    const bad = badOf.get(release) ?? 0;
    expect(printed[side]).toMatchObject({ release, runs: RUNS / 2, badRuns: bad });
    await visit("/agents/worker/releases");
    await page.getByText(`${bad} of ${RUNS / 2} runs`).waitFor();
    await page.getByRole("link", { name: new RegExp(`^Bad runs of ${release}: `) }).click();
    await expectListed(bad);
    await visit(`/traces?agent=worker&release=${release}`);
    await expectListed(RUNS / 2);
    expect(await badByCli("--agent", "worker", "--release", release)).toBe(bad);
    const { words } = await mcp.call("find_traces", { agent: "worker", release, outcome: "bad" });
    expect(words).toContain(`${bad} traces match`);
  }
});
