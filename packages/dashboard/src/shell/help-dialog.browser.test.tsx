import { expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { showPage } from "../../test/show-page.tsx";

async function showHelp() {
  showPage("/settings/links", { "GET /api/shares": { shares: [] } });
  await expect.element(page.getByText("No links yet.")).toBeVisible();
  await userEvent.keyboard("?");
}

it("the help begins with its title, also where it is longer than the screen", async () => {
  await page.viewport(1280, 500);
  onTestFinished(() => page.viewport(1280, 800));
  await showHelp();
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect.element(dialog).toBeVisible();
  const { scrollHeight, clientHeight, scrollTop } = dialog.element();
  expect(scrollHeight).toBeGreaterThan(clientHeight);
  expect(scrollTop).toBe(0);
});

it("shortcuts are named as the keyboard has them", async () => {
  await showHelp();
  const keys = navigator.platform.startsWith("Mac") ? "⌘K" : "Ctrl K";
  const first = page.getByRole("term").first();
  await expect.element(first).toBeVisible();
  expect(first.element().textContent).toContain(keys);
});
