import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { showPage } from "../../test/show-page.tsx";

/** Browsers scroll by whole pixels. */
const ROUNDING = 1;

async function showDialog(keys: string) {
  showPage("/settings/links", { "GET /api/shares": { shares: [] } });
  await expect.element(page.getByText("No links yet.")).toBeVisible();
  await userEvent.keyboard(keys);
}

it("the command palette keeps the option in view that Enter chooses", async () => {
  await showDialog("{Control>}k{/Control}");
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

it("the help begins with its title, also where it is longer than the screen", async () => {
  await page.viewport(1280, 500);
  await showDialog("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect.element(dialog).toBeVisible();
  const { scrollHeight, clientHeight, scrollTop } = dialog.element();
  expect(scrollHeight).toBeGreaterThan(clientHeight);
  expect(scrollTop).toBe(0);
});

it("shortcuts are named as the keyboard has them", async () => {
  await showDialog("?");
  const keys = navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K";
  const first = page.getByRole("term").first();
  await expect.element(first).toBeVisible();
  expect(first.element().textContent).toContain(keys);
});
