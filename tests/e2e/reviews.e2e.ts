import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { IS_WHOLE } from "@whytrace/testing/volume.ts";
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { failRequests } from "./fail-requests.ts";
import { overflowingWidths } from "./overflowing-widths.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
const run = (id: string, name = `support agent ${id}`) =>
  trace({
    id,
    name,
    spans: [span({ id: `${id}-reply`, name: "claude: reply" })],
    decisionPoints: [decision({ id: `${id}-plan`, chosen: "refund", alternatives: ["ask"] })],
  });
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
  user = await newSender(booted.client, booted.db);
});

const reviews = async (traceId: string): Promise<unknown[]> =>
  (await user.get(`/api/scores?traceId=${traceId}`)).json.scores.map(
    ({ name, value, source, author, spanId }: Record<string, unknown>) => ({
      ...{ name, value, source, spanId },
      isOwn: author === user.userId,
    }),
  );
const review = (value: boolean) => ({
  ...{ name: "review", value, source: "person", spanId: null },
  isOwn: true,
});
const verdicts = async () => (await user.get("/api/insights/verdicts")).json.verdicts;

async function open(path: string, viewport = { width: 1280, height: 900 }) {
  const context = await signedInContext(browser, user, { viewport });
  const { page, pageErrors } = await openPage(context);
  await page.goto(`${booted.client.url}${path}`);
  return { context, page, pageErrors };
}

describe("a run", () => {
  it("is reviewed with + and -, taken back with 0, saved at once, with undo; the page says who and when", async () => {
    await user.send([run("open")]);
    const { context, page, pageErrors } = await open("/traces/open");
    const group = page.getByRole("group", { name: "Your review" });
    const metrics = page.getByLabel("Metrics");
    const pressed = (name: string) => group.getByRole("button", { name, pressed: true });
    await group.getByRole("button", { name: "Good" }).waitFor();
    await page.keyboard.press("+");
    await pressed("Good").waitFor();
    await metrics.getByText("by you").waitFor();
    await expect.poll(() => reviews("open")).toEqual([review(true)]);
    await page.keyboard.press("-");
    await pressed("Bad").waitFor();
    await expect.poll(() => reviews("open")).toEqual([review(false)]);
    await page.getByRole("tab", { name: "Scores 1" }).waitFor();

    // Undo restores what was there before.
    await metrics.getByRole("button", { name: "Undo" }).click();
    await pressed("Good").waitFor();
    await expect.poll(() => reviews("open")).toEqual([review(true)]);
    await page.keyboard.press("0");
    await expect.poll(() => reviews("open")).toEqual([]);
    await metrics.getByText("Taken back").waitFor();
    await metrics.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => reviews("open")).toEqual([review(true)]);

    await page.reload();
    await pressed("Good").waitFor();
    await metrics.getByRole("button", { name: "Take back" }).click();
    await expect.poll(() => reviews("open")).toEqual([]);
    await group.getByRole("button", { name: "Bad" }).click();
    await expect.poll(() => reviews("open")).toEqual([review(false)]);
    // A second click takes it back.
    await pressed("Bad").click();
    await expect.poll(() => reviews("open")).toEqual([]);
    expect(pageErrors).toEqual([]);
    await context.close();
  });

  it("keeps the last of several keys that are pressed quickly", async () => {
    await user.send([run("quick")]);
    const { context, page } = await open("/traces/quick");
    await page.getByRole("group", { name: "Your review" }).waitFor();
    for (const key of ["+", "-", "0", "+", "-"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Bad", pressed: true }).waitFor();
    await page.getByLabel("Metrics").getByText("by you").waitFor();
    await expect.poll(() => reviews("quick")).toEqual([review(false)]);
    await context.close();
  });

  it("says that a review could not be saved", async () => {
    await user.send([run("offline")]);
    const { context, page } = await open("/traces/offline");
    await page.getByRole("group", { name: "Your review" }).waitFor();
    await failRequests(page, "**/api/scores", 429, "Too fast");
    await page.keyboard.press("+");
    await page.getByLabel("Metrics").getByText("Not saved: Too fast").waitFor();
    expect(await page.getByRole("button", { name: "Good", pressed: true }).count()).toBe(0);
    await context.close();
  });
});

it("on a decision the keys are the verdict, also from another tab; digits and signs in a field are text", async () => {
  await user.send([run("judged")]);
  const { context, page } = await open("/traces/judged?decision=judged-plan");
  const group = page.getByRole("group", { name: "Verdict" });
  await group.getByRole("button", { name: "Right" }).waitFor();
  await page.keyboard.press("+");
  await group.getByRole("button", { name: "Right", pressed: true }).waitFor();
  await expect.poll(verdicts).toMatchObject([{ decisionPointId: "judged-plan", verdict: "right" }]);
  await page.getByRole("tab", { name: "Raw" }).click();
  await page.keyboard.press("-");
  await group.getByRole("button", { name: "Wrong", pressed: true }).waitFor();
  await expect.poll(verdicts).toMatchObject([{ verdict: "wrong" }]);
  await group.getByLabel("Note to the verdict").focus();
  await page.keyboard.type("+-0");
  await page.keyboard.press("Enter");
  await expect.poll(verdicts).toMatchObject([{ verdict: "wrong", note: "+-0" }]);
  await page.getByRole("treegrid").focus();
  await page.keyboard.press("0");
  await expect.poll(verdicts).toEqual([]);
  expect(await reviews("judged")).toEqual([]);
  await context.close();
});

it("a row of the list is reviewed under the cursor, with undo", async () => {
  const other = await newSender(booted.client, booted.db);
  await other.send([run("listed-1", "first"), run("listed-2", "second")]);
  const context = await signedInContext(browser, other);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/traces`);
  const values = async (id: string): Promise<unknown[]> =>
    (await other.get(`/api/scores?traceId=${id}`)).json.scores.map(
      ({ value }: Record<string, unknown>) => value,
    );
  await page.getByRole("link", { name: "second" }).waitFor();
  // Without a row, the keys do nothing.
  await page.keyboard.press("+");
  await page.getByRole("link", { name: "second" }).focus();
  await page.keyboard.press("-");
  const bar = page.getByRole("region", { name: "Review" });
  await bar.getByText("by you").waitFor();
  await bar.getByRole("status").filter({ hasText: "Bad: second" }).waitFor();
  await page
    .getByRole("row", { name: /second/ })
    .getByRole("img", { name: "You said: bad" })
    .waitFor();
  await expect.poll(() => values("listed-2")).toEqual([false]);
  expect(await values("listed-1")).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  await bar.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => values("listed-2")).toEqual([]);
  await bar.getByText("Review taken back").waitFor();
  await bar.getByRole("button", { name: "Close" }).click();
  await bar.getByText("second").waitFor({ state: "hidden" });
  await context.close();
});

it("the help lists the keys", async () => {
  await user.send([run("helped")]);
  const { context, page } = await open("/traces");
  await page.getByRole("heading", { name: "Traces" }).waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.getByText("the run was good").waitFor();
  await help.getByText("The run was bad").waitFor();
  await context.close();
});

it.runIf(IS_WHOLE).each([390, 1280])(
  "a reviewed run has no axe violation at %i px, and no overflow at any width",
  async (width) => {
    await user.send([run("narrow", "a long name of an agent that answers requests for refunds")]);
    await user.post("/api/scores", { scores: [{ traceId: "narrow", name: "review", value: false }] });
    const { context, page } = await open("/traces/narrow", { width, height: 900 });
    await page.getByRole("button", { name: "Bad", pressed: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowingWidths(page)).toEqual([]);
    await context.close();
  },
);
