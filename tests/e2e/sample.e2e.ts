import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

/* What a person does and waits for from the first page on, without any knowledge of the product. */

const run = promisify(execFile);

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
});

/** Counts clicks, fields that are filled in, and commands that are run; and the time that the product takes for them. */
class Journey {
  readonly page: Page;
  readonly startedAt = performance.now();
  actions = 0;

  constructor(page: Page) {
    this.page = page;
  }

  static async begin(path: string): Promise<Journey> {
    const { page } = await openPage(await browser.newContext());
    await page.goto(booted.server.url + path);
    await waitUntilLoaded(page);
    return new Journey(page);
  }

  async act(work: Promise<unknown>) {
    this.actions += 1;
    await work;
  }

  async register() {
    await this.act(this.page.getByLabel("Email").fill(`ada-${randomUUID()}@example.test`));
    await this.act(this.page.getByLabel("Password").fill("correct horse battery"));
    await this.act(this.page.getByRole("button", { name: "Create account" }).click());
    await this.page.waitForURL("**/welcome");
  }

  async end(what: string, seen: string): Promise<number> {
    const seconds = ((performance.now() - this.startedAt) / 1_000).toFixed(1);
    process.stdout.write(
      `${what}: ${this.actions} actions, ${seconds} s without reading and typing\n  ${seen}\n`,
    );
    await this.page.context().close();
    return this.actions;
  }
}

/** The first row of Why that says which option went wrong more often than others in the same situation. */
async function firstFinding(page: Page): Promise<string> {
  const row = page.locator("[data-finding=worse] p").first();
  await row.waitFor({ timeout: 240_000 });
  const text = ((await row.textContent()) ?? "").replaceAll(/\s+/g, " ");
  expect(text).toMatch(/explains \d+ of \d+ .*In the same situation/);
  return text;
}

describe("the first row of Why with a meaning", () => {
  it.each(["when nobody has opened the sample before", "when the sample is there"])(
    "is two actions away for a visitor without an account, %s",
    async (when) => {
      const journey = await Journey.begin("/register");
      await journey.act(journey.page.getByRole("link", { name: "Look at a sample" }).click());
      await journey.act(journey.page.getByRole("link", { name: "Why", exact: true }).first().click());
      const seen = await firstFinding(journey.page);
      expect(await journey.end(`sample, ${when}`, seen)).toBe(2);
    },
  );

  it("is two actions away from an empty Why page of a new account", async () => {
    const journey = await Journey.begin("/register");
    await journey.register();
    await journey.act(journey.page.getByRole("link", { name: "Why", exact: true }).first().click());
    await journey.page.getByRole("heading", { name: "No decisions yet" }).waitFor();
    await journey.act(journey.page.getByRole("link", { name: "See it in the sample" }).click());
    const seen = await firstFinding(journey.page);
    expect(await journey.end("new account, by its empty Why page", seen)).toBe(3 + 2);
  });
});

const SAMPLE = "/w/sample";
/** They change something, which nobody can do in the sample. `Bad scores 2` goes to a score. */
const WRITING =
  /^(Good|Bad(?! scores)|Share|Delete|Save|Right|Wrong|Add|Views|Add CI rule|Judge the next|Ignore this decision)\b/;

const readSample = async (path: string) => (await fetch(`${booted.client.url}${SAMPLE}${path}`)).json();

async function openSample(path: string) {
  const opened = await openPage(await browser.newContext());
  await opened.page.goto(`${booted.client.url}${SAMPLE}${path}`);
  await opened.page.locator("h1, h2").first().waitFor();
  await waitUntilLoaded(opened.page);
  return opened;
}

const enabledButtons = (page: Page) =>
  page
    .getByRole("button", { disabled: false })
    .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel ?? button.textContent.trim()));

describe("the sample", () => {
  it("offers nothing that it would refuse, and no page of it gets a refusal", async () => {
    const failed = (await readSample("/api/traces?limit=1&status=ERROR")).traces[0].id;
    const scored = (await readSample("/api/scores?limit=1")).scores[0].traceId;
    const [{ signature }] = (await readSample("/api/insights/decisions")).rows;
    for (const path of [
      "/",
      "/traces",
      `/traces/${encodeURIComponent(failed)}`,
      `/traces/${encodeURIComponent(scored)}?tab=scores`,
      "/decisions",
      "/why",
      "/why/map",
      "/why/rules",
      `/why/${signature}`,
      "/scores",
      "/scores/review",
      "/agents",
      "/sessions",
      "/settings/outcomes",
    ]) {
      const { page, pageErrors } = await openSample(path);
      expect(
        (await enabledButtons(page)).filter((name) => WRITING.test(name)),
        path,
      ).toEqual([]);
      expect(pageErrors, path).toEqual([]);
      await page.context().close();
    }
  });

  it("ignores the keys that judge, and says where a button is missing that it is read-only", async () => {
    const { page, pageErrors } = await openSample("/scores/review");
    await page.getByText("The sample is read-only").waitFor();
    for (const key of ["+", "-", "0"]) await page.keyboard.press(key);
    await page.goto(`${booted.client.url}${SAMPLE}/traces`);
    await page.locator("[data-row]").first().focus();
    for (const key of ["+", "-", "0"]) await page.keyboard.press(key);
    await waitUntilLoaded(page);
    expect(pageErrors).toEqual([]);
    await page.context().close();
  });
});

it("the first own decision by OpenTelemetry is two actions behind the account: a key, and the snippet in a shell", async () => {
  const journey = await Journey.begin("/register");
  await journey.register();
  await journey.act(journey.page.getByRole("button", { name: "Create API key" }).click());
  await journey.page.getByText("Copy your key now").waitFor();
  const text = (await journey.page.getByLabel("OpenTelemetry snippet").textContent()) ?? "";
  await journey.act(run("bash", ["-c", text]));
  const decision = journey.page.getByRole("row", { name: /^Decision: / });
  await decision.waitFor();
  const seen = ((await decision.textContent()) ?? "").replaceAll(/\s+/g, " ");
  expect(await journey.end("new account, own decision by OpenTelemetry", seen)).toBe(3 + 2);
});
