import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { COUNTDOWN, LIMITED, SESSION, showPage } from "../../test/show-page.tsx";

const REQUEST = "GET /api/auth/session";
const LINKS = { "GET /api/shares": { shares: [] } };
const shown = page.getByText("No links yet.");

it("shows the layout while the session is loading", async () => {
  const server = showPage("/settings/links", { ...LINKS, [REQUEST]: "held" });
  await expect.element(page.getByRole("status", { name: "Loading" })).toBeInTheDocument();
  server.answer(REQUEST, SESSION);
  await expect.element(shown).toBeVisible();
});

it("fetches the session again after an error", async () => {
  const server = showPage("/settings/links", { ...LINKS, [REQUEST]: LIMITED });
  await expect.element(page.getByText(COUNTDOWN)).toBeVisible();
  server.answer(REQUEST, SESSION);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(shown).toBeVisible();
});
