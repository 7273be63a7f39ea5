import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { COUNTDOWN, LIMITED, showPage } from "../../test/show-page.tsx";

const FORMS = [
  {
    path: "/login",
    request: "POST /api/auth/login",
    fields: { Email: "a@example.test", Password: "p" },
    action: "Sign in",
  },
  {
    path: "/register",
    request: "POST /api/auth/register",
    fields: { Email: "b@example.test", Password: "long enough it is" },
    action: "Create account",
  },
  {
    path: "/forgot-password",
    request: "POST /api/auth/forgot-password",
    fields: { Email: "a@example.test" },
    action: "Send reset link",
  },
  {
    path: "/reset-password?token=x",
    request: "POST /api/auth/reset-password",
    fields: { "New password": "long enough it is" },
    action: "Change password",
  },
  {
    path: "/verify-email?token=x",
    request: "POST /api/auth/verify-email",
    fields: {},
    action: "Confirm email",
  },
];

it.each(FORMS)(
  "the form of $path shows when to retry after a rate limit, and can be submitted again",
  async ({ path, request, fields, action }) => {
    const server = showPage(path, { [request]: LIMITED });
    const button = page.getByRole("button", { name: action, exact: true });
    // The form of the page before has fields of the same names.
    await expect.element(button).toBeVisible();
    for (const [label, text] of Object.entries(fields)) await page.getByLabelText(label).fill(text);
    await button.click();
    await expect.element(page.getByText(COUNTDOWN)).toBeVisible();
    await expect.element(button).toBeEnabled();
    await button.click();
    await expect.poll(() => server.count(request)).toBe(2);
  },
);
