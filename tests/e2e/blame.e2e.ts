import { type Blame, blameSentence, suspectSentence } from "@whytrace/contract";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";

const RUNS = 300;
const STEP_MS = 30 * 60_000;
let browser: Browser;
let booted: Booted;
let user: Sender;
/** Bad runs of which the server says what likely explains them. */
let near: Blame[];
let leftOut: Blame;
let circling: Blame;
let abandoned: Blame;

beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  near = await play("near culprit", 3);
  [leftOut] = await playOne("left out anywhere", ({ suspects }) => suspects[0]?.kind === "left-out");
  [circling] = await playOne("circling", ({ ending }) => ending.isCircle);
  [abandoned] = await playOne("hung runs", ({ ending }) => ending.kind === "abandoned");
  browser = await openBrowser();
});

/** Sends runs of an agent whose faults are known, and blames the newest bad ones that are explained. */
async function play(world: string, count: number, isWanted = (_: Blame) => true): Promise<Blame[]> {
  const startedAtMs = Date.now() - (RUNS + 4) * STEP_MS;
  const { traces } = worldTraces({ world, name: world, runs: RUNS, startedAtMs, stepMs: STEP_MS });
  expectStatus(await user.send(traces), 200);
  // What is running was received long ago, so that it counts as abandoned.
  await sql`
    update traces set created_at = now() - interval '2 hours'
    where workspace_id = ${user.workspaceId} and status = 'RUNNING'`.execute(booted.db);
  const found: Blame[] = [];
  for (const { id } of traces.filter(({ status }) => status !== "COMPLETED").toReversed()) {
    if (found.length === count) break;
    const blame: Blame = expectStatus(await user.get(`/api/insights/blame/${id}`), 200).json;
    if (blame.suspects[0]?.suspicion === "likely" && isWanted(blame)) found.push(blame);
  }
  expect(found).toHaveLength(count);
  return found;
}

async function playOne(world: string, isWanted: (blame: Blame) => boolean): Promise<[Blame]> {
  const [blame] = await play(world, 1, isWanted);
  if (!blame) throw new Error(`nothing is likely in the world ${world}`);
  return [blame];
}

const open = async (path: string, options: Parameters<typeof signedInContext>[2] = {}) => {
  const context = await signedInContext(browser, user, options);
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}${path}`);
  await waitUntilLoaded(page);
  return { context, page, pageErrors };
};
const suspect = (page: Page, rank: number) => page.getByRole("article", { name: `Suspect ${rank}:` });
const pathOf = ({ traceId }: Blame) => `/traces/${traceId}`;
const firstPath = () => `/traces/${near[0]?.traceId}`;
/** As a page shows it: names are marked otherwise, and a per cent sign is not separated from its number. */
const plain = (text: string) => text.replaceAll("`", "").replaceAll(" %", "\u00a0%");

it("a person reaches what likely explains a failure from its trace in two actions", async () => {
  const { context, page, pageErrors } = await open("/traces");
  for (const { traceId, suspects } of near) {
    await page.goto(`${booted.client.url}/traces/${traceId}`);
    await page.getByRole("tab", { name: "Why" }).click();
    await suspect(page, 1)
      .getByRole("link", { name: suspects[0]?.option ?? "", exact: true })
      .click();
    await page.waitForURL((url) => url.searchParams.get("decision") === suspects[0]?.decisionPointId);
  }
  expect(pageErrors).toEqual([]);
  await context.close();
});

describe("the Why tab", () => {
  it("says what the interface says, and opens the run that differs at the suspect", async () => {
    const [blame] = near;
    const first = blame?.suspects[0];
    if (!blame || !first) throw new Error("no suspect");
    const { context, page } = await open(`${firstPath()}?tab=why`);
    await page.getByRole("heading", { name: plain(blameSentence(blame).text) }).waitFor();
    const card = suspect(page, 1);
    expect(await card.locator("p").first().textContent()).toBe(plain(suspectSentence(first, blame).text));
    await page.getByText("Association in the same situation, not cause.").waitFor();
    expect(await page.getByRole("tabpanel").textContent()).not.toMatch(
      /likelier|would not have come|because/,
    );
    const compare = page.getByRole("link", {
      name: /^Compare with a run that went well and chose otherwise/,
    });
    const partner = new URL((await compare.getAttribute("href")) ?? "", booted.client.url).searchParams;
    const addressed = ["a", "b", "at"].map((name) => partner.get(name));
    expect(addressed).toEqual([blame.traceId, blame.partner?.traceId, first.decisionPointId]);
    await card.getByRole("link", { name: "Scorecard" }).waitFor();
    await card.getByRole("link", { name: "Bad runs that chose it" }).click();
    await page.waitForURL(/\/traces\?.*outcome=bad/);
    await context.close();
  });

  it("shows an option that was left out above the first turn, without a decision to judge", async () => {
    const { context, page } = await open(`${pathOf(leftOut)}?tab=why&find=blame`);
    const option = leftOut.suspects[0]?.option ?? "";
    await page.getByRole("heading", { name: `Likely: ${option} was left out.` }).waitFor();
    await page.getByRole("list", { name: "Left out" }).getByText(option).waitFor();
    expect(await suspect(page, 1).getByRole("button", { name: "Wrong" }).count()).toBe(0);
    await context.close();
  });

  it("says from which turn on a run went in circles", async () => {
    const { context, page } = await open(`${pathOf(circling)}?tab=why`);
    const turn = (circling.ending.turn ?? 0) + 1;
    await page.getByRole("tabpanel").getByText(`It went in circles from turn ${turn} on.`).waitFor();
    await context.close();
  });

  it("is there for a run that never ended", async () => {
    const { context, page, pageErrors } = await open(`${pathOf(abandoned)}?tab=why&find=blame`);
    await page.getByRole("tabpanel").getByText("This run never ended").waitFor();
    await suspect(page, 1).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("gives no verdict on too few runs, with the order folded, or if nothing was decided", async () => {
    const startedAt = new Date().toISOString();
    const failed = span({ id: "failed", startedAt, status: "ERROR", statusMessage: "no luck" });
    const decided = decision({ timestamp: startedAt, chosen: "look it up", alternatives: ["guess"] });
    const lone = trace({ id: "lone", name: "lone agent", status: "ERROR", startedAt, spans: [failed] });
    expectStatus(
      await user.send([
        { ...lone, decisionPoints: [decided] },
        { ...lone, id: "undecided", name: "other" },
      ]),
      200,
    );
    const { context, page } = await open("/traces/lone?tab=why");
    await page
      .getByRole("heading", { name: /^Too few runs yet: 1 that went wrong and 0 others were compared/ })
      .waitFor();
    await page.getByText("In order, the likeliest first:").click();
    await page.getByRole("listitem").filter({ hasText: "look it up" }).getByRole("button").click();
    await page.waitForURL(/decision=/);
    await page.goto(`${booted.client.url}/traces/undecided?tab=why`);
    await page.getByText("Nothing was decided before it went wrong").waitFor();
    await context.close();
  });

  it("offers to try again after an error of the server", async () => {
    const { context, page } = await open("/traces");
    const recover = await failRequests(
      page,
      "**/api/insights/blame/**",
      503,
      "Service temporarily unavailable",
    );
    await page.goto(booted.client.url + firstPath());
    await page.getByText("Service temporarily unavailable").waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).click();
    await suspect(page, 1).waitFor();
    await context.close();
  });

  it("is not there if nothing failed", async () => {
    const fine = trace({ id: "did-not-fail", startedAt: new Date().toISOString() });
    expectStatus(await user.send([fine]), 200);
    const { context, page } = await open("/traces/did-not-fail?tab=why");
    await page.getByRole("tab", { name: "Overview" }).waitFor();
    expect(await page.getByRole("tab", { name: "Why" }).count()).toBe(0);
    await context.close();
  });
});

it("the blame path is reached and left with the keyboard alone", async () => {
  const { context, page } = await open(firstPath());
  const rows = page.getByRole("treegrid").getByRole("row");
  await page.getByRole("treegrid").getByRole("row").nth(1).waitFor();
  const all = await rows.count();
  await page.keyboard.press("b");
  await suspect(page, 1).waitFor();
  await page.getByRole("treegrid").getByText("Suspect 1:").waitFor({ state: "attached" });
  await page.getByRole("treegrid").getByText("The error:").waitFor({ state: "attached" });
  await expect.poll(() => rows.count()).toBeLessThan(all);
  const onPath = await rows.count();
  await page.getByRole("columnheader", { name: "bad / others" }).waitFor();
  await expect.poll(() => suspect(page, 1).getAttribute("aria-current")).toBe("true");
  const marked = page.getByRole("treegrid").locator("[role=row][aria-current=true]");
  await expect.poll(() => marked.textContent()).toContain("Suspect 1");
  await page.locator("[data-suspect='1']").waitFor();
  await page.keyboard.press("]");
  await page.keyboard.press("[");
  await expect.poll(() => marked.textContent()).toContain("Suspect 1");
  await page.keyboard.press("2");
  await page.getByText("It counts in the scorecard and in the exported dataset.").waitFor();
  await page.getByText("The first suspect was indeed wrong in 1 of 1 that were judged.").waitFor();
  await expect.poll(() => suspect(page, 1).getAttribute("aria-current")).toBe("true");
  await page.keyboard.press("b");
  await page.getByRole("columnheader", { name: "Cost · tokens" }).waitFor();
  await expect.poll(() => rows.count()).toBeGreaterThan(onPath);
  await context.close();
});

it.each([1440, 390])(
  "the blame path opens beside its suspects, without an axe violation, at a width of %i",
  async (width) => {
    const { context, page, pageErrors } = await open(`${firstPath()}?find=blame&tab=why`, {
      viewport: { width, height: 900 },
    });
    await suspect(page, 1).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  },
);
