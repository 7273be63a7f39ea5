import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  await user.send([trace({ id: "the-run", name: "the run" })]);
  browser = await openBrowser();
});

/** Answers requests for the chunk of the trace page as a server does that has only the chunks of another version. */
async function openOldVersion(isMissing: (documents: number) => boolean) {
  const { page } = await openPage(await signedInContext(browser, user));
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  await page.route("**/assets/trace-page-*.js", (route) =>
    isMissing(documents)
      ? route.fulfill({ status: 404, headers: { "cache-control": "no-store" }, json: { error: "Not found" } })
      : route.continue(),
  );
  await page.goto(`${booted.client.url}/traces/the-run`);
  return { page, documents: () => documents };
}

describe("a tab that was opened before a deployment", () => {
  it("reloads once and shows the page of the new version", async () => {
    const { page, documents } = await openOldVersion((documents) => documents === 1);
    await page.getByRole("heading", { name: "the run" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/traces/the-run");
    expect(documents()).toBe(2);
  });

  it("shows the error instead of reloading again and again if the chunk stays missing", async () => {
    const { page, documents } = await openOldVersion(() => true);
    await page.getByText("Could not load this trace").waitFor();
    await waitUntilLoaded(page);
    expect(documents()).toBe(2);
  });
});
