import { randomUUID } from "node:crypto";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";

const START_MS = Date.parse("2026-01-02T03:04:05.000Z");
const at = (ms: number) => new Date(START_MS + ms).toISOString();
const TOOLS = ["refund_api", "ask_human", "lookup_policy", "issue_voucher"];
const NAME = "support-agent: refund request";

/** A decision of a tool; the text is the tool, or "route", which has other options. */
const decide = (index: number, chosen: string, overrides: Record<string, unknown> = {}) =>
  decision({
    id: `decision-${index}`,
    chosen,
    alternatives: TOOLS.filter((tool) => tool !== chosen),
    timestamp: at(1_000 * (index + 1)),
    ...overrides,
  });
const BEFORE = [
  decide(0, "refund", { type: "ROUTING", alternatives: ["return"], contextSnapshot: { intent: 0.9 } }),
  decide(1, "cached policy", { type: "MEMORY_RETRIEVAL", alternatives: ["fresh policy"] }),
];
const failed = trace({
  id: "failed",
  name: NAME,
  status: "ERROR",
  tags: ["v2.3.1"],
  startedAt: at(0),
  totalDuration: 12_800,
  totalCost: 0.0418,
  totalTokens: 18_200,
  spans: [span({ status: "ERROR", statusMessage: "HTTP 409 Conflict", startedAt: at(4_000) })],
  decisionPoints: [
    ...BEFORE,
    decide(2, "refund_api", {
      reasoning: "The refund API is the direct route.",
      contextSnapshot: { order: { id: "A-1042", state: "refunded" }, policy: { ageDays: 11 } },
    }),
    decide(3, "same arguments", { type: "RETRY", alternatives: ["give up"] }),
  ],
});
const fine = trace({
  id: "fine",
  name: NAME,
  tags: ["v2.3.1"],
  startedAt: at(0),
  totalDuration: 124_000,
  totalCost: 0.0234,
  totalTokens: 10_300,
  decisionPoints: [
    ...BEFORE.map((one, index) => ({ ...one, id: `fine-${index}` })),
    decide(2, "ask_human", {
      id: "fine-2",
      reasoning: "The order is refunded already.",
      contextSnapshot: { order: { id: "A-0987", state: "refunded" }, policy: { ageDays: 2 } },
    }),
  ],
});
const alsoFine = { ...fine, id: "also-fine", decisionPoints: fine.decisionPoints.slice(0, 1) };
const twin = { ...failed, id: "twin", status: "COMPLETED", spans: [] };
const alone = trace({ id: "alone", name: "nobody like me", decisionPoints: [decide(0, "ask_human")] });

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  expectStatus(await user.send([failed, fine, alsoFine, twin, alone]), 200);
  browser = await openBrowser();
});

async function open(path: string, options?: Parameters<Browser["newContext"]>[0]) {
  const context = await signedInContext(browser, user, {
    reducedMotion: "reduce",
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const watched = await openPage(context);
  await watched.page.goto(booted.client.url + path);
  return { ...watched, context };
}

const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const focusedText = (page: Page) => page.evaluate("document.activeElement?.textContent");

describe("the comparison of two traces", () => {
  it("finds a partner by itself from the page of a trace, and opens the first divergence", async () => {
    const { page, pageErrors, context } = await open("/traces/failed");
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: booted.client.url });
    await page.getByRole("link", { name: "Compare" }).click();
    await page.getByRole("heading", { name: "First divergence: choice flipped" }).waitFor();
    await page.getByText("same 4 options, other choice").waitFor();
    await page.getByText("Chose otherwise and succeeded, same first 2 decisions").waitFor();
    await page.getByText("1 of 2", { exact: true }).waitFor();
    const divergence = page.getByRole("region", { name: /First divergence/ });
    await divergence.getByText("The refund API is the direct route.").waitFor();
    await divergence.getByText("The order is refunded already.").waitFor();
    await divergence.getByText("equal, and named in B’s reasoning").waitFor();
    await divergence.getByText("2 of 3 keys differ").waitFor();
    expect(await divergence.getByText('"A-1042"').count()).toBe(1);
    await divergence.getByRole("link", { name: "Scorecard of these options" }).waitFor();
    const rows = page.getByRole("list", { name: "Decisions of both runs" });
    await rows.getByText("only in A").waitFor();
    await rows.getByText("same context").waitFor();
    await rows.getByText("HTTP 409 Conflict").waitFor();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("menuitem", { name: "Markdown" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(
      "## First divergence, decision 3: choice flipped",
    );
    // Figures of both, and by how much they differ.
    await page.getByText("+1 m 51 s").waitFor();
    await page.getByText("−$0.0184").waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("is used with the keyboard: differences, lines, partners, folding, swapping, opening a decision", async () => {
    const { page, context } = await open("/compare?a=failed");
    await page.getByText("1 of 2", { exact: true }).waitFor();
    await page.keyboard.press("n");
    await expect.poll(() => focusedText(page)).toContain("refund_api");
    await page.keyboard.press("n");
    await expect.poll(() => focusedText(page)).toContain("same arguments");
    await page.keyboard.press("Shift+N");
    await expect.poll(() => focusedText(page)).toContain("refund_api");
    await page.keyboard.press("k");
    await expect.poll(() => focusedText(page)).toContain("cached policy");
    await page.keyboard.press("u");
    await page.getByRole("button", { name: "2 decisions are the same" }).waitFor();
    expect(parameter(page, "fold")).toBe("1");
    await page.keyboard.press("u");
    await page.keyboard.press("]");
    await page.getByText("2 of 2", { exact: true }).waitFor();
    expect(parameter(page, "b")).toBe("also-fine");
    await page.getByRole("heading", { name: "First divergence: path changed" }).waitFor();
    await page.getByText("B decides no more").waitFor();
    await page.keyboard.press("[");
    await page.getByText("1 of 2", { exact: true }).waitFor();
    await page.keyboard.press("s");
    await page.getByText("only in B").waitFor();
    expect([parameter(page, "a"), parameter(page, "b")]).toEqual(["fine", "failed"]);
    await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/traces\/fine\?decision=fine-2/);
    await context.close();
  });

  it("says if the decisions are the same and only the end differs, and offers other partners", async () => {
    const { page, context } = await open("/compare?a=failed");
    await page.getByRole("button", { name: /Chose otherwise and succeeded/ }).click();
    await page.getByRole("menuitemradio", { name: /Same choices, still succeeded/ }).click();
    await page.getByRole("heading", { name: "The same 4 decisions, another end" }).waitFor();
    await page.getByText("The contexts that were recorded are the same, too.").waitFor();
    await page.getByRole("button", { name: /Same choices, still succeeded/ }).click();
    await page.getByRole("menuitem", { name: /Pick a run/ }).click();
    await page.getByRole("region", { name: "Selected traces" }).getByText("Select another trace").waitFor();
    await context.close();
  });

  it("says why there is no partner, and that a trace is not found", async () => {
    const { page, context } = await open("/compare?a=alone");
    await page.getByText("No other run of this agent was completed.").waitFor();
    await page.getByRole("link", { name: "Open the trace" }).waitFor();
    await page.goto(`${booted.client.url}/compare?a=failed&b=unknown`);
    await page.getByText("Trace b not found. It may have been deleted.").waitFor();
    await page.goto(`${booted.client.url}/compare`);
    await page.getByText("Nothing to compare yet").waitFor();
    await context.close();
  });

  it("follows a run that is still running", async () => {
    // A run that has ended does not begin again, so each attempt has its own.
    const running = { ...fine, id: `running-${randomUUID()}`, status: "RUNNING", totalDuration: null };
    expectStatus(await user.send([running]), 200);
    const { page, context } = await open(`/compare?a=failed&b=${running.id}`);
    await page.getByText("Still running", { exact: true }).waitFor();
    expectStatus(await user.send([{ ...running, status: "COMPLETED", totalDuration: 5_000 }]), 200);
    await page.getByText("Completed after 5.00 s").waitFor();
    await context.close();
  });

  it("shows an error that a retry can solve", async () => {
    const { page, context } = await open("/traces");
    const recover = await failRequests(
      page,
      "**/api/insights/compare**",
      503,
      "Service temporarily unavailable",
    );
    await page.goto(`${booted.client.url}/compare?a=failed&b=fine`);
    await page.getByText("Service temporarily unavailable").waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: /First divergence/ }).waitFor();
    await context.close();
  });

  it.runIf(IS_WHOLE)("has no axe violation", async () => {
    for (const width of [1440, 390])
      for (const path of ["/compare?a=failed&keys=all", "/compare?a=failed&b=twin", "/compare?a=alone"]) {
        const { page, context } = await open(path, { viewport: { width, height: 900 } });
        await page
          .getByText(/First divergence|another end|No run to compare with/)
          .first()
          .waitFor();
        await waitUntilLoaded(page);
        expect(await axeViolations(page), `${path} at ${width}`).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
        await context.close();
      }
  });
});

describe("the list of traces", () => {
  it("compares two traces that were marked with x", async () => {
    const { page, context } = await open("/traces?sort=oldest");
    await page.getByRole("link", { name: "nobody like me" }).waitFor();
    await page.keyboard.press("j");
    const first = await focusedText(page);
    await page.keyboard.press("x");
    const bar = page.getByRole("region", { name: "Selected traces" });
    await bar.getByText(String(first)).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await expect.poll(() => parameter(page, "compareB")).not.toBeNull();
    const marks = [parameter(page, "compareA"), parameter(page, "compareB")];
    expect(new Set(marks).size).toBe(2);
    await bar.getByRole("link", { name: "Compare", exact: true }).click();
    await page.waitForURL(/\/compare\?/);
    expect([parameter(page, "a"), parameter(page, "b")]).toEqual(marks);
    await page.goBack();
    await bar.getByRole("button", { name: "Clear selection" }).click();
    await bar.waitFor({ state: "detached" });
    expect(parameter(page, "compareA")).toBeNull();
    await context.close();
  });
});
