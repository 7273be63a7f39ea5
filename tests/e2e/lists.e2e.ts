import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send([
    trace({
      name: "a run in a loop",
      sessionId: "chat-1",
      startedAt: at(0),
      spans: [span({ input: { messages: [{ role: "user", content: "Fix the flaky test, please." }] } })],
      decisionPoints: Array.from({ length: 40 }, (_, i) =>
        decision({
          timestamp: at(100 + i),
          type: i % 2 === 0 ? "RETRY" : "MEMORY_RETRIEVAL",
          chosen: i % 2 === 0 ? { action: "revise", round: i } : "notes",
          reasoning: `round ${i}`,
          costUsd: 0.01,
        }),
      ),
    }),
    trace({ name: "reviewer", sessionId: "chat-1", startedAt: at(1) }),
    trace({
      name: "another run",
      startedAt: at(0),
      decisionPoints: [decision({ timestamp: at(50), chosen: "answer" })],
    }),
  ]);
  browser = await openBrowser();
});

async function open(path: string, options?: Parameters<Browser["newContext"]>[0]) {
  const context = await signedInContext(browser, user, { reducedMotion: "reduce", ...options });
  const watched = await openPage(context);
  await watched.page.goto(booted.client.url + path);
  return { ...watched, context };
}

describe("the list of decisions", () => {
  it("folds what one trace repeats into a row with its number, which the keyboard opens and closes", async () => {
    const { page, pageErrors, context } = await open("/decisions");
    const rows = page.locator("tbody tr");
    await page.getByRole("row", { name: /another run/ }).waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    const repeated = page.locator("tbody tr").filter({ hasText: "revise" });
    await repeated.getByText("Σ $0.2000").waitFor();
    const button = repeated.getByRole("button", { name: "20 times" });
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    await button.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => button.first().getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => rows.count()).toBe(22);
    await page.getByText("round 0", { exact: true }).waitFor();
    await repeated.first().getByText("$0.0100", { exact: true }).waitFor();
    // The rows' links are reached with j and k, the folded ones included.
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "a run in a loop" }).waitFor();
    expect(new URL(page.url()).searchParams.get("decision")).not.toBeNull();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it.runIf(IS_WHOLE)("has no axe violation when expanded", async () => {
    for (const width of [1440, 390]) {
      const { page, context } = await open("/decisions", {
        viewport: { width, height: 844 },
      });
      const button = page.getByRole("button", { name: "20 times" }).first();
      await button.click();
      await waitUntilLoaded(page);
      expect(await axeViolations(page)).toEqual([]);
      if (width < 640) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await context.close();
    }
  });
});

describe("the list of sessions", () => {
  it("says what each session was asked and which agents took part, and so does the session's page", async () => {
    const { page, pageErrors, context } = await open("/sessions");
    const row = page.getByRole("row", { name: /Fix the flaky test, please\./ });
    await row.getByText("a run in a loop · reviewer").waitFor();
    await row.getByText("chat-1").waitFor();
    await row.getByRole("link").click();
    await page.getByRole("heading", { name: "chat-1" }).waitFor();
    await page.getByText("“Fix the flaky test, please.”").waitFor();
    await page.getByText("a run in a loop · reviewer").waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("the pager of a long list", () => {
  it("covers the rows behind it, also their checkboxes and links", async () => {
    const sender = await newSender(booted.client, booted.db);
    await sender.send(Array.from({ length: 60 }, (_, i) => trace({ name: `run ${i}`, startedAt: at(i) })));
    const viewport = { width: 1_440, height: 900 };
    const context = await signedInContext(browser, sender, { reducedMotion: "reduce", viewport });
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/traces`);
    await waitUntilLoaded(page);
    const pager = page.getByRole("navigation", { name: "Pages" });
    // Wherever a row happens to be behind it.
    for (let scrolled = 0; scrolled < 60; scrolled += 10) {
      await page.evaluate((y) => scrollTo(0, y), scrolled);
      const onTop = await pager.evaluate((nav) => {
        const { left, right, top, bottom } = nav.getBoundingClientRect();
        const foreign: string[] = [];
        for (let x = left + 4; x < right; x += 20)
          for (let y = top + 4; y < bottom; y += 8) {
            const element = document.elementFromPoint(x, y);
            if (element && !nav.contains(element)) foreign.push(element.outerHTML.slice(0, 80));
          }
        return foreign;
      });
      expect(onTop).toEqual([]);
    }
    await context.close();
  });
});
