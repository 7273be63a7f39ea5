import { type WatchedPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { CDPSession } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { type EveryPage, everyPage } from "./every-page.ts";
import { layoutFaults } from "./layout-faults.ts";
import { tabFaults } from "./tab-walk.ts";
import { VIEWS, VIEWS_ON_PHONE } from "./views.ts";

interface Screen {
  name: string;
  width: number;
  height: number;
  deviceScaleFactor: number;
}

const DESKTOP = { name: "1280 px", width: 1280, height: 800, deviceScaleFactor: 1 };
const PHONE = { name: "390 px", width: 390, height: 844, deviceScaleFactor: 1 };
/** `200 %` is a screen of 1280 px at that zoom. */
const ALL_SCREENS: Screen[] = [
  { name: "320 px", width: 320, height: 640, deviceScaleFactor: 1 },
  PHONE,
  { name: "768 px", width: 768, height: 1024, deviceScaleFactor: 1 },
  { name: "1024 px", width: 1024, height: 768, deviceScaleFactor: 1 },
  { name: "1440 px", width: 1440, height: 900, deviceScaleFactor: 1 },
  { name: "2560 px", width: 2560, height: 1440, deviceScaleFactor: 1 },
  { name: "200 %", width: 640, height: 400, deviceScaleFactor: 2 },
  DESKTOP,
];
/** The narrowest, one between, and that in which the page opened. */
const SCREENS = IS_WHOLE ? ALL_SCREENS : ALL_SCREENS.filter(({ width }) => [320, 1024, 1280].includes(width));
/** A narrower screen may wrap a name, or cut it shorter. */
const NAMES_FROM_PX = 600;

let pages: EveryPage;
beforeAll(async () => {
  pages = await everyPage();
});

/** Playwright's own function cannot change the scale of a page that is open. */
const resize = (session: CDPSession, { name: _, ...metrics }: Screen) =>
  session.send("Emulation.setDeviceMetricsOverride", { ...metrics, mobile: false });

async function widthFaults({ page }: WatchedPage, screens: Screen[]): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const faults: string[] = [];
  for (const screen of screens) {
    await resize(session, screen);
    await waitUntilLoaded(page);
    const minNameWidth = screen.width < NAMES_FROM_PX ? 0 : 200;
    const found = await page.evaluate(layoutFaults, minNameWidth);
    faults.push(...found.map((fault) => `${screen.name}: ${fault}`));
  }
  return faults;
}

/** What the page has run, shown or logged that it must not. */
async function otherFaults({ page, pageErrors }: WatchedPage, theme: string): Promise<string[]> {
  const shown = await page.evaluate(() => ({
    isHacked: "hacked" in window,
    theme: document.documentElement.dataset.theme,
  }));
  return [
    ...(shown.isHacked ? ["it ran a script that came with the data"] : []),
    ...(shown.theme === theme ? [] : [`it shows the theme ${shown.theme}`]),
    ...pageErrors.map((error) => `it logged ${error}`),
  ];
}

// What has to hold in both themes is checked in both; each page opens in one.
const themed = (paths: readonly string[]) =>
  paths.map((path, index) => ({ path, theme: index % 2 === 0 ? ("light" as const) : ("dark" as const) }));

describe.concurrent("every page", () => {
  it.each(themed(VIEWS))(
    "$path violates no rule of axe, fits every width, is walked with Tab, runs no script of the data and logs no error",
    async ({ path, theme }) => {
      const watched = await pages.open(path, theme);
      const faults = [
        ...(await axeViolations(watched.page)),
        ...(await widthFaults(watched, SCREENS)),
        ...(await tabFaults(watched.page)),
        ...(await otherFaults(watched, theme)),
      ];
      // An open page keeps a connection, of which a browser has six to a server.
      await watched.page.close();
      expect(faults).toEqual([]);
    },
  );
});

describe.runIf(IS_WHOLE).concurrent("on a phone", () => {
  it.each(themed(VIEWS_ON_PHONE))("$path violates no rule of axe and fits", async ({ path, theme }) => {
    const watched = await pages.open(path, theme, { width: PHONE.width, height: PHONE.height });
    const faults = [
      ...(await axeViolations(watched.page)),
      ...(await widthFaults(watched, [PHONE])),
      ...(await otherFaults(watched, theme)),
    ];
    await watched.page.close();
    expect(faults).toEqual([]);
  });
});
