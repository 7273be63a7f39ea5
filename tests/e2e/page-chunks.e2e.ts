import { launchBrowser, openPage } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const CHUNK = "**/assets/decisions-page-*.js";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send([trace({ id: "the-run", name: "the run" })]);
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function openSignedIn(): Promise<Page> {
  const { page } = await openPage(await signedInContext(browser, user));
  return page;
}

async function openTraces(): Promise<Page> {
  const page = await openSignedIn();
  await page.goto(`${booted.client.url}/traces`);
  await page.getByRole("link", { name: "the run" }).waitFor();
  return page;
}

/** Counts the documents that the tab loads from now on. */
function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  return () => documents;
}

/** Holds requests until the returned function is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

const decisionsLink = (page: Page) => page.getByRole("link", { name: "Decisions" }).first();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const removeChunk = (page: Page) =>
  page.route(CHUNK, (route) => route.fulfill({ status: 404, json: { error: "Not found" } }));

describe("a page whose chunk loads slowly", () => {
  it("shows the page before with a line of progress, then a skeleton, then itself, and nothing that was there moves", async () => {
    const page = await openTraces();
    const release = await hold(page, CHUNK);
    const place = await decisionsLink(page).boundingBox();
    // What the page shows when the line appears is read there: the skeleton follows within a second.
    const headingBesideLine = page.evaluate(
      () =>
        new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            if (!document.querySelector("[role=progressbar]")) return;
            observer.disconnect();
            resolve(document.querySelector("h1")?.textContent);
          });
          observer.observe(document, { subtree: true, childList: true });
        }),
    );
    await decisionsLink(page).click();
    expect(await headingBesideLine).toContain("Traces");
    await page.getByRole("main").getByRole("status", { name: "Loading" }).waitFor();
    expect(await heading(page, "Traces").count()).toBe(0);
    release();
    await heading(page, "Decisions").waitFor();
    await page.getByRole("progressbar").waitFor({ state: "detached" });
    expect(await decisionsLink(page).boundingBox()).toEqual(place);
  });

  it("loads while the session is checked", async () => {
    const page = await openSignedIn();
    const release = await hold(page, "**/api/auth/session");
    const chunk = page.waitForRequest(CHUNK);
    await page.goto(`${booted.client.url}/decisions`);
    await chunk;
    release();
    await heading(page, "Decisions").waitFor();
  });
});

describe("a page whose chunk is gone after a deployment", () => {
  it("does not reload the tab when the pointer is over a link to it, but when it is opened", async () => {
    const page = await openTraces();
    await removeChunk(page);
    const documents = countDocuments(page);
    const health = page.waitForResponse("**/api/health/live");
    await decisionsLink(page).hover();
    await health;
    // A reload would begin at once.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
    expect(documents()).toBe(0);
    expect(await heading(page, "Traces").count()).toBe(1);

    page.on("request", (request) => {
      if (request.isNavigationRequest()) void page.unroute(CHUNK);
    });
    await decisionsLink(page).click();
    await heading(page, "Decisions").waitFor();
    expect(documents()).toBe(1);
  });

  it("says that it could not be loaded if reloading did not help, and offers to try again", async () => {
    const page = await openTraces();
    await removeChunk(page);
    const documents = countDocuments(page);
    await decisionsLink(page).click();
    await page.getByText("Part of Whytrace could not be loaded.").waitFor();
    expect(documents()).toBe(1);

    await page.unroute(CHUNK);
    await page.getByRole("button", { name: "Retry" }).click();
    await heading(page, "Decisions").waitFor();
  });
});
