import type { IssueDetail } from "@whytrace/contract";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { showPage } from "../../test/show-page.tsx";

const ISSUE: IssueDetail = {
  number: 12,
  title: "The amount exceeds the order",
  kind: "error",
  agent: "support-agent",
  state: "ongoing",
  resolution: null,
  regression: null,
  ignored: null,
  firstSeen: "2026-01-01T00:00:00.000Z",
  lastSeen: "2026-01-02T00:00:00.000Z",
  firstRelease: null,
  lastRelease: null,
  runs: 105,
  share: { value: 0.1, low: 0.08, high: 0.12, of: 1_050 },
  people: null,
  trend: [],
  assignee: null,
  externalUrl: null,
  newestTraceId: null,
  problems: 1,
  likely: {
    word: "likely",
    option: "refund_api",
    alternative: "lookup_policy",
    chosen: { failed: 105, decisions: 255 },
    alternativeRate: 0.07,
    signature: "00000000000001",
    step: "00000001",
  },
  unexplained: null,
  byRelease: [],
  byModel: [],
  examples: null,
  nearestGoodRun: null,
};

it("gives the rate of all other options as that of others, not of the one that a run chose that went well", async () => {
  showPage("/issues/12", { "GET /api/issues/12": ISSUE });
  const panel = page.getByRole("region", { name: "Likely decision" });
  const text = () => panel.element().textContent;
  await expect
    .poll(text)
    .toMatch(/A run that went well chose lookup_policy\.refund_api41 % of 255others7 %$/);
  const marks = panel
    .getByRole("img")
    .elements()
    .map((mark) => mark.getAttribute("aria-label"));
  expect(marks).toEqual([
    "41 % of 255 decisions for refund_api were in bad runs",
    "7 % of decisions for others in the same situation were in bad runs",
  ]);
});
