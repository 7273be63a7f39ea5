import { type Blame, blameSentence } from "@whytrace/contract";
import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { otlpRun } from "@whytrace/testing/why-worlds/otlp-run.ts";
import { worldTraces } from "@whytrace/testing/why-worlds/world-traces.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const RUNS = 300;
const STEP_MS = 30 * 60_000;
const FAILURES = Number(process.env.FAILED_RUNS ?? 4);
const WIDTHS = { desktop: 1280, phone: 390 } as const;

interface Failure {
  sender: "SDK" | "OpenTelemetry";
  blame: Blame;
}

/** How a person got from a page to the answer. */
interface Journey {
  from: string;
  actions: number;
}

let browser: Browser;
let booted: Booted;
let user: Sender;
let failures: Failure[];

beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  failures = [...(await seed("SDK")), ...(await seed("OpenTelemetry"))];
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Sends runs of an agent whose fault is known, and returns the newest failures that Why explains. */
async function seed(sender: Failure["sender"]): Promise<Failure[]> {
  const startedAtMs = Date.now() - (RUNS + 4) * STEP_MS;
  const name = `agent by ${sender}`;
  const drawn = worldTraces({ world: "near culprit", name, runs: RUNS, startedAtMs, stepMs: STEP_MS });
  if (sender === "SDK") expectStatus(await user.send(drawn.traces), 200);
  else {
    const resourceSpans = drawn.runs.map((one, index) =>
      otlpRun(one, drawn.agent, {
        traceId: drawn.traces[index]?.id ?? "",
        agent: name,
        startedAtMs: startedAtMs + index * STEP_MS,
        hasDefinitions: true,
      }),
    );
    expectStatus(await sendOtlp(booted.client, user.key, { resourceSpans }), 200);
  }
  const found: Failure[] = [];
  for (const { id, status } of drawn.traces.toReversed()) {
    if (found.length === FAILURES) break;
    if (status !== "ERROR") continue;
    const blame: Blame = expectStatus(await user.get(`/api/insights/blame/${id}`), 200).json;
    if (blame.suspects[0]?.suspicion === "likely") found.push({ sender, blame });
  }
  expect(found).toHaveLength(FAILURES);
  return found;
}

const open = async (width: number) => {
  const context = await signedInContext(browser, user, { viewport: { width, height: 844 } });
  const { page, pageErrors } = await openPage(context);
  return { context, page, pageErrors };
};
const visit = async (page: Page, path: string) => {
  await page.goto(booted.client.url + path);
  await waitUntilLoaded(page);
};
const plain = (text: string) => text.replaceAll("`", "").replaceAll(" %", "\u00a0%");

/** Waits until the page says, where it can be seen, with what the run went wrong and which choice explains it. */
async function expectAnswer(page: Page, { blame }: Failure) {
  const line = page.getByRole("region", { name: "What went wrong" });
  await line.getByText(plain(blameSentence(blame).text)).waitFor();
  await line
    .getByText(blame.error?.message ?? blame.error?.name ?? "This run failed")
    .first()
    .waitFor();
  const box = await line.boundingBox();
  expect(box?.y).toBeLessThan(844);
}

/** Clicks through the pages of a list to the row of a trace, and opens it. Returns how many clicks that took. */
async function openRow(page: Page, traceId: string): Promise<number> {
  const row = page.locator(`[data-trace="${traceId}"]`);
  for (let clicks = 0; ; clicks += 1) {
    await waitUntilLoaded(page);
    await page.locator("[data-trace]").first().waitFor();
    if ((await row.count()) > 0) {
      await row.click();
      return clicks + 1;
    }
    const before = await page.locator("[data-trace]").first().getAttribute("data-trace");
    await page.getByRole("button", { name: /^Next/ }).click();
    await expect.poll(() => page.locator("[data-trace]").first().getAttribute("data-trace")).not.toBe(before);
  }
}

async function fromOverview(page: Page, failure: Failure): Promise<Journey> {
  await visit(page, "/?range=30d");
  await page.locator("dl div", { hasText: "Failure rate" }).getByRole("link").click();
  const clicks = await openRow(page, failure.blame.traceId);
  await expectAnswer(page, failure);
  return { from: "overview", actions: 1 + clicks };
}

async function fromList(page: Page, failure: Failure): Promise<Journey> {
  await visit(page, "/traces?outcome=bad&limit=100");
  const clicks = await openRow(page, failure.blame.traceId);
  await expectAnswer(page, failure);
  return { from: "list", actions: clicks };
}

async function fromLink(page: Page, failure: Failure): Promise<Journey> {
  const { traceId, suspects } = failure.blame;
  const [first] = suspects;
  await visit(page, `/traces/${traceId}?decision=${first?.decisionPointId}`);
  await expectAnswer(page, failure);
  const card = page
    .getByRole("article")
    .filter({ has: page.getByRole("heading", { name: "Tool selection" }) });
  await card
    .getByRole("list", { name: "Options" })
    .getByText(first?.option ?? "")
    .first()
    .waitFor();
  await card
    .getByText(/% of \d+/)
    .first()
    .waitFor();
  return { from: "link to the decision", actions: 0 };
}

describe.each(Object.entries(WIDTHS))("on a %s", (device, width) => {
  it("the answer to a failure is at most three actions away, usually one or two", async () => {
    const { context, page, pageErrors } = await open(width);
    const rows: (Journey & { sender: string })[] = [];
    for (const failure of failures)
      for (const go of [fromOverview, fromList, fromLink])
        rows.push({ sender: failure.sender, ...(await go(page, failure)) });
    const lines = Map.groupBy(rows, ({ sender, from }) => `${device}, ${sender}, from ${from}`);
    for (const [journey, taken] of lines) {
      const actions = taken.map((one) => one.actions);
      process.stdout.write(
        `${journey}: ${actions.length} failures, ${Math.min(...actions)} to ${Math.max(...actions)} actions\n`,
      );
      expect(Math.max(...actions), journey).toBeLessThanOrEqual(3);
    }
    const counts = rows.map(({ actions }) => actions);
    expect(counts.filter((count) => count <= 2).length / counts.length).toBeGreaterThan(0.8);
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});
