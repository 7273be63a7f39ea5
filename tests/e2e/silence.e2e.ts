import {
  drawSilentRuns,
  SILENCES,
  type Silence,
  type SilentRun,
  silentOption,
} from "@whytrace/lab/worlds/agent-simulator/draw-silent-runs.ts";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

const RUNS = 400;
const STEP_MS = 30 * 60_000;
const WIDTHS = [390, 768, 1024, 1280];

let browser: Browser;
let booted: Booted;
let user: Sender;
let asked: readonly SilentRun[];
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await play("only the unhappy, 20 %", "complaints");
  asked = await play("asked more after an option", "asked");
  browser = await openBrowser();
});

const idOf = (agent: string, index: number) => `${user.workspaceId}-${agent}-${index}`;

/** An agent whose users do not all say whether they are happy. Returns the runs. */
async function play(name: string, agent: string): Promise<readonly SilentRun[]> {
  const silence: Silence | undefined = SILENCES.find((one) => one.name === name);
  if (!silence) throw new Error(`no silence ${name}`);
  const runs = drawSilentRuns(silence, { runs: RUNS, seed: 1, badRates: { a: 0.9, b: 0.3 } });
  await user.send(runs.map((run, index) => toTrace(agent, run, index)));
  const scores = runs.flatMap(({ vote }, index) =>
    vote === null ? [] : [{ traceId: idOf(agent, index), name: "helpful", value: vote, source: "user" }],
  );
  const headers = { authorization: `Bearer ${user.key}` };
  await booted.client.request("POST", "/api/scores", { body: { scores }, headers });
  return runs;
}

function toTrace(agent: string, { choices, isAsked }: SilentRun, index: number) {
  const at = (ms: number) => new Date(Date.now() - (RUNS - index + 4) * STEP_MS + ms).toISOString();
  return trace({
    id: idOf(agent, index),
    name: agent,
    startedAt: at(0),
    endedAt: at(5_000),
    metadata: isAsked ? { "whytrace.feedback": ["helpful"] } : {},
    decisionPoints: choices.map((choseA, number) =>
      decision({
        id: `${number}`,
        chosen: silentOption(number, choseA),
        alternatives: [silentOption(number, !choseA)],
        timestamp: at(100 * number),
      }),
    ),
  });
}

/** Opens a page at each width: nothing may scroll sideways. */
async function openAt(path: string, width: number): Promise<Page> {
  const context = await signedInContext(browser, user, { viewport: { width, height: 900 } });
  const { page } = await openPage(context);
  await page.goto(booted.client.url + path);
  await waitUntilLoaded(page);
  return page;
}

/** Clicks a link to a list of traces, and returns how many traces it lists. */
async function followLink(page: Page, name: string): Promise<number> {
  await page.getByRole("link", { name, exact: true }).click();
  await page.waitForURL("**/traces?**");
  await waitUntilLoaded(page);
  const { search } = new URL(page.url());
  return (await user.get(`/api/traces${search}`)).json.total;
}

describe("findings for scores", () => {
  it("say that only complaints come, and name no option for them", async () => {
    const page = await openAt("/why?agent=complaints", 1280);
    await page.getByText("Bad score", { exact: true }).click();
    await page.getByRole("heading", { name: "What explains bad scores" }).waitFor();
    await page
      .getByText(/^Complaints only\./)
      .first()
      .waitFor();
    expect(await page.locator('[data-finding="worse"]').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  it("say who was not asked, at every width", async () => {
    for (const width of WIDTHS) {
      const page = await openAt("/why?agent=asked&lens=scored", width);
      await page.getByText(/^Counted \d+ of 400 runs\. Left out: \d+ that were not asked\.$/).waitFor();
      await page.getByText(/of the votes are bad; that is not the share of unhappy users\.$/).waitFor();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
      await page.context().close();
    }
  });

  it("link those who were not asked to exactly their runs", async () => {
    const page = await openAt("/why?agent=asked&lens=scored", 1280);
    const notAsked = asked.filter(({ isAsked }) => !isAsked).length;
    expect(await followLink(page, `${notAsked} that were not asked`)).toBe(notAsked);
    await page.getByText("Not asked, not judged by: user").waitFor();
    await page.context().close();
  });

  it("show both readings of silence on a scorecard", async () => {
    const { json } = await user.get("/api/insights/decisions?agent=asked");
    const page = await openAt(`/why/${json.rows[0].signature}?agent=asked`, 1280);
    await page.getByRole("heading", { name: "Two readings of silence" }).waitFor();
    await page.getByRole("region", { name: "Only runs with an answer" }).waitFor();
    await page.getByRole("region", { name: "No answer counts as good" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });
});

describe("words on what is counted", () => {
  it("stand beside what explains a run that is bad by a score", async () => {
    const bad = asked.findIndex(({ vote }) => vote === false);
    const page = await openAt(`/traces/${encodeURIComponent(idOf("asked", bad))}`, 1280);
    const words = page.getByRole("list", { name: "What is counted" });
    await words.getByText(/of the votes are bad; that is not the share of unhappy users\.$/).waitFor();
    await words.getByText(/^Counted \d+ of 400 runs\. Left out: \d+ that were not asked\.$/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  it("stand on the overview, and link runs whose outcome is unknown, as those of Why do", async () => {
    const before = user;
    user = await newSender(booted.client, booted.db);
    const bad = [{ kind: "score", name: "correct", op: "is", value: false, missing: "unknown" }];
    await user.put("/api/outcomes", { agent: null, version: 0, bad });
    const at = (ms: number) => new Date(Date.now() - 3_600_000 + ms).toISOString();
    const runs = [0, 1, 2, 3, 4].map((index) =>
      trace({
        name: "worker",
        startedAt: at(0),
        endedAt: at(1_000),
        // One of them decides nothing.
        decisionPoints: index === 0 ? [] : [decision({ timestamp: at(500) })],
      }),
    );
    await user.send(runs);
    const scores = [{ traceId: runs[4]?.id, name: "correct", value: true }];
    const headers = { authorization: `Bearer ${user.key}` };
    await booted.client.request("POST", "/api/scores", { body: { scores }, headers });
    const isJudged = async () => !(await user.get("/api/insights/decisions")).json.judging;
    await expect.poll(isJudged, { timeout: 60_000 }).toBe(true);
    const overview = await openAt("/", 390);
    await overview.getByText("Counted 1 of 5 runs. Left out: 4 whose outcome is unknown.").waitFor();
    expect(await axeViolations(overview)).toEqual([]);
    expect(await followLink(overview, "4 whose outcome is unknown")).toBe(4);
    await overview.context().close();
    const why = await openAt("/why", 1280);
    await why.getByText("Counted 1 of 4 runs. Left out: 3 without a score correct.").waitFor();
    expect(await followLink(why, "3 without a score correct")).toBe(3);
    await why.context().close();
    user = before;
  });
});
