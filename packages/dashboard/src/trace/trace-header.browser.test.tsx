import type { Issue, RunOutcome } from "@whytrace/contract";
import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { outline, outlineSpan } from "../../test/outline.ts";
import { showPage } from "../../test/show-page.tsx";

const LONG = "the refund was made although the policy of the shop does not allow it";
const RUN = outline([outlineSpan("pay", [0, 5], null, { status: "ERROR" })], [], {
  status: "ERROR",
  sessionId: "session-of-a-customer-who-asks-often",
});
const OUTCOME: RunOutcome = {
  outcome: "bad",
  reasons: [{ condition: 0, kind: "score", text: LONG, place: { kind: "run", id: null }, scoreId: null }],
  missing: [],
  definition: { agent: null, version: 0 },
};
const issue = (number: number): Pick<Issue, "number" | "title" | "state"> => ({
  number,
  title: LONG,
  state: "ongoing",
});

it.each([768, 1024, 1280, 1366])("shows every figure of a run whole, %i pixels wide", async (width) => {
  await page.viewport(width, 800);
  onTestFinished(() => page.viewport(1280, 800));
  showPage("/traces/t", {
    "GET /api/traces/t/outline": RUN,
    "GET /api/traces/t/outcome": OUTCOME,
    "GET /api/issues": { issues: [issue(1), issue(2)] },
  });
  const figures = page.getByLabelText("Metrics");
  await expect.element(figures.getByText("Started")).toBeVisible();
  await expect.element(figures.getByText("Issues")).toBeVisible();
  const { right } = figures.element().getBoundingClientRect();
  const cut = [...figures.element().children].filter((fact) => fact.getBoundingClientRect().right > right);
  expect(cut.map(({ textContent }) => textContent)).toEqual([]);
});
