import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paths } from "../src/paths.ts";
import { axeViolations } from "./axe-violations.ts";
import { type EveryPage, everyPage, LONG_SESSION, LONG_TRACE } from "./every-page.ts";
import { tabFaults } from "./tab-walk.ts";

let pages: EveryPage;
beforeAll(async () => {
  pages = await everyPage();
});
afterAll(() => pages.close());

/** What else some of them show. */
const VIEWS = [
  "/traces?status=ERROR&tags=production&sessionId=suppliers&received=7d",
  "/traces?search=refund&in=everything",
  LONG_TRACE,
  "/decisions?type=RETRY",
  `${LONG_SESSION}?view=table`,
  "/sessions/none",
];

describe("every page", () => {
  // The focus looks the same on all pages, so pages take turns with the themes.
  const views = [...Object.values(paths), ...VIEWS].map((path, index) => ({
    path,
    theme: index % 2 === 0 ? ("light" as const) : ("dark" as const),
  }));
  it.each(views)(
    "$path violates no rule of axe, and Tab reaches each control and shows where it is",
    async ({ path, theme }) => {
      const page = await pages.open(path, theme);
      const faults = [...(await axeViolations(page)), ...(await tabFaults(page))];
      // An open page keeps a connection, of which a browser has six to a server.
      await page.close();
      expect(faults).toEqual([]);
    },
  );
});
