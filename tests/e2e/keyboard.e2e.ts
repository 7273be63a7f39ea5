import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send(
    Array.from({ length: 25 }, (_, i) =>
      trace({
        id: `trace-${i}`,
        name: `run ${i}`,
        sessionId: `s-${i % 22}`,
        tags: ["a"],
        totalDuration: 1_000,
        decisionPoints: [decision({ reasoning: "because" })],
      }),
    ),
  );
  browser = await openBrowser();
});

interface DialogCase {
  path: string;
  opener: string;
  dialog: string;
  /** Tab leaves a panel, but not a modal dialog. */
  isModal: boolean;
}

const DIALOGS: DialogCase[] = [
  { path: "/traces", opener: "Go to", dialog: "Go to", isModal: true },
  { path: "/settings/api-keys", opener: "Create API key", dialog: "Create an API key", isModal: true },
  { path: "/settings/api-keys", opener: "Revoke test", dialog: "Revoke this key?", isModal: true },
  { path: "/settings/general", opener: "Delete workspace", dialog: "Delete the workspace?", isModal: true },
  { path: "/settings/account", opener: "Delete account", dialog: "Delete your account?", isModal: true },
  { path: "/traces", opener: "Columns", dialog: "Columns", isModal: false },
  { path: "/traces", opener: "Time", dialog: "Time", isModal: false },
];

describe.each(DIALOGS)("the dialog $dialog of $path", ({ path, opener, dialog, isModal }) => {
  it("takes the focus, traps it only if modal, closes on Escape and restores the focus", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(booted.client.url + path);
    const button = page.getByRole("button", { name: opener, exact: opener !== "Go to" });
    // A button that is disabled until its page has loaded takes no focus.
    await button.and(page.locator(":enabled")).waitFor();
    await waitUntilLoaded(page);
    await button.focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog", { name: dialog });
    await panel.waitFor();
    const where = () =>
      panel.evaluate((element) => {
        const { activeElement } = document;
        if (activeElement === document.body) return "browser";
        return element.contains(activeElement) ? "inside" : "outside";
      });
    await expect.poll(where).toBe("inside");

    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press("Enter");
    await panel.waitFor();
    await expect.poll(where).toBe("inside");
    const positions: string[] = [];
    for (let step = 0; step < 25 && (await panel.isVisible()); step += 1) {
      await page.keyboard.press("Tab");
      if (await panel.isVisible()) positions.push(await where());
    }
    if (isModal) expect(new Set(positions)).not.toContain("outside");
    else expect(await panel.isVisible()).toBe(false);
    await context.close();
  });
});

describe("the help dialog", () => {
  it("opens with ?, closes on Escape and restores the focus to the row", async () => {
    const context = await signedInContext(browser, user);
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/traces`);
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor({ state: "hidden" });
    const isOnRow = () => page.evaluate(() => document.activeElement?.hasAttribute("data-row"));
    await expect.poll(isOnRow).toBe(true);
    await context.close();
  });
});

describe("the keyboard", () => {
  it("reaches everything: sections, search, rows, help, command palette, theme", async () => {
    const { page } = await openPage(await signedInContext(browser, user, { colorScheme: "light" }));
    await page.goto(`${booted.client.url}/traces`);
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("j");
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-row"))).toBe(true);
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Search by name",
    );
    await page.keyboard.press("Escape");
    await page.locator("#main").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.waitForURL("**/decisions");
    await page.locator("#main").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("session");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/sessions");
    await page.locator("#main").focus();
    await page.keyboard.press("t");
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
  });
});
