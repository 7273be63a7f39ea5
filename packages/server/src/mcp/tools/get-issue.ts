import { z } from "zod";
import { answerIssue } from "../answer-issue.ts";
import { defineTool } from "../tool.ts";

/** The largest integer of PostgreSQL. */
const MAX_NUMBER = 2_147_483_647;
export const issueParam = z.int().min(1).max(MAX_NUMBER).describe("The number of the issue, without #");

export const getIssue = defineTool({
  name: "get_issue",
  title: "Get an issue with all that is needed to fix it",
  description:
    "One issue. Lines: the issue with state, counts, releases and models; { likely } with both rates, the alternative, a clue in its context " +
    "and the reasoning of the decision; { failedSpan } of the newest run with message, input, output and the place in the code if it is " +
    "known; { nearestGoodRun, firstDifference }; { comments }; { next }, the calls that show more. An association, not a proof.",
  input: z.strictObject({ issue: issueParam }),
  run: (call, { issue }) => answerIssue(call, issue),
});
