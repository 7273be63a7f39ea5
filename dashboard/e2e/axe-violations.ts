import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** The rules that depend on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** The rules of accessibility that a page violates, in both themes, each with the elements that violate it. */
export async function axeViolations(page: Page): Promise<string[]> {
  const own = await analyze(page);
  // A transition from one colour to another has other contrasts.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(switchTheme);
  const other = await analyze(page, COLOUR_RULES);
  await page.evaluate(switchTheme);
  return [...own, ...other];
}

async function analyze(page: Page, rules?: string[]): Promise<string[]> {
  // The legacy mode does without a second page, which is needed to put the results of frames together. There are none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

function switchTheme(): void {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
}
