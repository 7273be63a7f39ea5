import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;

/** Runs that chose these tools, one after the other. */
const runs = (count: number, choices: string[], status: string, release = "v1.0.0") =>
  Array.from({ length: count }, () => {
    const startMs = Date.now() - (release === "v1.0.0" ? 3_600_000 : 1_800_000);
    return trace({
      name: "support-agent",
      status,
      tags: [release],
      startedAt: new Date(startMs).toISOString(),
      decisionPoints: choices.map((chosen, index) =>
        decision({
          type: index === 0 ? "ROUTING" : "TOOL_SELECTION",
          chosen,
          alternatives: index === 0 ? ["refund", "order_status"] : ["refund_api", "ask_human"],
          timestamp: new Date(startMs + 1_000 * (index + 1)).toISOString(),
        }),
      ),
    });
  });

beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  const answeredWrong = runs(5, ["refund", "refund_api"], "COMPLETED");
  expectStatus(
    await user.send([
      ...answeredWrong,
      ...runs(25, ["refund", "refund_api"], "ERROR", "v2.0.0"),
      ...runs(20, ["refund", "refund_api"], "COMPLETED"),
      ...runs(25, ["refund", "ask_human"], "COMPLETED"),
      ...runs(40, ["order_status"], "COMPLETED"),
    ]),
    200,
  );
  const scores = answeredWrong.map(({ id }) => ({
    traceId: id,
    name: "correct",
    value: false,
    source: "judge",
  }));
  expectStatus(
    await user.request("POST", "/api/scores", {
      body: { scores },
      headers: { authorization: `Bearer ${user.key}` },
    }),
    200,
  );
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

describe("the map of decisions", () => {
  it("is reached from Why, and is used with the keyboard", async () => {
    const { page, pageErrors, context } = await open("/why");
    await page.getByRole("link", { name: "Map", exact: true }).click();
    const start = page.getByRole("button", { name: /^Start/ });
    await start.waitFor();
    await start.focus();
    await page.keyboard.press("ArrowDown");
    const panel = page.getByRole("complementary", { name: "Selection" });
    await panel.getByText("Ways on from refund").waitFor();
    await page.keyboard.press("ArrowDown");
    await panel.getByText("60 %", { exact: true }).first().waitFor();
    await page.keyboard.press("f");
    await page.waitForURL(/\/traces\?/);
    expect(new URL(page.url()).searchParams.get("outcome")).toBe("bad");
    await page.goBack();
    await page.getByRole("button", { name: /refund_api/ }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/why\/[0-9a-f]{14}/);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("finds a choice, folds what is rarer than asked for, and says where all runs went", async () => {
    const { page, context } = await open("/why/map?view=table");
    await page.getByText("rarer than 1 % of runs is folded").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("ask");
    await page.getByText("1 found").waitFor();
    await page.getByRole("row").filter({ hasText: "refund_api" }).waitFor({ state: "detached" });
    await page.getByRole("row").filter({ hasText: "ask_human" }).getByRole("button").click();
    await page.getByRole("searchbox").fill("");
    // Refund, refund_api and ask_human: the rarest one stays because it is selected.
    await page.getByRole("slider", { name: "Choices" }).fill("2");
    await page.waitForURL(/choices=2/);
    await page.getByRole("button", { name: "Clear the selection" }).click();
    await page.getByText("2 of 4").waitFor();
    await page.goto(`${page.url().replace("view=table", "view=map")}`);
    await page.getByRole("button", { name: /^refund 75/ }).click();
    const panel = page.getByRole("complementary", { name: "Selection" });
    await panel.getByText("Ways on from refund, 75 in all").waitFor();
    await panel.getByText("60 % of 50").waitFor();
    expect(await panel.getByRole("listitem").filter({ hasText: "end of the run" }).textContent()).toContain(
      "0 % of 25",
    );
    await context.close();
  });

  it("counts a path by release, with links to the traces, and says how long it takes", async () => {
    const { page, context } = await open("/why/map?view=table");
    await page
      .getByRole("row")
      .filter({ hasText: "refund_api" })
      .getByRole("button", { name: "refund_api" })
      .click();
    const releases = page.getByRole("region", { name: "By release" }).getByRole("listitem");
    await releases.first().waitFor();
    expect(await releases.allTextContents()).toEqual([
      expect.stringMatching(/^v2\.0\.0 ?25.*100 %, 25 bad$/),
      expect.stringMatching(/^v1\.0\.0 ?25.*20 %, 5 bad$/),
    ]);
    await page.getByText("Between, p50").locator("..").getByText("1.00 s").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "5 bad traces of v1.0.0" }).click();
    await page.waitForURL(/\/traces\?/);
    const listed = page.getByRole("row").filter({ hasText: "support-agent" });
    await expect.poll(() => listed.count()).toBe(5);
    await context.close();
  });

  it("says if what is known of a choice could not be loaded, and loads it on request", async () => {
    const { page, context } = await open("/why/map?view=table");
    let isFailing = true;
    for (const request of ["**/api/insights/map/path?*", "**/api/traces?*"])
      await page.route(request, (route) =>
        isFailing
          ? route.fulfill({ status: 500, json: { error: "Internal Server Error" } })
          : route.continue(),
      );
    await page.getByRole("row").getByRole("button", { name: "refund_api" }).first().click();
    const retries = page
      .getByRole("complementary", { name: "Selection" })
      .getByRole("button", { name: "Retry" });
    await expect.poll(() => retries.count()).toBe(2);
    isFailing = false;
    await retries.first().click();
    await page.getByRole("region", { name: "By release" }).waitFor();
    await retries.first().click();
    await page.getByText("30 direct traces").waitFor();
    expect(await retries.count()).toBe(0);
    await context.close();
  });

  it("has a table of the same paths, which phones show first", async () => {
    const { page, context } = await open("/why/map", { viewport: { width: 390, height: 844 } });
    const row = page.getByRole("row").filter({ hasText: "refund_api" });
    await row.getByText("30 bad").waitFor();
    await row.getByRole("button", { name: "refund_api" }).click();
    await page.getByText("Selected path").waitFor();
    await context.close();
  });

  it.runIf(IS_WHOLE)("has no axe violation", async () => {
    for (const [width, path] of [
      [1440, "/why/map"],
      [1440, "/why/map?view=table"],
      [390, "/why/map"],
    ] as const) {
      const { page, context } = await open(path, { viewport: { width, height: 900 } });
      await page.getByText("refund_api").first().waitFor();
      await waitUntilLoaded(page);
      expect(await axeViolations(page), path).toEqual([]);
      await context.close();
    }
  });
});
