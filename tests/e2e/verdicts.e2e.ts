import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { decision, newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";

let browser: Browser;
let booted: Booted;
let user: Sender;
const startedAt = new Date().toISOString();
const decided = (id: string, chosen: string) =>
  decision({
    id,
    chosen,
    alternatives: ["refund_api", "ask_human", "lookup_policy"].filter((option) => option !== chosen),
    timestamp: startedAt,
  });
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
  user = await newSender(booted.client, booted.db);
  await user.send([
    trace({
      id: "with-verdicts",
      startedAt,
      decisionPoints: [decided("first", "refund_api"), decided("second", "ask_human")],
    }),
  ]);
});

const verdicts = async () => (await user.get("/api/insights/verdicts")).json.verdicts;

it("a decision is judged with the keyboard alone, saved at once, with a note, and taken back", async () => {
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/traces/with-verdicts?decision=first`);
  const group = page.getByRole("group", { name: "Verdict" });
  const pressed = (name: string) => group.getByRole("button", { name, pressed: true });
  await group.getByRole("button", { name: "Right" }).waitFor();
  await page.keyboard.press("1");
  await pressed("Right").waitFor();
  await group.getByText("It counts in the scorecard and in the exported dataset.").waitFor();
  await page.keyboard.press("2");
  await pressed("Wrong").waitFor();
  await expect.poll(verdicts).toMatchObject([{ decisionPointId: "first", verdict: "wrong", note: null }]);

  await group.getByLabel("Should have been").focus();
  await group.getByLabel("Should have been").selectOption("ask_human");
  await group.getByText("Should have been ask_human").waitFor();
  await group.getByLabel("Note to the verdict").focus();
  // In a text field, digits are text.
  await page.keyboard.type("order.state said refunded, 1 or 2 days ago");
  await page.keyboard.press("Enter");
  await expect.poll(verdicts).toMatchObject([
    {
      verdict: "wrong",
      shouldHaveBeen: "ask_human",
      note: "order.state said refunded, 1 or 2 days ago",
      option: "refund_api",
    },
  ]);
  await page.reload();
  await group.getByText("Should have been ask_human").waitFor();
  expect(await group.getByLabel("Note to the verdict").inputValue()).toContain("refunded");

  await group.getByRole("button", { name: "Undo" }).press("Enter");
  await expect.poll(verdicts).toEqual([]);
  const right = group.getByRole("button", { name: "Right" });
  await expect.poll(() => right.evaluate((one) => one === document.activeElement)).toBe(true);
  await group.getByLabel("Note to the verdict").waitFor({ state: "hidden" });
  await context.close();
});

it("the scorecard shows what should have been chosen, and leads to the last note", async () => {
  for (const [decisionPointId, verdict] of [
    ["first", { verdict: "wrong", shouldHaveBeen: "ask_human", note: "A person had to trace it anyway." }],
    ["second", { verdict: "right" }],
  ] as const)
    await user.put("/api/insights/verdicts", { traceId: "with-verdicts", decisionPointId, ...verdict });
  const [{ signature }] = await verdicts();
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/why/${signature}`);
  const panel = page.getByRole("region", { name: "Verdicts" });
  await panel.getByText("2 judged · 1 wrong").waitFor();
  const row = panel.getByRole("row", { name: /^refund_api/ });
  expect(await row.getByRole("cell").allTextContents()).toEqual(["0", "0", "1"]);
  await panel.getByText("“A person had to trace it anyway.”").waitFor();
  await panel.getByRole("link", { name: /checkout agent/ }).click();
  await page.waitForURL(/\/traces\/with-verdicts\?decision=first/);
  await context.close();
});

it("the scorecard opens the next decision that nobody has judged, in failed runs first", async () => {
  const other = await newSender(booted.client, booted.db);
  await other.send([
    trace({ id: "went-well", startedAt, decisionPoints: [decided("well", "refund_api")] }),
    trace({
      id: "judged-failed",
      startedAt,
      status: "ERROR",
      decisionPoints: [decided("lost", "refund_api")],
    }),
  ]);
  const [row] = (await other.get("/api/insights/decisions")).json.rows;
  const context = await signedInContext(browser, other);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/why/${row.signature}?option=${row.options[0].step}`);
  await page.getByRole("button", { name: "Judge the next" }).click();
  await page.waitForURL(/\/traces\/judged-failed\?decision=lost/);
  await context.close();
});

it("verdicts are exported from the settings", async () => {
  await user.put("/api/insights/verdicts", {
    traceId: "with-verdicts",
    decisionPointId: "second",
    verdict: "right",
  });
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/settings/general`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export verdicts" }).click();
  expect((await download).suggestedFilename()).toBe("whytrace-verdicts.jsonl");
  await context.close();
});

it("a judged decision and its scorecard have no axe violation", async () => {
  const given = {
    traceId: "with-verdicts",
    decisionPointId: "first",
    verdict: "wrong",
    shouldHaveBeen: "ask_human",
  };
  await user.put("/api/insights/verdicts", { ...given, note: "A person had to trace it anyway." });
  const [{ signature }] = await verdicts();
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  for (const [path, shown] of [
    ["/traces/with-verdicts?decision=first", "It counts in the scorecard and in the exported dataset."],
    [`/why/${signature}`, "“A person had to trace it anyway.”"],
  ] as const) {
    await page.goto(booted.client.url + path);
    await page.getByText(shown).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  }
  await context.close();
});
