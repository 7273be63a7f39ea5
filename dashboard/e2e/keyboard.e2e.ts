import type { Booted } from "@whytrace/testing/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/boot-at-origin.ts";
import { launch, openPage, settled } from "@whytrace/testing/browser.ts";
import { contextOf } from "@whytrace/testing/browser-context.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/sample-traces.ts";
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
  browser = await launch();
});
afterAll(() => browser.close());

const OPEN = ["/login", "/register", "/forgot-password", "/reset-password?token=x", "/verify-email?token=x"];
const OWN = [
  "/welcome",
  "/traces",
  "/traces?status=ERROR&tags=a&sessionId=s-1&received=7d",
  "/decisions",
  "/decisions?type=RETRY",
  "/sessions",
  "/sessions/s-1",
  "/sessions/s-1?view=table",
  "/sessions/none",
  "/settings/api-keys",
  "/settings/billing",
  "/settings/account",
];
const MOST_STOPS = 200;

/**
 * Remembers how everything looks without the focus, and gives each thing one can press or fill a number: a group of
 * radio buttons is one stop.
 */
function prepare() {
  const looks = new Map<Element, string>();
  const lookOf = (element: Element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element);
    return `${outlineStyle === "none" ? "" : `${outlineStyle} ${outlineWidth} ${outlineColor}`}/${boxShadow}`;
  };
  for (const element of document.querySelectorAll("*")) looks.set(element, lookOf(element));
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
      .map(nameOf),
    /** The name of what has the focus, and what is wrong with how that shows. */
    look: () => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const chain = [focused, focused.parentElement, focused.parentElement?.parentElement].filter(
        (element) => element instanceof Element,
      );
      const isShown = chain.some((element) => {
        const { width, height } = element.getBoundingClientRect();
        const look = lookOf(element);
        return (
          width > 4 &&
          height > 4 &&
          opacityOf(element) > 0.5 &&
          look !== looks.get(element) &&
          look !== "/none"
        );
      });
      const box = (focused.getClientRects()[0] ?? focused.getBoundingClientRect()) as DOMRect;
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const isClear = chain.some((element) => top && (element.contains(top) || top.contains(element)));
      return {
        name: nameOf(focused),
        fault: !isShown ? "does not show the focus" : isClear ? null : `is covered by ${top?.outerHTML}`,
      };
    },
  });
}

const stopsOf = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, "stops"));
const lookAt = (page: Page): Promise<{ name: string; fault: string | null } | null> =>
  page.evaluate(() => Reflect.get(window, "look")());

describe.each(["light", "dark"] as const)("by Tab alone, in the %s theme", (colorScheme) => {
  it.each([...OPEN, ...OWN])("%s can be reached whole, and one always sees where one is", async (path) => {
    const options = { colorScheme, reducedMotion: "reduce" } as const;
    const context = OPEN.includes(path)
      ? await browser.newContext(options)
      : await contextOf(browser, user, options);
    const { page } = await openPage(context);
    await page.goto(booted.client.url + path);
    await page.locator("h1, h2").first().waitFor();
    await page.waitForFunction(() => !document.querySelector("[data-skeleton], [aria-busy=true]"));
    await settled(page);
    await page.evaluate(prepare);
    const wanted = await stopsOf(page);
    const reached = new Set<string>();
    const faults: string[] = [];
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      await page.keyboard.press("Tab");
      const look = await lookAt(page);
      if (!look) break;
      reached.add(look.name);
      if (look.fault) faults.push(`${look.name} ${look.fault}`);
    }
    expect(faults).toEqual([]);
    expect(wanted.filter((name) => !reached.has(name))).toEqual([]);
    expect(wanted.length).toBeGreaterThan(0);
    await context.close();
  });
});

interface DialogCase {
  path: string;
  opener: string;
  dialog: string;
  /** A panel is left by Tab, a dialog is not. */
  isModal: boolean;
}

const DIALOGS: DialogCase[] = [
  { path: "/traces", opener: "Go to", dialog: "Go to", isModal: true },
  { path: "/settings/api-keys", opener: "Create a key", dialog: "Create an API key", isModal: true },
  { path: "/settings/api-keys", opener: "Revoke test", dialog: "Revoke this key?", isModal: true },
  { path: "/settings/account", opener: "Delete account", dialog: "Delete your account?", isModal: true },
  { path: "/traces", opener: "Tags", dialog: "Tags", isModal: false },
  { path: "/traces", opener: "Session", dialog: "Session", isModal: false },
  { path: "/traces", opener: "Received", dialog: "Received", isModal: false },
];

describe.each(DIALOGS)("the dialog $dialog of $path", ({ path, opener, dialog, isModal }) => {
  it("takes the focus, keeps or leaves it as it should, closes on Escape and gives it back", async () => {
    const context = await contextOf(browser, user);
    const { page } = await openPage(context);
    await page.goto(booted.client.url + path);
    const button = page.getByRole("button", { name: opener, exact: opener !== "Go to" });
    await button.focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog", { name: dialog });
    await panel.waitFor();
    const where = () =>
      panel.evaluate((element) => {
        const { activeElement } = document;
        if (activeElement === document.body) return "the browser";
        return element.contains(activeElement) ? "inside" : "outside";
      });
    await expect.poll(where).toBe("inside");

    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

    await page.keyboard.press("Enter");
    await panel.waitFor();
    await expect.poll(where).toBe("inside");
    const places: string[] = [];
    for (let step = 0; step < 25 && (await panel.isVisible()); step += 1) {
      await page.keyboard.press("Tab");
      if (await panel.isVisible()) places.push(await where());
    }
    if (isModal) expect(new Set(places)).not.toContain("outside");
    else expect(await panel.isVisible()).toBe(false);
    await context.close();
  });
});

describe("the help", () => {
  it("opens by ?, closes on Escape and gives the focus back to the row", async () => {
    const context = await contextOf(browser, user);
    const { page } = await openPage(context);
    await page.goto(`${booted.client.url}/traces`);
    await page.locator("[data-row]").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-row"))).toBe(true);
    await context.close();
  });
});
