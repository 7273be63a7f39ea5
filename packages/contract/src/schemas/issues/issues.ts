import { z } from "zod";
import { MAX_RELEASED_RUNS } from "../../issues/max-released-runs.ts";
import { hashId } from "../insights/rate.ts";
import { pageInfo } from "../page.ts";
import { plainText } from "../plain-text.ts";
import { count, instant } from "../values.ts";

export const ISSUE_STATES = ["new", "ongoing", "regressed", "resolved", "ignored"] as const;
/** What a list of issues can be asked for; open is new, ongoing and regressed. */
export const LISTED_STATES = ["open", ...ISSUE_STATES, "all"] as const;
export const ISSUE_SORTS = ["inbox", "newest", "lastSeen", "runs", "people"] as const;
export const ISSUE_KINDS = ["error", "score", "condition"] as const;
export const RESOLVED_IN = ["now", "next", "release"] as const;
const TIMELINE_KINDS = [
  "created",
  "assigned",
  "commented",
  "linked",
  "resolved",
  "regressed",
  "ignored",
  "reopened",
  "merged",
  "split",
  "acknowledged",
] as const;
const BULK_ACTIONS = ["resolve", "ignore", "reopen", "acknowledge", "assign"] as const;
export const MAX_ISSUE_COMMENTS = 1_000;
const MAX_NOTE_LENGTH = 2_000;
export const MAX_COMMENT_LENGTH = 10_000;
export const MAX_UNTIL_RUNS = 1_000_000;

const person = z.object({ id: z.string(), name: z.string().nullable() });
const share = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  of: count.describe("Runs of the agent in the range that ended good or bad"),
});

const likely = z.object({
  word: z.enum(["likely", "possible"]).describe("The weaker word, if the runs differ"),
  option: z.string().describe("What the runs chose"),
  alternative: z.string().nullable().describe("What a run that went well chose there"),
  chosen: z
    .object({ failed: count, decisions: count })
    .describe("Decisions for the option in comparable situations, and after how many the run was bad"),
  alternativeRate: z.number().nullable().describe("The share of bad runs that chose otherwise there"),
  signature: hashId,
  step: hashId,
});

/** Why an issue has no likely decision. */
const unexplained = z.object({
  reason: z
    .enum(["pending", "too-few-runs", "varies", "none"])
    .describe(
      "pending: nothing was compared yet; too-few-runs: too few of the agent's runs to tell a decision from chance; varies: its newest runs " +
        "are explained by different decisions; none: enough runs were compared, and none of their decisions explains them",
    ),
  comparedRuns: z.number().describe("So many runs of the agent were compared with its newest run"),
  badRuns: z.number().describe("Those of them that are bad"),
});

export const issue = z.object({
  number: count.describe("Counts up in the workspace; the key of the issue"),
  title: z.string().describe("What its runs have in common, with changing parts masked as #"),
  kind: z.enum(ISSUE_KINDS),
  agent: z.string().describe("The name of the agent's traces, with changing parts masked as #"),
  state: z.enum(ISSUE_STATES),
  resolution: z
    .object({
      in: z.enum(RESOLVED_IN),
      release: z.string().nullable(),
      note: z.string().nullable(),
      url: z.string().nullable(),
      at: instant,
      isPending: z
        .boolean()
        .describe("The release was not seen yet: until it comes, nothing breaks the resolution"),
    })
    .nullable(),
  regression: z
    .object({ at: instant, release: z.string().nullable(), traceId: z.string() })
    .nullable()
    .describe("The run that broke the last resolution"),
  ignored: z
    .object({
      untilRuns: count.nullable(),
      runsLeft: count.nullable(),
      untilDate: instant.nullable(),
      at: instant,
    })
    .nullable(),
  firstSeen: instant.nullable().describe("Start of its first run; null if all runs were deleted"),
  lastSeen: instant.nullable(),
  firstRelease: z.string().nullable().describe("Of its runs' releases, the one that was first seen first"),
  lastRelease: z.string().nullable(),
  runs: count.describe("Runs in the range"),
  share: share
    .nullable()
    .describe("Of the agent's runs in the range, with its 95 % interval; null without any"),
  people: count
    .nullable()
    .describe("For how many people its runs in the range were made; null if runs do not say it"),
  trend: z.array(
    z.object({
      day: z.string(),
      runs: count,
      release: z
        .string()
        .nullable()
        .describe(
          "A release of the agent that was first seen on this day; the last one, if there are several",
        ),
    }),
  ),
  assignee: person.nullable(),
  externalUrl: z.string().nullable(),
  newestTraceId: z.string().nullable(),
  problems: count.describe("More than one after a merge"),
  likely: likely
    .nullable()
    .describe("The decision that most of its newest runs are explained by; null if there is none"),
  unexplained: unexplained.nullable().describe("Why there is none; null if there is one"),
});

export const issueDetail = issue.extend({
  byRelease: z
    .array(z.object({ release: z.string().nullable(), runs: count, share: share.nullable() }))
    .describe(
      "Runs in the range, the release that was first seen last first, with their share of the agent's runs of the release; null: " +
        `runs without a release. The share is null if the agent has more than ${MAX_RELEASED_RUNS} runs in the range`,
    ),
  byModel: z.array(z.object({ model: z.string(), runs: count })).describe("Of the newest 1,000 runs"),
  examples: z
    .object({ newest: z.string(), shortest: z.string(), cheapest: z.string() })
    .nullable()
    .describe("Ids of traces; null if all runs were deleted"),
  nearestGoodRun: z
    .string()
    .nullable()
    .describe("The id of a run that went well and is most like the newest run until it chose otherwise"),
});

export const issueList = z.object({
  issues: z.array(issue),
  ...pageInfo.shape,
  counts: z
    .record(z.enum(ISSUE_STATES), count)
    .describe("By state, of all issues that the other filters find"),
});

const release = plainText(1_000);
/** Fields whose error texts are sentences of their own are checked by the server (issues/change-issue.ts). */
const resolutionFields = {
  in: z
    .unknown()
    .optional()
    .meta({ enum: [...RESOLVED_IN] }),
  release: release.nullish().describe("Together with release: its name. It may come later"),
  note: z
    .string()
    .max(MAX_NOTE_LENGTH, { error: `must have at most ${MAX_NOTE_LENGTH} characters` })
    .nullish(),
  url: z.string().nullish().describe("A commit or pull request"),
};
const ignoredFields = {
  untilRuns: z.unknown().optional().meta({ type: "integer", minimum: 1, maximum: MAX_UNTIL_RUNS }),
  untilDate: z.string().nullish().describe("An ISO 8601 date"),
};
const assigneeId = z.string().nullish().describe("The id of a member; null: nobody");

export const issueResolution = z.object(resolutionFields);
export const issueIgnoring = z.object(ignoredFields);
export const issueReopening = z.object({
  exceptRelease: release
    .nullish()
    .describe("Resolves the issue again: this release does not have the fix, although it was seen later"),
  isUndo: z
    .boolean()
    .optional()
    .describe(
      "The issue gets the state that it had before it was resolved or ignored: new, regressed or ongoing",
    ),
});
export const issueChange = z.object({
  assigneeId,
  externalUrl: z.string().nullish().describe("The issue in a tracker; null removes it"),
  isAcknowledged: z.literal(true).optional(),
});
/** The largest integer of PostgreSQL. */
const MAX_NUMBER = 2_147_483_647;
const numbers = (max: number) => z.array(z.int().max(MAX_NUMBER)).min(1).max(max);
export const issueMerge = z.object({ issues: numbers(50) });
export const issueSplit = z.object({ problems: z.array(z.string()).min(1).max(1_000) });
export const issueComment = z.object({
  text: z.unknown().optional().meta({ type: "string", minLength: 1, maxLength: MAX_COMMENT_LENGTH }),
});
export const issueBulk = z.object({
  issues: numbers(100),
  action: z.enum(BULK_ACTIONS),
  ...resolutionFields,
  ...ignoredFields,
  assigneeId,
});
export const changedIssues = z.object({ changed: z.number().int() });

export const timelineEntry = z.object({
  id: z.string(),
  kind: z.enum(TIMELINE_KINDS),
  at: instant,
  by: person.nullable().describe("Null: the server, or an API key"),
  text: z.string().optional().describe("Of a comment"),
  details: z.record(z.string(), z.unknown()).describe("What the kind of entry says more"),
});
export const issueTimeline = z.object({
  timeline: z.array(timelineEntry),
  nextCursor: z.string().nullable().describe("The cursor of the next page; null after the last one"),
});

export const issueGrouping = z.object({
  version: count.describe("Of the rules by which messages are masked"),
  problems: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(ISSUE_KINDS),
      agent: z.string(),
      text: z.string().describe("What all runs of the problem have in common"),
      runs: count,
      firstSeen: instant,
      lastSeen: instant,
      examples: z.array(
        z.object({
          traceId: z.string(),
          spanId: z.string().nullable(),
          parts: z.array(z.object({ text: z.string(), isMasked: z.boolean() })),
        }),
      ),
    }),
  ),
});

export type Issue = z.infer<typeof issue>;
export type UnexplainedReason = z.infer<typeof unexplained>["reason"];
export type LikelyDecision = z.infer<typeof likely>;
export type IssueDetail = z.infer<typeof issueDetail>;
export type IssueList = z.infer<typeof issueList>;
export type IssueState = (typeof ISSUE_STATES)[number];
export type ListedState = (typeof LISTED_STATES)[number];
export type IssueSort = (typeof ISSUE_SORTS)[number];
export type IssueKind = (typeof ISSUE_KINDS)[number];
export type IssueResolution = z.infer<typeof issueResolution>;
export type IssueIgnoring = z.infer<typeof issueIgnoring>;
export type IssueBulk = z.infer<typeof issueBulk>;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];
export type TimelineEntry = z.infer<typeof timelineEntry>;
export type IssueTimeline = z.infer<typeof issueTimeline>;
export type IssueGrouping = z.infer<typeof issueGrouping>;
