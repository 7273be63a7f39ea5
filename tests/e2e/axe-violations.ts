import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** The rules that depend on the theme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** The elements themselves are enough to find them: making selectors for them takes a fifth of the time. */
const OPTIONS: Parameters<AxeBuilder["options"]>[0] = { resultTypes: ["violations"], selectors: false };

/** The rules of accessibility that a page violates, in both themes, each with the elements that violate it. */
export async function axeViolations(page: Page): Promise<string[]> {
  // The legacy mode does without a second page, which is needed to put the results of frames together. There are none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options(OPTIONS);
  // What fades in, or changes from one colour to another, has other contrasts meanwhile.
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { violations: own } = await axe.analyze();
  await page.evaluate(switchTheme);
  const other = await page.evaluate(analyzeAgain, { ...OPTIONS, runOnly: COLOUR_RULES });
  await page.evaluate(switchTheme);
  return [...own, ...other].map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

/** Runs in the page, with the script that the first analysis left there: loading it takes as long as these rules. */
async function analyzeAgain(options: object) {
  const axe: { run(options: object): ReturnType<AxeBuilder["analyze"]> } = Reflect.get(window, "axe");
  const { violations } = await axe.run(options);
  return violations;
}

function switchTheme(): void {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
}
