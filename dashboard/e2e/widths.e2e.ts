import { waitUntilLoaded } from "@whytrace/testing/browser.ts";
import type { CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paths } from "../src/paths.ts";
import { type EveryPage, everyPage, LONG_TRACE } from "./every-page.ts";
import { layoutFaults } from "./layout-faults.ts";

/** The last one is 1280 px wide at a zoom of 200 %. */
const SCREENS = [
  { name: "390 px", width: 390, height: 844, deviceScaleFactor: 1 },
  { name: "768 px", width: 768, height: 1024, deviceScaleFactor: 1 },
  { name: "1024 px", width: 1024, height: 768, deviceScaleFactor: 1 },
  { name: "1280 px", width: 1280, height: 800, deviceScaleFactor: 1 },
  { name: "1440 px", width: 1440, height: 900, deviceScaleFactor: 1 },
  { name: "2560 px", width: 2560, height: 1440, deviceScaleFactor: 1 },
  { name: "200 %", width: 640, height: 400, deviceScaleFactor: 2 },
];
/** A narrower screen may wrap a name, or cut it shorter. */
const NAMES_FROM_PX = 600;

let pages: EveryPage;
beforeAll(async () => {
  pages = await everyPage();
});
afterAll(() => pages.close());

describe("every page at every width", () => {
  const views = [...Object.values(paths), LONG_TRACE];
  it.each(views)("%s does not scroll sideways, overlap, clip controls or cut names", async (path) => {
    const page = await pages.open(path);
    const session = await page.context().newCDPSession(page);
    const faults: string[] = [];
    for (const screen of SCREENS) {
      await resize(session, screen);
      await waitUntilLoaded(page);
      const minNameWidth = screen.width < NAMES_FROM_PX ? 0 : 200;
      const found = await page.evaluate(layoutFaults, minNameWidth);
      faults.push(...found.map((fault) => `${screen.name}: ${fault}`));
    }
    await page.close();
    expect(faults).toEqual([]);
  });
});

/** Playwright's own function cannot change the scale of a page that is open. */
const resize = (session: CDPSession, { name: _, ...metrics }: (typeof SCREENS)[number]) =>
  session.send("Emulation.setDeviceMetricsOverride", { ...metrics, mobile: false });
