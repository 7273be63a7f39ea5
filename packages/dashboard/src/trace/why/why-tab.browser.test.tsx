import type { Blame } from "@whytrace/contract";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { blameOf, suspect } from "../../../test/blame.ts";
import { outline, outlineDecision, outlineSpan } from "../../../test/outline.ts";
import { showPage } from "../../../test/show-page.tsx";

const RUN = outline(
  [outlineSpan("pay", [0, 5], null, { status: "ERROR" })],
  [outlineDecision("refund_api", 1, "pay")],
  { status: "ERROR" },
);
const showWhy = (blame: Blame) =>
  showPage("/traces/t?tab=why", {
    "GET /api/traces/t/outline": RUN,
    "GET /api/insights/blame/t": blame,
  });

it("says of a clue in how many of the runs that failed it was, and in how many of the others", async () => {
  const clue = {
    key: "order.state",
    value: '"refunded"',
    failed: 59,
    failedTotal: 90,
    fine: 4,
    fineTotal: 90,
  };
  showWhy(blameOf([suspect("refund_api", { suspicion: "likely", explains: 59, clue })]));
  const suspects = page.getByRole("region", { name: "Suspects" });
  await expect
    .poll(() => suspects.element().textContent)
    .toContain('order.state = "refunded" in 59 of 90 that failed, 4 of 90 that did not');
});

it("offers a run that went well to compare with only if there is one", async () => {
  const compare = page.getByRole("link", { name: "Compare with a run that went well" });
  const server = showWhy(blameOf([suspect("refund_api")], { comparedRuns: 3, badRuns: 3 }));
  await expect.element(page.getByText(/^3 runs of this agent compared/)).toBeVisible();
  expect(compare.elements()).toEqual([]);
  server.answer(
    "GET /api/insights/blame/t",
    blameOf([suspect("refund_api")], { comparedRuns: 4, badRuns: 3 }),
  );
  await server.refetch();
  await expect.element(compare).toBeVisible();
});
