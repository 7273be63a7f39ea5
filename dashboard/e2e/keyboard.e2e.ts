import { launchBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

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
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const PUBLIC_PAGES = [
  "/login",
  "/register",
  "/forgot-password",
  "/reset-password?token=x",
  "/verify-email?token=x",
];
const SIGNED_IN_PAGES = [
  "/welcome",
  "/traces",
  "/traces?status=ERROR&tags=a&sessionId=s-1&received=7d",
  "/traces?search=because&in=everything",
  "/decisions",
  "/decisions?type=RETRY",
  "/sessions",
  "/sessions/s-1",
  "/sessions/s-1?view=table",
  "/sessions/none",
  "/settings/general",
  "/settings/api-keys",
  "/settings/links",
  "/settings/masking",
  "/settings/prices",
  "/settings/billing",
  "/settings/account",
];
const MAX_TAB_STOPS = 200;

/**
 * Runs in the page. Stores the unfocused style of every element and the names of all expected tab stops; a radio group
 * is one stop, and so is a list of tabs.
 */
function prepare() {
  const unfocusedStyles = new Map<Element, string>();
  const focusStyleOf = (element: Element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    return `${outlineStyle === "none" ? "" : `${outlineStyle} ${outlineWidth} ${outlineColor}`}/${boxShadow}`;
  };
  for (const element of document.querySelectorAll("*")) unfocusedStyles.set(element, focusStyleOf(element));
  const nameOf = (element: Element) =>
    element instanceof HTMLInputElement && element.type === "radio"
      ? `radio ${element.name}`
      : `${element.tagName} ${element.getAttribute("aria-label") ?? (element.textContent || element.id)}`;
  const opacityOf = (element: Element | null): number =>
    element ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement) : 1;
  Object.assign(window, {
    stops: [
      ...document.querySelectorAll(
        "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex='0']",
      ),
    ]
      .filter((element) => element.getClientRects().length > 0)
      .filter((element) => element.getAttribute("aria-selected") !== "false")
      .map(nameOf),
    /** The name of the focused element, and what is wrong with its focus indicator. */
    inspectFocus: () => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const chain = [focused, focused.parentElement, focused.parentElement?.parentElement].filter(
        (element) => element instanceof Element,
      );
      const isShown = chain.some((element) => {
        const { width, height } = element.getBoundingClientRect();
        const style = focusStyleOf(element);
        return (
          width > 4 &&
          height > 4 &&
          opacityOf(element) > 0.5 &&
          style !== unfocusedStyles.get(element) &&
          style !== "/none"
        );
      });
      const box = (focused.getClientRects()[0] ?? focused.getBoundingClientRect()) as DOMRect;
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const isClear = chain.some((element) => top && (element.contains(top) || top.contains(element)));
      return {
        name: nameOf(focused),
        problem: !isShown ? "does not show the focus" : isClear ? null : `is covered by ${top?.outerHTML}`,
      };
    },
  });
}

const stopsOf = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, "stops"));
const inspectFocus = (page: Page): Promise<{ name: string; problem: string | null } | null> =>
  page.evaluate(() => Reflect.get(window, "inspectFocus")());

describe("with the Tab key", () => {
  // The focus looks the same on all pages, so pages take turns with the themes.
  it.each([...PUBLIC_PAGES, ...SIGNED_IN_PAGES].map((path, index) => ({ path, isDark: index % 2 === 1 })))(
    "every control of $path can be reached, and the focus is always visible",
    async ({ path, isDark }) => {
      const options = { colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" } as const;
      const context = PUBLIC_PAGES.includes(path)
        ? await browser.newContext(options)
        : await signedInContext(browser, user, options);
      const { page } = await openPage(context);
      await page.goto(booted.client.url + path);
      await page.locator("h1, h2").first().waitFor();
      await page.waitForFunction(() => !document.querySelector("[data-skeleton], [aria-busy=true]"));
      await waitUntilLoaded(page);
      await page.evaluate(prepare);
      const expected = await stopsOf(page);
      const reached = new Set<string>();
      const problems: string[] = [];
      for (let stop = 0; stop < MAX_TAB_STOPS; stop += 1) {
        await page.keyboard.press("Tab");
        const focus = await inspectFocus(page);
        if (!focus) break;
        reached.add(focus.name);
        if (focus.problem) problems.push(`${focus.name} ${focus.problem}`);
      }
      expect(problems).toEqual([]);
      expect(expected.filter((name) => !reached.has(name))).toEqual([]);
      expect(expected.length).toBeGreaterThan(0);
      await context.close();
    },
  );
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
