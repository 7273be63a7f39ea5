import { finishSteps } from "@whytrace/contract";
import { expect, it } from "vitest";
import { groupTexts } from "./group-texts.ts";

it("groups texts that differ in numbers, or in few words, under the first of them", () => {
  expect(
    finishSteps(
      groupTexts([
        "Customer quotes order 10423, so refund it directly",
        "Customer quotes order 99871, so refund it directly",
        "Customer quotes order 10423, so refund it right away",
        "Policy allows 30 days",
        "",
      ]),
    ),
  ).toEqual([
    "Customer quotes order #, so refund it directly",
    "Customer quotes order #, so refund it directly",
    "Customer quotes order #, so refund it directly",
    "Policy allows 30 days",
    "",
  ]);
});
