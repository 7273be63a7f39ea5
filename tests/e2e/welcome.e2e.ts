import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
});

const TABS = ["OpenTelemetry", "AI SDK", "TypeScript SDK", "Python", "curl"];
const run = promisify(execFile);
const PYTHON = await run("python3", ["--version"]).then(
  () => [["Python", "python3"]],
  () => [],
);

async function welcome(options: Parameters<typeof signedInContext>[2] = {}) {
  const user = await booted.client.newUser();
  const context = await signedInContext(browser, user, options);
  const opened = await openPage(context);
  await opened.page.goto(`${booted.server.url}/welcome`);
  await opened.page.getByRole("button", { name: "Create API key" }).click();
  await opened.page.getByText("Copy your key now").waitFor();
  const key = (await opened.page.locator("code").first().textContent()) ?? "";
  return { ...opened, context, key };
}

describe("the note on masking", () => {
  it("says what is masked, and masks personal data at one click", async () => {
    const { page } = await welcome();
    await page
      .getByText("Keys, tokens, passwords and card numbers are masked before anything is stored.")
      .waitFor();
    await page.getByRole("button", { name: "Mask personal data, too" }).click();
    await page.getByText("Secrets and personal data are masked before anything is stored.").waitFor();
    expect(await page.getByRole("button", { name: "Mask personal data, too" }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "Masking" }).first().click();
    await expect.poll(() => page.getByRole("radio", { name: "Personal data" }).isChecked()).toBe(true);
  });
});

describe("the guides", () => {
  it("of frameworks are one click away, any OpenTelemetry first, and the snippet is on the first screen of a phone", async () => {
    const { page } = await welcome({ viewport: { width: 390, height: 844 } });
    const tabs = await page.getByRole("tab", { name: "OpenTelemetry" }).boundingBox();
    expect(tabs?.y).toBeLessThan(500);
    await page.getByText("With a framework?").click();
    const links = page.getByRole("navigation", { name: "Guides by framework" }).getByRole("link");
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(addresses[0]).toBe("/docs/opentelemetry");
    expect(addresses).toContain("/docs/opentelemetry/langchain");
    expect(addresses).toHaveLength(17);
  });
});

describe("the snippets", () => {
  it("are tabs that arrow keys move between, each with the server's address and the new key", async () => {
    const { page, key, pageErrors } = await welcome();
    expect(await page.getByRole("tab").allTextContents()).toEqual(TABS);
    await page.getByRole("tab", { name: "OpenTelemetry" }).focus();
    for (const label of TABS) {
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(label);
      const text = (await page.getByLabel(`${label} snippet`).textContent()) ?? "";
      expect(text).toContain(booted.server.url);
      expect(text).toContain(key);
      await page.keyboard.press("ArrowRight");
    }
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(TABS[0]);
    await page.keyboard.press("End");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("curl");
    expect(pageErrors).toEqual([]);
  });

  it("are copied as they are shown", async () => {
    const { page, context } = await welcome();
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: booted.server.url });
    await page.getByRole("tab", { name: "OpenTelemetry" }).click();
    await page.getByRole("button", { name: "Copy snippet" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await page.getByLabel("OpenTelemetry snippet").textContent());
  });

  it.each([
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 390, height: 844 }],
  ] as const)("are accessible and fit, %s at %o", async (colorScheme, viewport) => {
    const { page } = await welcome({ colorScheme, viewport });
    for (const label of TABS) {
      await page.getByRole("tab", { name: label }).click();
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  });

  it.each([["OpenTelemetry", "bash"], ["curl", "bash"], ...PYTHON])(
    "of %s runs without edits, and its trace opens",
    async (label, program) => {
      const { page } = await welcome();
      await page.getByRole("tab", { name: label }).click();
      const text = (await page.getByLabel(`${label} snippet`).textContent()) ?? "";
      await page.getByText("Waiting for a trace").waitFor();
      await run(program, ["-c", text]);
      await page.getByRole("heading", { name: "my first agent" }).waitFor();
      await page.getByRole("row", { name: /^Decision: / }).waitFor();
    },
  );
});
