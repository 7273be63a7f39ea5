import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { FAILED, showPage } from "../../test/show-page.tsx";

const ANSWERS = {
  "GET /api/auth/methods": { password: true, passkeys: true, totp: false, registration: true, providers: [] },
  "POST /api/auth/passkey/options": { options: { challenge: "AAAA" } },
};
const offerInField = () =>
  vi.spyOn(PublicKeyCredential, "isConditionalMediationAvailable").mockResolvedValue(true);

it("says that the browser refused a passkey only to a person who asked for one", async () => {
  offerInField();
  const get = vi
    .spyOn(navigator.credentials, "get")
    .mockRejectedValue(new DOMException("Not here.", "NotSupportedError"));
  showPage("/login", ANSWERS);
  const refused = page.getByText("The browser refused the passkey: Not here.");
  await expect.poll(() => get.mock.calls.length).toBe(1);
  // What was done about the refusal is shown by then.
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(refused.elements()).toEqual([]);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect.element(refused).toBeVisible();
});

it("says that the server refused a passkey that a person chose in the address field", async () => {
  offerInField();
  const chosen = Object.create(PublicKeyCredential.prototype, { toJSON: { value: () => ({}) } });
  vi.spyOn(navigator.credentials, "get").mockResolvedValue(chosen);
  showPage("/login", { ...ANSWERS, "POST /api/auth/passkey": FAILED });
  await expect.element(page.getByRole("alert")).toBeVisible();
});
