import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** The rules of accessibility that a page violates, each with the elements that violate it. */
export async function axeViolations(page: Page): Promise<string[]> {
  // The legacy mode does without a second page, which is needed to put the results of frames together. There are none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
