import type {
  changedIssues,
  issue,
  issueBulk,
  issueChange,
  issueComment,
  issueDetail,
  issueGrouping,
  issueIgnoring,
  issueList,
  issueMerge,
  issueReopening,
  issueResolution,
  issueSplit,
  issueTimeline,
  timelineEntry,
} from "../issues/issues.ts";
import type { successSchema } from "../success.ts";
import type { IssuesQuery, Range } from "./queries.ts";

/** Issues. */
export interface IssueRoutes {
  "POST /api/issues/bulk": { body: typeof issueBulk; response: typeof changedIssues };
  "GET /api/issues": { query: IssuesQuery; response: typeof issueList };
  "GET /api/issues/:number": { query: Range; response: typeof issueDetail };
  "PATCH /api/issues/:number": { body: typeof issueChange; response: typeof issue };
  "POST /api/issues/:number/comments": { body: typeof issueComment; response: typeof timelineEntry };
  "DELETE /api/issues/:number/comments/:id": { response: typeof successSchema };
  "GET /api/issues/:number/grouping": { response: typeof issueGrouping };
  "POST /api/issues/:number/ignore": { body: typeof issueIgnoring; response: typeof issue };
  "POST /api/issues/:number/merge": { body: typeof issueMerge; response: typeof issue };
  "POST /api/issues/:number/reopen": { body: typeof issueReopening; response: typeof issue };
  "POST /api/issues/:number/resolve": { body: typeof issueResolution; response: typeof issue };
  "POST /api/issues/:number/split": { body: typeof issueSplit; response: typeof issue };
  "GET /api/issues/:number/timeline": {
    query: { cursor?: string; limit?: number };
    response: typeof issueTimeline;
  };
}
