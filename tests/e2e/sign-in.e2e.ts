import { randomBytes } from "node:crypto";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { freePort } from "@whytrace/testing/free-port.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { appCode } from "@whytrace/testing/server/second-factor.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
/** A passkey belongs to a name, never to an IP address. */
let origin: string;
beforeAll(async () => {
  const port = String(await freePort());
  origin = `http://localhost:${port}`;
  const ENCRYPTION_KEYS = randomBytes(32).toString("base64");
  booted = await boot({ PORT: port, PUBLIC_URL: origin, ENCRYPTION_KEYS }, { memberships: 1 });
  browser = await openBrowser();
});

/** A signed-in page on the settings, with an authenticator in the browser that says yes unless told otherwise. */
async function openSettings(user: SignedInUser) {
  await user.verify?.();
  const context = await signedInContext(browser, user, {}, origin);
  const { page, pageErrors } = await openPage(context);
  const devTools = await context.newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const answer = (enabled: boolean) =>
    devTools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  const verifyPerson = (isUserVerified: boolean) =>
    devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
  await page.goto(`${origin}/settings/sign-in`);
  await waitUntilLoaded(page);
  return { context, page, pageErrors, answer, verifyPerson };
}

async function storeCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole("dialog", { name: "Store your recovery codes" });
  await dialog.waitFor();
  const codes = await dialog.getByRole("listitem").allTextContents();
  await dialog.getByRole("button", { name: "I have stored them" }).click();
  return codes;
}

async function giveLogin(page: Page, { email }: SignedInUser) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "One more step" }).waitFor();
}

const forgetProof = ({ userId }: SignedInUser) =>
  sql`update sessions set confirmed_at = null where user_id = ${userId}`.execute(booted.db);

describe("a passkey", () => {
  it("is added, confirms an act, is the second step, signs in alone, and is removed", async () => {
    const user = await booted.client.newUser();
    const { context, page, pageErrors, answer, verifyPerson } = await openSettings(user);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    expect(await storeCodes(page)).toHaveLength(10);
    await page.getByText("never used").waitFor();
    expect(await axeViolations(page)).toEqual([]);

    await forgetProof(user);
    await page.getByRole("button", { name: "Make new ones" }).click();
    await page.getByRole("dialog", { name: "Confirm that it is you" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Confirm with a passkey" }).click();
    expect(await storeCodes(page)).toHaveLength(10);

    // Nobody touches the authenticator, so that the address field offers the passkey in vain.
    await answer(false);
    await context.clearCookies();
    await page.goto(`${origin}/login`);
    await giveLogin(page, user);
    expect(await axeViolations(page)).toEqual([]);
    await answer(true);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();

    // Of a person who is not verified, the browser or the server takes no passkey.
    await verifyPerson(false);
    await context.clearCookies();
    await page.goto(`${origin}/login`);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page
      .getByRole("button", { name: "Sign in with a passkey" })
      .and(page.locator(":enabled"))
      .waitFor();
    expect((await context.cookies()).filter(({ name }) => name === "whytrace_session")).toEqual([]);

    // The browser offers the passkey in the address field, or the button asks for it.
    await verifyPerson(true);
    await page.goto(`${origin}/login`);
    const button = page.getByRole("button", { name: "Sign in with a passkey" });
    const main = page.getByRole("navigation", { name: "Main" });
    await button.or(main).first().waitFor();
    await button.click({ timeout: 5_000 }).catch(() => {});
    await main.waitFor();

    await page.goto(`${origin}/settings/sign-in`);
    await page.getByRole("button", { name: /^Remove / }).click();
    await page.getByText("No passkeys yet.").waitFor();
    // The browser logs the refusal that asks for the proof.
    expect(pageErrors.filter((text) => !text.includes("status of 403"))).toEqual([]);
    await context.close();
    await booted.client.signIn(user.email);
  });

  it("is not added twice by the same authenticator", async () => {
    const user = await booted.client.newUser();
    const { context, page } = await openSettings(user);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await storeCodes(page);
    await page.getByText("never used").waitFor();
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("This device has a passkey of yours already.").waitFor();
    await context.close();
  });

  it("is not offered on an IP address, and the page says why", async () => {
    const { client, server } = await bootAtOrigin();
    const context = await signedInContext(browser, await client.newUser());
    const { page } = await openPage(context);
    await page.goto(`${server.url}/settings/sign-in`);
    await page.getByText("browsers need https and a host name").waitFor();
    expect(await page.getByRole("button", { name: "Add a passkey" }).isDisabled()).toBe(true);
    await context.close();
  });
});

describe("an authenticator app", () => {
  it("is set up with its secret, asked for at sign-in, and a recovery code takes its place", async () => {
    const user = await booted.client.newUser();
    const { context, page, pageErrors } = await openSettings(user);
    await page.getByRole("button", { name: "Set up an app" }).click();
    await page.getByRole("img", { name: "QR code with the secret" }).waitFor();
    const secret = ((await page.locator("code").textContent()) ?? "").replaceAll(" ", "");
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel("Then enter the code it shows").fill(appCode(secret));
    await page.getByRole("button", { name: "Confirm" }).click();
    const codes = await storeCodes(page);
    await page.getByText("10 of 10 left").waitFor();

    await context.clearCookies();
    await page.goto(`${origin}/login?next=${encodeURIComponent("/settings/sign-in")}`);
    await giveLogin(page, user);
    await page.getByLabel("Code of your authenticator app").fill("000000");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Invalid code").waitFor();
    // The next code: no code is taken twice, and this one stays valid if the machine is slow.
    await page.getByLabel("Code of your authenticator app").fill(appCode(secret, 1));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Set up. It is asked for after your password.").waitFor();

    await context.clearCookies();
    await page.goto(`${origin}/login?next=${encodeURIComponent("/settings/sign-in")}`);
    await giveLogin(page, user);
    await page.getByRole("button", { name: "Use a recovery code instead" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("9 of 10 left").waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });
});
