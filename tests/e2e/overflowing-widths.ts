import type { Page } from "playwright-core";

/** The widths of all layouts, in pixels. */
const WIDTHS = [1280, 1024, 768, 390, 320];

/** The widths at which a page that is open scrolls sideways. */
export async function overflowingWidths(page: Page): Promise<number[]> {
  const overflowing: number[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    if ((await page.evaluate(() => document.documentElement.scrollWidth)) > width) overflowing.push(width);
  }
  return overflowing;
}
