import type { IssueBulk } from "@whytrace/contract/schemas/issues/issues";
import {
  acknowledgeIssue,
  assignIssue,
  type ChangeIssue,
  ignoreIssue,
  reopenIssue,
  resolveIssue,
} from "./change-issue.ts";
import type { WrittenWords } from "./masking/written-words.ts";

/** What a request does with each of its issues. */
export function changeOfBulk(
  { action, in: fixedIn, release, note, url, untilRuns, untilDate, assigneeId = null }: IssueBulk,
  now: number,
  words: WrittenWords,
): ChangeIssue {
  switch (action) {
    case "resolve":
      return resolveIssue({ in: fixedIn, release, note, url }, words);
    case "ignore":
      return ignoreIssue({ untilRuns, untilDate }, now);
    case "reopen":
      return reopenIssue({}, words);
    case "acknowledge":
      return acknowledgeIssue;
    case "assign":
      return assignIssue(assigneeId);
  }
}
