import { hash32ToHex, signatureToHex, signDecision } from "@whytrace/contract";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
  user = await newSender(booted.client, booted.db);
});

/** Forbids the option that every run chooses, of two agents. */
async function addRules() {
  const decided = decision({ id: "d" });
  const { signature, step, option } = signDecision(decided);
  const startedAt = new Date().toISOString();
  for (const name of ["first agent", "second agent"]) {
    expectStatus(await user.send([trace({ name, startedAt, decisionPoints: [decided] })]), 200);
    const hashes = { signature: signatureToHex(signature), step: hash32ToHex(step) };
    const rule = { agent: name, type: decided.type, option, kind: "never", note: `for ${name}`, ...hashes };
    expectStatus(await user.post("/api/insights/rules", rule), 201);
  }
}

it("lists all rules of the workspace with whether they hold, by agent, and deletes one", async () => {
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/why/rules`);
  await page.getByRole("heading", { name: "No rules yet" }).waitFor();
  await addRules();
  const succeed = await failRequests(page, "**/api/insights/rules", 503, "Try later");
  await page.reload();
  await page.getByRole("alert").getByText("Try later").waitFor();
  succeed();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("✕ broken").nth(1).waitFor();
  await page.getByRole("link", { name: "A trace that breaks it" }).nth(1).waitFor();
  await waitUntilLoaded(page);
  expect(await page.locator("[data-row]").allTextContents()).toEqual(["Never search", "Never search"]);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel("Agent").selectOption("first agent");
  await page.waitForURL("**/why/rules?agent=first+agent");
  await expect.poll(() => page.locator("[data-row]").count()).toBe(1);
  await page.getByRole("button", { name: "Delete rule: Never search" }).click();
  await page.getByRole("heading", { name: "This agent has no rules" }).waitFor();
  expect((await user.get("/api/insights/rules")).json.rules).toHaveLength(1);
  await context.close();
});
