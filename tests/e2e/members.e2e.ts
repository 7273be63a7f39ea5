import { randomUUID } from "node:crypto";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { addMember, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import { insertPasskey } from "@whytrace/testing/samples/insert-factors.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { layoutFaults } from "./layout-faults.ts";

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
});

async function newOwner(): Promise<SignedInUser> {
  const owner = await booted.client.newUser();
  await verifyAddress(booted.db, owner);
  await sql`update workspaces set name = 'Acme' where id = ${owner.workspaceId}`.execute(booted.db);
  return owner;
}

async function newColleague(owner: SignedInUser, name: string, role: "member" | "viewer" | "owner") {
  const colleague = await booted.client.newUser();
  await sql`update users set name = ${name} where id = ${colleague.userId}`.execute(booted.db);
  const prefix = await addMember(booted.db, owner, colleague, role);
  return Object.assign(colleague, { prefix });
}

async function openMembers(user: SignedInUser, prefix = "") {
  const context = await signedInContext(browser, user, { baseURL: booted.client.url });
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${prefix}/settings/members`);
  await page.locator("[data-row]").first().waitFor();
  return { context, page, pageErrors };
}

async function expectFits(page: Page) {
  for (const width of [1280, 1024, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(layoutFaults, 0), `at ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await axeViolations(page)).toEqual([]);
}

/** As the browser does with what is in the clipboard. */
const paste = (page: Page, text: string) =>
  page.getByLabel("Email address").evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", pasted);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

const roleOf = async (owner: SignedInUser, { userId }: SignedInUser): Promise<string> =>
  (await owner.get("/api/members")).json.members.find((one: { userId: string }) => one.userId === userId)
    ?.role;

it("a list of addresses that is pasted becomes invitations, and what is refused stays in the field with its reason", async () => {
  const owner = await newOwner();
  const grace = await newColleague(owner, "Grace", "member");
  const { context, page, pageErrors } = await openMembers(owner);
  const [lev, mina] = [`lev-${randomUUID()}@acme.example`, `mina-${randomUUID()}@acme.example`];
  await paste(page, `Lev Arnau <${lev}>\n${grace.email}\n"Sato, Mina" <${mina}>; ${lev}`);
  await page.getByRole("button", { name: "Invite 3" }).click();
  await page.getByText("2 people are invited.").waitFor();
  await page.getByText(`${grace.email} is already a member.`).waitFor();
  expect(await page.getByLabel("Email address").inputValue()).toBe(grace.email);
  await page.getByRole("button", { name: `Copy the link for ${mina}` }).waitFor();
  await page.getByText("2 members · 2 invited · no price per person").waitFor();
  await expectFits(page);

  const row = page.getByRole("listitem").filter({ hasText: "invited by" }).filter({ hasText: lev });
  await row.getByRole("button", { name: "Send again" }).click();
  await row.getByRole("button", { name: /^Send again in \d+ s$/ }).waitFor();
  await row.getByText("Copy the link now").waitFor();
  await expectFits(page);
  await row.getByRole("button", { name: `Revoke the invitation of ${lev}` }).click();
  await page.getByText("2 members · 1 invited").waitFor();
  expect(pageErrors.filter((text) => !text.includes("status of 409"))).toEqual([]);
  await context.close();
});

it("a role saves at once and is taken back within six seconds; to make an owner, a person proves who it is", async () => {
  const owner = await newOwner();
  const grace = await newColleague(owner, "Grace", "member");
  const { context, page, pageErrors } = await openMembers(owner);
  const role = page.getByLabel("Role of Grace");
  await role.selectOption("admin");
  await page.getByText("Grace is admin now").waitFor();
  expect(await roleOf(owner, grace)).toBe("admin");
  await expectFits(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => roleOf(owner, grace)).toBe("member");
  await expect.poll(() => role.inputValue()).toBe("member");

  await sql`update sessions set confirmed_at = null where user_id = ${owner.userId}`.execute(booted.db);
  await role.selectOption("owner");
  const confirm = page.getByRole("dialog", { name: "Confirm that it is you" });
  await confirm.getByText("make Grace owner").waitFor();
  await confirm.getByLabel("Password").fill(PASSWORD);
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("Grace is owner now").waitFor();
  expect(await roleOf(owner, grace)).toBe("owner");
  await page.getByText("Grace is owner now").waitFor({ state: "hidden" });

  // One's own role is asked about first: there is no way back.
  await page.getByLabel("Role of Ada").selectOption("viewer");
  const stepDown = page.getByRole("dialog", { name: "Change your own role?" });
  await stepDown.getByText("As viewer you cannot change it back").waitFor();
  await stepDown.getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByLabel("Role of Ada").inputValue()).toBe("owner");
  await page.getByLabel("Role of Ada").selectOption("viewer");
  await stepDown.getByRole("button", { name: "Become viewer" }).click();
  await page.getByText("Inviting people needs the role admin or owner.").waitFor();
  expect(await page.getByLabel("Role of Grace").isDisabled()).toBe(true);
  expect(pageErrors.filter((text) => !text.includes("status of 403"))).toEqual([]);
  await context.close();
});

it("the removal of a member lists the keys that they created, and which of them end", async () => {
  const owner = await newOwner();
  const grace = await newColleague(owner, "Grace", "member");
  for (const [name, scope] of [
    ["production agent", "send"],
    ["notebook", "read"],
  ])
    await grace.post(`${grace.prefix}/api/keys`, { name, scope });
  await owner.post("/api/keys", { name: "of the owner" });
  const { context, page, pageErrors } = await openMembers(owner);
  await page.getByRole("button", { name: "Remove Grace" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove Grace from Acme?" });
  await dialog.getByText("Grace created 2 keys:").waitFor();
  const ends = async () =>
    (await dialog.getByRole("listitem").allTextContents()).map((text) => /ends|stays/.exec(text)?.[0]);
  expect(await ends()).toEqual(["stays", "ends"]);
  await dialog.getByLabel("Keep all").check();
  expect(await ends()).toEqual(["stays", "stays"]);
  await dialog.getByLabel("End all").check();
  expect(await ends()).toEqual(["ends", "ends"]);
  await dialog.getByLabel("End those that read").check();
  await expectFits(page);
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("You are alone here.").waitFor();
  const { keys } = (await owner.get("/api/keys")).json;
  expect(keys.map(({ name }: { name: string }) => name)).toEqual(["production agent", "of the owner"]);
  expect(pageErrors).toEqual([]);
  await context.close();
});

it("ten members can be filtered, and everything is reached by keyboard", async () => {
  const owner = await newOwner();
  for (const name of ["Grace", "Lev", "Mina", "Tom", "Kim", "Sam", "Eve", "Max", "Zoe"])
    await newColleague(owner, name, "viewer");
  await insertPasskey(booted.db, owner.userId);
  const { context, page, pageErrors } = await openMembers(owner);
  await page.getByRole("row", { name: /Ada .*✓/ }).waitFor();
  await page.getByRole("row", { name: /Grace .*none/ }).waitFor();
  await expectFits(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Grace");
  await page.keyboard.press("/");
  await page.keyboard.type("zo");
  await page.getByRole("row", { name: /Grace/ }).waitFor({ state: "detached" });
  expect(await page.locator("[data-row]").count()).toBe(1);
  await page.getByLabel("Filter members").fill("nobody");
  await page.getByText("No member has “nobody”").waitFor();
  await page.getByLabel("Filter members").fill("");
  await page.locator("[data-row]").nth(9).waitFor();
  await page.locator("#main").focus();
  await page.keyboard.press("i");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
  expect(pageErrors).toEqual([]);
  await context.close();
});
