import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { showPage } from "../../test/show-page.tsx";

/** Browsers scroll by whole pixels. */
const ROUNDING = 1;

it("the command palette keeps the option in view that Enter chooses", async () => {
  showPage("/settings/links", { "GET /api/shares": { shares: [] } });
  await expect.element(page.getByText("No links yet.")).toBeVisible();
  await userEvent.keyboard("{Control>}k{/Control}");
  const options = page.getByRole("option");
  await expect.element(options.first()).toBeVisible();
  const list = page.getByRole("listbox", { name: "Results" }).element().getBoundingClientRect();
  await userEvent.keyboard("{ArrowUp}");
  const last = page.getByRole("option", { selected: true });
  await expect.element(last).toHaveTextContent("API reference");
  await expect.poll(() => last.element().getBoundingClientRect().bottom).toBeLessThan(list.bottom + ROUNDING);
  await userEvent.keyboard("{ArrowDown}");
  await expect
    .poll(() => options.first().element().getBoundingClientRect().top)
    .toBeGreaterThan(list.top - ROUNDING);
});
