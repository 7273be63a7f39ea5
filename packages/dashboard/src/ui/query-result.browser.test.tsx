import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { COUNTDOWN, FAILED, LIMITED, showPage } from "../../test/show-page.tsx";

const PATH = "/settings/links";
const REQUEST = "GET /api/shares";
const NONE = { shares: [] };
const none = page.getByText("No links yet.");
const retry = page.getByRole("button", { name: "Retry" });

it("shows nothing for 150 ms, then a skeleton, and what there is once it has arrived", async () => {
  const server = showPage(PATH, { [REQUEST]: "held" });
  // Before that, the frame of the page has a skeleton of its own.
  await expect.poll(() => server.count(REQUEST)).toBe(1);
  const skeleton = page.getByRole("main").getByRole("status", { name: "Loading" });
  await expect.element(skeleton).toBeInTheDocument();
  expect(getComputedStyle(skeleton.element()).animationDelay).toBe("0.15s");
  server.answer(REQUEST, NONE);
  await expect.element(none).toBeVisible();
  expect(skeleton.elements()).toEqual([]);
});

it("shows an error with a button to retry, and after a rate limit when, which counts down", async () => {
  const server = showPage(PATH, { [REQUEST]: LIMITED });
  await expect.element(page.getByText("Too many requests.")).toBeVisible();
  const countdown = page.getByText(COUNTDOWN);
  const first = countdown.element().textContent;
  await expect.poll(() => page.getByText(/again/).element().textContent).not.toBe(first);
  server.answer(REQUEST, FAILED);
  await retry.click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Internal Server Error");
  server.answer(REQUEST, NONE);
  await retry.click();
  await expect.element(none).toBeVisible();
  expect(page.getByRole("alert").elements()).toEqual([]);
});

it("keeps what it showed when a later request fails", async () => {
  const server = showPage(PATH, { [REQUEST]: NONE });
  await expect.element(none).toBeVisible();
  server.answer(REQUEST, LIMITED);
  await server.refetch();
  await expect.element(retry).toBeVisible();
  await expect.element(none).toBeVisible();
});
