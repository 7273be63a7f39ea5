import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
  user = await newSender(booted.client, booted.db);
  await user.send(
    Array.from({ length: 12 }, (_, n) =>
      trace({
        id: `trace-${n}`,
        name: `run ${n}`,
        status: n % 2 ? "ERROR" : "COMPLETED",
        metadata: { env: "prod" },
        totalCost: n,
        startedAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
        decisionPoints: [decision()],
      }),
    ),
  );
});

async function open(path: string, options = {}) {
  const context = await signedInContext(browser, user, options);
  const { page, pageErrors } = await openPage(context);
  await page.goto(booted.client.url + path);
  await page.locator("[data-row], h1").first().waitFor();
  return { context, page, pageErrors };
}

const isStored = async (id: string) => (await user.get(`/api/traces/${id}`)).status === 200;

describe("the command palette", () => {
  it("opens the trace whose id is pasted", async () => {
    const { page, context } = await open("/decisions");
    await page.keyboard.press("Control+k");
    await page.getByLabel("Search, or paste the id of a trace").fill("trace-7");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/traces/trace-7");
    await page.getByRole("heading", { name: "run 7" }).waitFor();
    await context.close();
  });
});

describe("selected traces", () => {
  it("are selected by keyboard, a range with Shift, and deleted after a confirmation", async () => {
    const { page, context, pageErrors } = await open("/traces?sort=oldest");
    const bar = page.getByRole("region", { name: "Selected traces" });
    await page.locator("[data-row]").first().waitFor();
    for (const key of ["j", "x"]) await page.keyboard.press(key);
    await bar.getByText("run 0").waitFor();
    for (const key of ["j", "j", "X"]) await page.keyboard.press(key);
    await bar.getByText("3 traces selected").waitFor();
    const exported = await user.get(
      String(await bar.getByRole("link", { name: "Export" }).getAttribute("href")),
    );
    expect(exported.text.trim().split("\n")).toHaveLength(3);
    await bar.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 3 traces" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await isStored("trace-0")).toBe(true);
    await bar.getByRole("button", { name: "Delete" }).click();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await bar.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "run 0", exact: true }).waitFor({ state: "detached" });
    expect(await Promise.all(["trace-0", "trace-1", "trace-2", "trace-3"].map(isStored))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("are selected on a phone, too, by touch and without scrolling sideways", async () => {
    const phone = { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true };
    const { page, context } = await open("/traces?sort=newest", phone);
    for (const name of ["run 11", "run 10"])
      await page.getByRole("button", { name: `Select ${name}`, exact: true }).tap();
    const bar = page.getByRole("region", { name: "Selected traces" });
    await bar.getByRole("link", { name: "Compare" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await context.close();
  });

  it("can be deleted on their own page", async () => {
    const { page, context } = await open("/traces/trace-3");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(`${booted.client.url}/traces`);
    await page.getByRole("link", { name: "run 4" }).waitFor();
    expect(await isStored("trace-3")).toBe(false);
    await context.close();
  });
});

describe("columns", () => {
  it("can be hidden, and stay hidden in this browser", async () => {
    const { page, context } = await open("/traces");
    await page.getByRole("columnheader", { name: "Cost" }).waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByLabel("Cost", { exact: true }).uncheck();
    await page.getByRole("columnheader", { name: "Cost" }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("columnheader", { name: "Started" }).waitFor();
    expect(await page.getByRole("columnheader", { name: "Cost" }).count()).toBe(0);
    await context.close();
  });
});

describe("saved views", () => {
  it("are saved, opened, made the default, renamed and deleted", async () => {
    const { page, context, pageErrors } = await open("/traces?status=ERROR&sort=costliest");
    const views = page.getByRole("button", { name: /^Views/ });
    const panel = page.getByRole("dialog", { name: "Views" });
    await views.click();
    await panel.getByLabel("Save this view as").fill("Costly failures");
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "Costly failures by you", exact: true }).waitFor();
    await page.getByRole("button", { name: "Views: Costly failures" }).waitFor();

    await page.goto(`${booted.client.url}/traces`);
    await views.click();
    await panel.getByRole("button", { name: "Costly failures by you", exact: true }).click();
    await page.waitForURL("**/traces?status=ERROR&sort=costliest");
    await views.click();
    await panel.getByRole("button", { name: "Open the list with Costly failures" }).click();
    await panel.getByRole("button", { name: "Open the list with Costly failures", pressed: true }).waitFor();
    await page.goto(`${booted.client.url}/traces`);
    await page.waitForURL("**/traces?status=ERROR&sort=costliest");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL("**/traces?sort=costliest");

    await views.click();
    await panel.getByRole("button", { name: "Rename Costly failures" }).click();
    await panel.getByLabel("New name").fill("Failures");
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "Failures by you", exact: true }).waitFor();
    await panel.getByRole("button", { name: "Delete Failures" }).click();
    await panel.getByText("No saved views yet").waitFor();
    expect((await user.get("/api/views")).json).toEqual({ views: [] });
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});

describe("the chips", () => {
  it("are behind one button on a phone, which says how many filters are set", async () => {
    const { page, context } = await open("/traces?outcome=bad&received=7d&sort=newest", {
      viewport: { width: 390, height: 844 },
    });
    const button = page.getByRole("button", { name: "Filter (1)" });
    await waitUntilLoaded(page);
    const box = await page.getByRole("search").boundingBox();
    expect(box?.height).toBeLessThan(3 * 44);
    expect(await page.getByLabel("Outcome", { exact: true }).isVisible()).toBe(false);
    expect(await page.getByRole("button", { name: "Time: 7 days" }).isVisible()).toBe(true);
    await button.focus();
    await page.keyboard.press("Enter");
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe("Status");
    await page.getByRole("button", { name: "Clear Outcome" }).click();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    expect(await page.getByLabel("Outcome", { exact: true }).isVisible()).toBe(false);
    await context.close();
  });

  it.runIf(IS_WHOLE)("have no axe violation", async () => {
    await user.post("/api/views", { name: "In the open", query: "status=ERROR" });
    for (const width of [1440, 390]) {
      const { page, context } = await open("/traces?metadata.env=prod&costFrom=1", {
        viewport: { width, height: 900 },
      });
      if (width < 640) await page.getByRole("button", { name: "Filter (2)" }).click();
      const chips = ["Views", "+ Filter", "Cost: ≥ $1.00"];
      for (const chip of width < 1024 ? chips : ["Columns", ...chips]) {
        await page.getByRole("button", { name: chip, exact: true }).click();
        expect(await axeViolations(page), `${chip} at ${width}`).toEqual([]);
        await page.keyboard.press("Escape");
      }
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      await context.close();
    }
  });
});
