import { randomUUID } from "node:crypto";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { addMember, verifyAddress } from "@whytrace/testing/samples/add-member.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import { TestNameServer } from "@whytrace/testing/server/name-server.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";
import { layoutFaults } from "./layout-faults.ts";

const names = new TestNameServer();
let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin({ DNS_SERVERS: await names.start() });
  browser = await openBrowser();
});

async function expectFits(page: Page) {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(layoutFaults, 0), `at ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await axeViolations(page)).toEqual([]);
}

it("an owner adds a domain, proves it by its record, people join by it, and it is removed again", async () => {
  const { client, db } = booted;
  // Another one for each attempt: a domain belongs to one workspace.
  const domain = `agents-${randomUUID().slice(0, 8)}.example`;
  const owner = await client.newUser();
  // Nobody adds a domain who has not proved an address.
  await verifyAddress(db, owner);
  const context = await signedInContext(browser, owner, { baseURL: client.url });
  const { page, pageErrors } = await openPage(context);
  await page.goto("/settings/general");
  await page.getByText("No domains. People join by invitation.").waitFor();
  await page.getByLabel("Domain", { exact: true }).fill("localhost");
  await page.getByRole("button", { name: "Add domain" }).click();
  await page.getByText("must be a domain such as example.com").waitFor();

  // A session that has not been confirmed lately proves first who it is, and the act goes on by itself.
  await sql`update sessions set confirmed_at = null where user_id = ${owner.userId}`.execute(db);
  await page.getByLabel("Domain", { exact: true }).fill(domain);
  await page.getByLabel("They join as").selectOption("member");
  await page.getByRole("button", { name: "Add domain" }).click();
  const confirm = page.getByRole("dialog", { name: "Confirm that it is you" });
  await confirm.getByLabel("Password").fill(PASSWORD);
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("Nobody can join yet").waitFor();
  expect(await page.getByLabel("Domain", { exact: true }).inputValue()).toBe("");
  const value = (await page.getByText(/^whytrace-workspace=/).textContent()) ?? "";
  expect(await page.getByText(`_whytrace.${domain}`).count()).toBe(1);
  await expectFits(page);

  await page.getByRole("button", { name: `Check ${domain}` }).click();
  await page.getByText("The record was not found yet.").waitFor();
  names.records.set(`_whytrace.${domain}`, value);
  await page.getByRole("button", { name: `Check ${domain}` }).click();
  await page.getByText("People can join. Verified").waitFor();
  expect(await page.getByText("The record was not found yet.").count()).toBe(0);
  expect(await page.getByText(value).count()).toBe(0);
  await expectFits(page);

  const colleague = await client.newUser(`grace@${domain}`);
  await verifyAddress(db, colleague);
  const theirs = await signedInContext(browser, colleague, { baseURL: client.url });
  const { page: joining } = await openPage(theirs);
  await joining.goto("/workspaces/new");
  await joining.getByText("Ada's workspace as member").waitFor();
  expect(await axeViolations(joining)).toEqual([]);
  await joining.getByRole("button", { name: "Join" }).click();
  await joining.waitForURL(({ pathname }) => !pathname.endsWith("/workspaces/new"));
  const { workspaces } = (await colleague.get("/api/workspaces")).json;
  expect(workspaces.map(({ role }: { role: string }) => role)).toEqual(["owner", "member"]);
  await theirs.close();

  await page.getByRole("button", { name: `Remove ${domain}` }).click();
  await page.getByText("Who has joined stays.").waitFor();
  await page.getByRole("button", { name: "Remove domain" }).click();
  await page.getByText("No domains. People join by invitation.").waitFor();
  expect(pageErrors.filter((text) => !/status of (400|403|409)/.test(text))).toEqual([]);
  await context.close();
});

it("says that domains need an owner, and offers to load them again after an error", async () => {
  const { client, db } = booted;
  const [owner, admin] = await Promise.all([client.newUser(), client.newUser()]);
  const prefix = await addMember(db, owner, admin, "admin");
  const theirs = await signedInContext(browser, admin, { baseURL: client.url });
  const { page: shown, pageErrors } = await openPage(theirs);
  await shown.goto(`${prefix}/settings/general`);
  await shown.getByText("Seeing and changing them needs the role owner. Your role is admin.").waitFor();
  expect(await shown.getByRole("button", { name: "Add domain" }).count()).toBe(0);
  expect(pageErrors).toEqual([]);
  await theirs.close();

  const context = await signedInContext(browser, owner, { baseURL: client.url });
  const { page } = await openPage(context);
  const stopFailing = await failRequests(page, "**/api/workspace/domains", 503, "The server is busy");
  await page.goto("/settings/general");
  await page.getByText("The server is busy").waitFor();
  stopFailing();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("No domains. People join by invitation.").waitFor();
  await context.close();
});
