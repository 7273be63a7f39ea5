import { randomUUID } from "node:crypto";
import { openBrowser, openPage, waitUntilLoaded } from "@whytrace/testing/browser.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";
import { overflowingWidths } from "./overflowing-widths.ts";

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
});

const newUser = () => newSender(booted.client, booted.db);
const failed = (message: string, { release = "v1.0.0", ...fields }: { release?: string; id?: string } = {}) =>
  trace({
    name: "support-agent",
    status: "ERROR",
    tags: [`release:${release}`],
    metadata: { userId: message },
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    totalDuration: 2_300,
    totalCost: 0.0061,
    spans: [span({ name: "refund", status: "ERROR", statusMessage: message })],
    ...fields,
  });
const states = async (user: Sender): Promise<Record<string, string>> => {
  const { issues } = (await user.get("/api/issues?state=all&limit=100")).json;
  return Object.fromEntries(issues.map(({ title, state }: Record<string, string>) => [title, state]));
};
const stateOf = async (user: Sender, title: string) => (await states(user))[title];
const counted = (user: Sender, count: number) =>
  expect.poll(async () => (await user.get("/api/issues?state=all")).json.total).toBe(count);
const numberOf = async (user: Sender, title: string): Promise<number> => {
  const { issues } = (await user.get("/api/issues?state=all&limit=100")).json;
  return issues.find((issue: { title: string }) => issue.title === title).number;
};

/** Three issues: the first was seen in two runs. */
async function threeIssues(): Promise<Sender> {
  const user = await newUser();
  await user.send([
    failed("policy outdated for order 4711"),
    failed("policy outdated for order 88"),
    failed("cannot connect to cache"),
    failed("Request failed with status code 429"),
  ]);
  await counted(user, 3);
  return user;
}

async function open(user: Sender, path: string, viewport = { width: 1280, height: 900 }) {
  const context = await signedInContext(browser, user, { viewport });
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}${path}`);
  return { context, page, pageErrors };
}
const row = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("tr")?.querySelector("[data-row]")?.textContent);

describe("the inbox", () => {
  it("says what is open with runs, share and release, and its number of new issues stands in the navigation", async () => {
    const user = await threeIssues();
    const { context, page, pageErrors } = await open(user, "/traces");
    await page.getByRole("link", { name: /Inbox 3 new or regressed/ }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    const first = row(page, "policy outdated for order #");
    await first.waitFor();
    await page.getByText("3 open · 3 new · last 30 days").waitFor();
    await expect.poll(() => first.textContent()).toMatch(/New#\d+support-agent.*2.*of 4.*50 %.*v1\.0\.0$/);
    await first.getByRole("link", { name: /2 runs of #/ }).click();
    await page.waitForURL(/issue=\d+/);
    await page.getByRole("button", { name: /Issue: #\d+ policy outdated for order #/ }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "support-agent" }).count()).toBe(2);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("is worked through by keyboard: resolve, ignore, assign and undo, and the next row has the focus", async () => {
    const user = await threeIssues();
    const { context, page } = await open(user, "/issues?sort=runs");
    await row(page, "policy outdated").waitFor();
    const before = (await states(user))["policy outdated for order #"];
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toBe("policy outdated for order #");
    await page.keyboard.press("e");
    await page.getByText(/Resolved #\d+ in the next release/).waitFor();
    await expect.poll(() => row(page, "policy outdated").count()).toBe(0);
    await expect.poll(() => stateOf(user, "policy outdated for order #")).toBe("resolved");
    await expect.poll(() => focused(page)).not.toBe(undefined);
    await page.keyboard.press("z");
    await row(page, "policy outdated").waitFor();
    await expect.poll(() => stateOf(user, "policy outdated for order #")).toBe(before);

    await row(page, "cannot connect").getByRole("link", { name: "cannot connect to cache" }).focus();
    await page.keyboard.press("i");
    await page.getByText(/Ignored #\d+/).waitFor();
    await expect.poll(() => row(page, "cannot connect").count()).toBe(0);
    await row(page, "status code 429")
      .getByRole("link", { name: /status code/ })
      .focus();
    await page.keyboard.press("a");
    await row(page, "status code 429")
      .getByRole("img", { name: /Assigned to (?!nobody)/ })
      .waitFor();
    await page.getByRole("link", { name: "Ignored 1" }).click();
    await row(page, "cannot connect").waitFor();
    await page.getByRole("button", { name: "Mine" }).click();
    await page.getByText("No issue matches these filters").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).last().click();
    await row(page, "cannot connect").waitFor();
    await context.close();
  });

  it("merges what is selected, which undo splits again, and changes several at once", async () => {
    const user = await threeIssues();
    const { context, page } = await open(user, "/issues?sort=newest");
    await row(page, "policy outdated").waitFor();
    const before = await states(user);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 issues selected").waitFor();
    await page.keyboard.press("m");
    await page.getByText(/Merged #\d+ into #\d+/).waitFor();
    await page.getByText("2 problems merged").waitFor();
    await counted(user, 2);
    await page.keyboard.press("z");
    await counted(user, 3);
    expect(Object.keys(await states(user)).sort()).toEqual(Object.keys(before).sort());
    await expect.poll(() => page.locator("[data-row]").count()).toBe(3);
    for (const select of await page.getByRole("button", { name: /^Select #/ }).all()) await select.click();
    await page
      .getByRole("region", { name: "Selected issues" })
      .getByRole("button", { name: "Resolve" })
      .click();
    await page.getByText("Nothing is open").waitFor();
    const all = async () => Object.values(await states(user));
    await expect.poll(all).toEqual(["resolved", "resolved", "resolved"]);
    await context.close();
  });

  it("shows a new issue by itself, and moves no row under the pointer", async () => {
    const user = await threeIssues();
    const { context, page } = await open(user, "/issues?sort=newest");
    await row(page, "policy outdated").waitFor();
    await page.locator('[data-live="live"]').waitFor({ state: "attached" });
    await page.mouse.move(0, 0);
    await user.send([failed("disk is full")]);
    await row(page, "disk is full").waitFor();
    const under = row(page, "policy outdated");
    await under.hover();
    const before = await under.boundingBox();
    await user.send([failed("out of memory"), failed("policy outdated for order 5")]);
    await page.getByRole("button", { name: "1 new" }).waitFor();
    await under.getByRole("link", { name: /3 runs of #/ }).waitFor();
    expect(await under.boundingBox()).toEqual(before);
    expect(await row(page, "out of memory").count()).toBe(0);
    await page.keyboard.press("r");
    await row(page, "out of memory").waitFor();
    await context.close();
  });

  it("says what makes an issue before there is one, and retries after an error", async () => {
    const user = await newUser();
    const { context, page } = await open(user, "/issues");
    await page.getByText("No issue yet").waitFor();
    const recover = await failRequests(page, "**/api/issues?*limit=50*", 429, "Too busy");
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "Too busy" }).waitFor();
    recover();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("No issue yet").waitFor();
    await context.close();
  });
});

it("10,000 issues are paged through, and the list stays usable", async () => {
  const user = await newUser();
  await user.send([failed("policy outdated for order 4711")]);
  await counted(user, 1);
  // Issues that were counted, with a run each: to send so many takes minutes, and a day makes 500.
  await sql`
    insert into problem_runs (workspace_id, trace_id, problem, kind, agent_hash, version, started_at, text)
    select workspace_id, 'run-' || n, 1000000 + n, 0, agent_hash, version, started_at - n * interval '1 second', 'cause ' || n
    from problem_runs, generate_series(2, 10000) as n where workspace_id = ${user.workspaceId}`.execute(
    booted.db,
  );
  await sql`
    insert into issues (workspace_id, number, first_problem, agent_hash, status, created_at)
    select workspace_id, n, 1000000 + n, agent_hash, 'open', created_at
    from issues, generate_series(2, 10000) as n where workspace_id = ${user.workspaceId}`.execute(booted.db);
  await sql`
    insert into issue_problems (workspace_id, problem, number)
    select ${user.workspaceId}::uuid, 1000000 + n, n from generate_series(2, 10000) as n`.execute(booted.db);
  const { context, page, pageErrors } = await open(user, "/issues?sort=lastSeen");
  await row(page, "policy outdated for order #").waitFor();
  await page.getByText(/10,000 open/).waitFor();
  expect(await page.locator("[data-row]").count()).toBeLessThanOrEqual(100);
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForURL(/page=2/);
  await expect.poll(() => row(page, "policy outdated for order #").count()).toBe(0);
  await page.keyboard.press("j");
  await expect.poll(() => focused(page)).toMatch(/^cause \d+$/);
  const title = await focused(page);
  await page.keyboard.press("e");
  await page.getByText(/Resolved #\d+/).waitFor();
  await expect.poll(() => page.getByRole("link", { name: title ?? "", exact: true }).count()).toBe(0);
  await page.getByText(/9,999 open/).waitFor();
  expect(pageErrors).toEqual([]);
  await context.close();
});

describe("an issue", () => {
  it("says why its runs are one, where they ran, and links to exactly its runs", async () => {
    const user = await threeIssues();
    const { context, page, pageErrors } = await open(user, "/issues");
    await row(page, "policy outdated")
      .getByRole("link", { name: /policy outdated/ })
      .press("Enter");
    await page.getByRole("heading", { name: "policy outdated for order #" }).waitFor();
    const why = page.getByRole("region", { name: "Why these runs are one issue" });
    await why.getByText("2 of 2 messages, masked parts underlined").waitFor();
    expect(new Set(await why.locator("u").allTextContents())).toEqual(new Set(["4711", "88"]));
    await page.getByRole("region", { name: "By release" }).getByText("v1.0.0").waitFor();
    expect(await page.getByRole("region", { name: "Figures" }).textContent()).toContain("People2");
    await page.getByRole("link", { name: "All 2 traces" }).click();
    await expect.poll(() => page.getByRole("link", { name: "support-agent" }).count()).toBe(2);
    await page.getByRole("link", { name: "support-agent" }).first().click();
    await page.getByRole("link", { name: /#\d+ policy outdated for order #/ }).click();
    await page.getByRole("heading", { name: "policy outdated for order #" }).waitFor();
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("is resolved in the next release, which a run of that release breaks", async () => {
    const user = await threeIssues();
    const number = await numberOf(user, "policy outdated for order #");
    const { context, page } = await open(user, `/issues/${number}`);
    await page.getByRole("button", { name: /Resolve in the next release/ }).click();
    await page.getByText("in the next release").first().waitFor();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await user.send([
      failed("policy outdated for order 1"),
      failed("policy outdated for order 2", { release: "v2", id: `back-${randomUUID()}` }),
    ]);
    await page.getByRole("button", { name: "v2 does not have the fix" }).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("Regressed").waitFor();
    await timeline.getByRole("link", { name: /^back/ }).waitFor();
    await page.getByRole("button", { name: "v2 does not have the fix" }).click();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    await timeline.getByText("except in v2").waitFor();
    await context.close();
  });

  it("is commented, ignored, linked, merged and split", async () => {
    const user = await threeIssues();
    const number = await numberOf(user, "policy outdated for order #");
    const other = await numberOf(user, "cannot connect to cache");
    const { context, page } = await open(user, `/issues/${number}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByLabel("Comment").fill("The cache keeps policies for 45 days.");
    await timeline.getByRole("button", { name: "Comment" }).click();
    await timeline.getByText("The cache keeps policies").waitFor();
    await timeline.getByRole("button", { name: "Delete this comment" }).click();
    await expect.poll(() => timeline.getByText("The cache keeps policies").count()).toBe(0);
    await page.getByRole("button", { name: "Link a tracker" }).click();
    await page.getByLabel("Address of the issue in your tracker").fill("https://tracker.example/SUP-218");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "SUP-218" }).waitFor();
    await page.getByRole("button", { name: "Ignore" }).click();
    await page.getByRole("menuitem", { name: "Until 100 more runs" }).click();
    await page.getByText("until 100 more runs came").first().waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: /Resolve in the next release/ }).waitFor();
    await page.getByRole("button", { name: "Merge with another issue" }).click();
    await page.getByRole("button", { name: `Merge #${other}` }).click();
    await page.getByRole("button", { name: "Split off" }).first().waitFor();
    await page.goto(`${booted.client.url}/issues/${other}`);
    await page.getByText(`#${other} was merged into #${number}, which is shown here.`).waitFor();
    await page.getByRole("button", { name: "Split off" }).last().click();
    await page.getByText(/Split off #\d+/).waitFor();
    await counted(user, 3);
    await context.close();
  });

  it("says why releases have no share if the agent has very many runs", async () => {
    const user = await threeIssues();
    const number = await numberOf(user, "policy outdated for order #");
    const { context, page } = await open(user, "/issues");
    const shown = (await user.get(`/api/issues/${number}`)).json;
    const byRelease = shown.byRelease.map((one: object) => ({ ...one, share: null }));
    await page.route(`**/api/issues/${number}?*`, (route) =>
      route.fulfill({ json: { ...shown, byRelease } }),
    );
    await page.goto(`${booted.client.url}/issues/${number}`);
    await page
      .getByRole("region", { name: "By release" })
      .getByText("Shares by release are counted for up to 50,000 runs of the agent.")
      .waitFor();
    await context.close();
  });

  it("that is not there says so", async () => {
    const user = await newUser();
    const { context, page } = await open(user, "/issues/4711");
    await page.getByRole("alert").filter({ hasText: "Issue not found" }).waitFor();
    await context.close();
  });
});

describe("the pages of issues", () => {
  it.runIf(IS_WHOLE).each([390, 1280])(
    "have no axe violation at %i px, in both themes, and no overflow at any width",
    async (width) => {
      const user = await threeIssues();
      const number = await numberOf(user, "policy outdated for order #");
      const { context, page } = await open(user, "/issues", { width, height: 900 });
      for (const path of ["/issues", `/issues/${number}`]) {
        await page.goto(`${booted.client.url}${path}`);
        await page.getByText("policy outdated for order #").first().waitFor();
        await waitUntilLoaded(page);
        expect(await axeViolations(page)).toEqual([]);
        expect(await overflowingWidths(page), path).toEqual([]);
        await page.setViewportSize({ width, height: 900 });
      }
      await context.close();
    },
  );
});
