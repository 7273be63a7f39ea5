import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { COUNTDOWN, LIMITED, showPage } from "../../test/show-page.tsx";

it("shows an error when it cannot ask for the first trace, and goes on waiting", async () => {
  const server = showPage("/welcome", { "GET /api/traces": LIMITED });
  await expect.element(page.getByText(COUNTDOWN)).toBeVisible();
  server.answer("GET /api/traces", { traces: [] });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText(/^Waiting for a trace/)).toBeVisible();
});

it("shows why no key was created, and creates it on the next try", async () => {
  const server = showPage("/welcome", { "GET /api/traces": { traces: [] }, "POST /api/keys": LIMITED });
  const create = page.getByRole("button", { name: "Create API key" });
  await create.click();
  await expect.element(page.getByText(COUNTDOWN)).toBeVisible();
  server.answer("POST /api/keys", { key: "wt_key-of-a-test" });
  await create.click();
  await expect.element(page.getByText(/^Copy your key now/)).toBeVisible();
  await expect.element(page.getByText("wt_key-of-a-test")).toBeVisible();
});
