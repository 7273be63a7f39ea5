import { demoMonth, demoScores } from "@whytrace/demo";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";

/** As many as `whytrace dev --demo` loads. */
const TRACES = 2_000;
const BATCH = 50;
const AGENT = "support-agent: where is my order";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  user = await newSender(booted.client, booted.db);
  const traces = [...demoMonth({ seed: 7, now: new Date(), traces: TRACES })];
  for (let from = 0; from < traces.length; from += BATCH) {
    const batch = traces.slice(from, from + BATCH);
    expectStatus(await user.send(batch), 200);
    const scores = batch.flatMap(demoScores);
    const headers = { authorization: `Bearer ${user.key}` };
    if (scores.length > 0)
      expectStatus(await booted.client.request("POST", "/api/scores", { body: { scores }, headers }), 200);
  }
  browser = await openBrowser();
}, 300_000);

it.runIf(IS_WHOLE)(
  "leads from a thumb to the decision that made users unhappy, as the guide says",
  async () => {
    const context = await signedInContext(browser, user, { viewport: { width: 1280, height: 900 } });
    const { page, pageErrors } = await openPage(context);
    await page.goto(`${booted.client.url}/scores`);
    // 3. Who votes.
    await page.getByLabel("Agent", { exact: true }).selectOption(AGENT);
    await page.getByRole("link", { name: "helpful", exact: true }).click();
    const votes = page.getByRole("region", { name: "Who votes" });
    await votes.getByText("that is not the share of unhappy users").waitFor();
    await votes.getByText(/^Asked in/).waitFor();
    // A bad vote on a run that did not fail.
    await page.goto(`${booted.client.url}/traces?scoreName=helpful&scoreIs=false&status=COMPLETED`);
    await page
      .getByRole("link", { name: /^support-agent/ })
      .first()
      .click();
    await page
      .getByLabel("Metrics")
      .getByText(/^Bad: /)
      .waitFor();
    // 4. The judge.
    await page.goto(`${booted.client.url}/scores?name=correct`);
    const judge = page.getByRole("region", { name: "Can you trust this judge?" });
    await judge.getByText(/^(Agrees with people|Good enough to rank, not to decide)\./).waitFor();
    // 5. What counts as bad.
    await page.goto(`${booted.client.url}/settings/outcomes`);
    await page.getByRole("button", { name: /^stars below 3: / }).click();
    await page
      .getByRole("region", { name: "Preview" })
      .getByText(/would change/)
      .waitFor();
    // 6. The decision.
    await page.goto(`${booted.client.url}/why?agent=${encodeURIComponent(AGENT)}`);
    await page.getByText("Bad score", { exact: true }).click();
    await page.getByRole("heading", { name: "What explains bad scores" }).waitFor();
    const worse = page.locator('[data-finding="worse"]');
    await worse.first().waitFor();
    await expect.poll(() => worse.allTextContents()).toEqual([expect.stringContaining("reply: haiku")]);
    expect(pageErrors).toEqual([]);
    await context.close();
  },
  180_000,
);
