import {
  changedIssues,
  ISSUE_KINDS,
  ISSUE_SORTS,
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
  LISTED_STATES,
  timelineEntry,
} from "@whytrace/contract/schemas/issues/issues";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { enumParam, limitParam, pageParam, textParam } from "../http/request/query-params.ts";
import type { RunLearner } from "../insights/blame/run-learner.ts";
import type { Live } from "../live/live.ts";
import type { Maskings } from "../masking/maskings.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { memberOf } from "../workspaces/require-member.ts";
import {
  acknowledgeIssue,
  assignIssue,
  CHANGE_ERRORS,
  type ChangedBy,
  type ChangeIssue,
  ignoreIssue,
  linkIssue,
  NOT_RESOLVED,
  reopenIssue,
  requireAssignee,
  resolveIssue,
  SEEN_IN_RELEASE,
} from "./change-issue.ts";
import { changeOfBulk } from "./change-of-bulk.ts";
import { changeIssues } from "./events/change-issues.ts";
import { handOverPrompt } from "./hand-over/hand-over-prompt.ts";
import {
  addComment,
  COMMENT_LENGTH,
  COMMENT_LIMIT_REACHED,
  deleteComment,
  parseComment,
} from "./issue-comments.ts";
import { parseRange, RANGE_ERROR } from "./issue-range.ts";
import { explainIssue } from "./likely/explain-issue.ts";
import { listIssues } from "./list-issues.ts";
import { lockIssues } from "./lock-issues.ts";
import { storeWords, type WrittenWords } from "./masking/written-words.ts";
import { MERGED_INTO_ITSELF, mergeIssues } from "./merge-issues.ts";
import { readGrouping } from "./read-grouping.ts";
import { findIssue, readIssue, readIssueDetail } from "./read-issue.ts";
import { INVALID_CURSOR, readTimeline } from "./read-timeline.ts";
import { ISSUE_NOT_FOUND, ISSUE_WAS_MERGED, requireIssue } from "./require-issue.ts";
import { NOT_ITS_PROBLEMS, ONE_MUST_STAY, splitIssue } from "./split-issue.ts";

const days = {
  from: textParam("The first day, in UTC; by default 30 days before `to`"),
  to: textParam("The day after the last one, in UTC; by default tomorrow"),
};
const listQuery = z.object({
  state: enumParam("state", LISTED_STATES, "open, the default, is new, ongoing and regressed"),
  sort: enumParam(
    "sort",
    ISSUE_SORTS,
    "inbox, the default: regressed, new, ongoing, and then by runs of the last 24 hours",
  ),
  kind: enumParam("kind", ISSUE_KINDS, "What makes the runs bad"),
  page: pageParam,
  limit: limitParam,
  agent: textParam("Only issues of the agent of this name; numbers and ids in it do not matter"),
  release: textParam("Only issues with a run of this release in the range"),
  assignee: textParam("The id of a member, `me` or `none`"),
  search: textParam("Part of the title, case-insensitive"),
  traceId: textParam("Only issues that count this run"),
  ...days,
});
const detailQuery = z.object(days);
const params = z.object({ number: z.string() });
const NOT_FOUND = { 404: [ISSUE_NOT_FOUND], ...BUSY_ERRORS };
const MERGED = [ISSUE_WAS_MERGED];
const MAX_NUMBER = 2 ** 31 - 1;

/** What is not a number is no issue. */
const numberOf = ({ number }: { number: string }): number => {
  const parsed = /^\d{1,10}$/.test(number) ? Number(number) : 0;
  if (parsed > MAX_NUMBER) throw new HttpError(404, ISSUE_NOT_FOUND);
  return parsed;
};

interface IssueRoutesOptions {
  /** Where members are. */
  db: Database;
  reads: FairDatabase;
  writes: FairDatabase;
  learner: RunLearner;
  live: Live;
  maskings: Maskings;
  guards: Guards;
}

/** Problems that runs have in common, and what people do about them. */
export function issueRoutes(
  app: App,
  { db, reads, writes, learner, live, maskings, guards }: IssueRoutesOptions,
) {
  const tags = ["Issues"];
  const shown = async (
    workspaceId: WorkspaceId,
    query: { from?: string | undefined; to?: string | undefined } = {},
  ) => ({
    range: parseRange(query, Date.now()),
    members: await listMembers(db, workspaceId),
  });
  const respond = async (workspaceId: WorkspaceId, number: number) => {
    const options = await shown(workspaceId);
    const found = await reads.run(workspaceId, (own) => readIssue(own, workspaceId, number, options));
    if (!found) throw new HttpError(404, ISSUE_NOT_FOUND);
    return found;
  };
  /** Changes issues, all or none, with the workspace's issues locked. What is written on them is masked. */
  const change = async <T>(
    request: FastifyRequest,
    work: (
      trx: Database,
      workspaceId: WorkspaceId,
      by: ChangedBy,
      context: { nextNumber: number; words: WrittenWords },
    ) => Promise<T>,
  ): Promise<T> => {
    const { workspaceId, userId } = callerOf(request);
    const changed = await storeWords({ maskings, writes }, workspaceId, async (trx, words) => {
      const cursor = await lockIssues(trx, workspaceId);
      return work(trx, workspaceId, userId, { nextNumber: cursor?.nextNumber ?? 1, words });
    });
    live.issuesChanged(workspaceId);
    return changed;
  };
  const changeOne = async (
    request: FastifyRequest & { params: { number: string } },
    changesOf: (
      words: WrittenWords,
      trx: Database,
      workspaceId: WorkspaceId,
    ) => ChangeIssue[] | Promise<ChangeIssue[]>,
  ) => {
    const number = numberOf(request.params);
    await change(request, async (trx, workspaceId, by, { words }) => {
      const changes = await changesOf(words, trx, workspaceId);
      await requireIssue(trx, workspaceId, number);
      // Each change sees what the one before it wrote.
      for (const apply of changes) await changeIssues(trx, workspaceId, { numbers: [number], apply }, by);
    });
    return respond(callerOf(request).workspaceId, number);
  };

  app.get(
    "/api/issues",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "List your issues",
        description:
          "Bad runs of one agent with the same error, bad score or condition are an issue. A run may be in several. `runs`, " +
          "`share`, `people` and `trend` are those of the range.",
        querystring: listQuery,
        response: { 200: issueList },
        errors: { 400: [RANGE_ERROR], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { state = "open", sort = "inbox", assignee, from, to, ...filters } = request.query;
      const { workspaceId, userId } = callerOf(request);
      const { range, members } = await shown(workspaceId, { from, to });
      const assigneeId = assignee === "none" ? null : assignee === "me" ? (userId ?? "") : assignee;
      return reads.run(workspaceId, (own) =>
        listIssues(own, workspaceId, { ...filters, state, sort, assigneeId, range }, members),
      );
    },
  );

  app.post(
    "/api/issues/bulk",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Change several issues, all or none",
        description: "`action` takes the fields of the request that does the same with one issue.",
        body: issueBulk,
        response: { 200: changedIssues },
        errors: {
          400: CHANGE_ERRORS,
          404: [ISSUE_NOT_FOUND],
          409: [ISSUE_WAS_MERGED, SEEN_IN_RELEASE],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request) => {
      const { issues: numbers, action, assigneeId } = request.body;
      const changed = await change(request, async (trx, workspaceId, by, { words }) => {
        if (action === "assign") await requireAssignee(trx, workspaceId, assigneeId);
        const apply = changeOfBulk(request.body, Date.now(), words);
        return changeIssues(trx, workspaceId, { numbers, apply }, by);
      });
      return { changed };
    },
  );

  app.get(
    "/api/issues/:number",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "Get an issue",
        description: "The number of an issue that was merged leads to the issue that it was merged into.",
        params,
        querystring: detailQuery,
        response: { 200: issueDetail },
        errors: { 400: [RANGE_ERROR], ...NOT_FOUND },
      },
    },
    async (request) => {
      const { workspaceId } = callerOf(request);
      const options = await shown(workspaceId, request.query);
      const found = await reads.run(workspaceId, (own) =>
        readIssueDetail(own, workspaceId, numberOf(request.params), options),
      );
      if (!found) throw new HttpError(404, ISSUE_NOT_FOUND);
      return explainIssue({ reads, learner }, workspaceId, found);
    },
  );

  app.patch(
    "/api/issues/:number",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Assign, link or acknowledge an issue",
        params,
        body: issueChange,
        response: { 200: issue },
        errors: { 400: CHANGE_ERRORS, 409: MERGED, ...NOT_FOUND },
      },
    },
    async (request) => {
      const { assigneeId, externalUrl, isAcknowledged } = request.body;
      return changeOne(request, async (words, trx, workspaceId) => {
        await requireAssignee(trx, workspaceId, assigneeId);
        return [
          ...(assigneeId === undefined ? [] : [assignIssue(assigneeId)]),
          ...(externalUrl === undefined ? [] : [linkIssue(externalUrl, words)]),
          ...(isAcknowledged ? [acknowledgeIssue] : []),
        ];
      });
    },
  );

  app.post(
    "/api/issues/:number/resolve",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Resolve an issue",
        description:
          "A later run regresses the issue. In `now`: a run that started after the resolution. In `next`: a run of a release that is " +
          "first seen after it. In `release`: a run of that release, or of one that was first seen after it.",
        params,
        body: issueResolution,
        response: { 200: issue },
        errors: { 400: CHANGE_ERRORS, 409: [SEEN_IN_RELEASE, ...MERGED], ...NOT_FOUND },
      },
    },
    async (request) => changeOne(request, (words) => [resolveIssue(request.body, words)]),
  );

  app.post(
    "/api/issues/:number/ignore",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Ignore an issue until so many runs came, until a date, or for ever",
        params,
        body: issueIgnoring,
        response: { 200: issue },
        errors: { 400: CHANGE_ERRORS, 409: MERGED, ...NOT_FOUND },
      },
    },
    async (request) => changeOne(request, () => [ignoreIssue(request.body, Date.now())]),
  );

  app.post(
    "/api/issues/:number/reopen",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Open an issue again, or except a release from its resolution",
        params,
        body: issueReopening,
        response: { 200: issue },
        errors: { 409: [NOT_RESOLVED, ...MERGED], ...NOT_FOUND },
      },
    },
    async (request) => changeOne(request, (words) => [reopenIssue(request.body, words)]),
  );

  app.post(
    "/api/issues/:number/merge",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Merge other issues into this one",
        description: "Their runs are counted here, also in future. Splitting them off undoes it.",
        params,
        body: issueMerge,
        response: { 200: issue },
        errors: { 400: [MERGED_INTO_ITSELF], 409: MERGED, ...NOT_FOUND },
      },
    },
    async (request) => {
      const target = numberOf(request.params);
      await change(request, (trx, workspaceId, by) =>
        mergeIssues(trx, workspaceId, { target, sources: request.body.issues }, by),
      );
      return respond(callerOf(request).workspaceId, target);
    },
  );

  app.post(
    "/api/issues/:number/split",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Move problems of this issue into one of their own",
        description:
          "Problems that were merged get their number back. Returns the issue that they are in now.",
        params,
        body: issueSplit,
        response: { 201: issue },
        errors: { 400: [ONE_MUST_STAY, NOT_ITS_PROBLEMS], 409: MERGED, ...NOT_FOUND },
      },
    },
    async (request, reply) => {
      const number = numberOf(request.params);
      const destination = await change(request, (trx, workspaceId, by, { nextNumber }) =>
        splitIssue(trx, workspaceId, { number, problems: request.body.problems, nextNumber }, by),
      );
      reply.status(201);
      return respond(callerOf(request).workspaceId, destination);
    },
  );

  app.post(
    "/api/issues/:number/comments",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Comment on an issue",
        params,
        body: issueComment,
        response: { 201: timelineEntry },
        errors: { 400: [COMMENT_LENGTH], 409: [COMMENT_LIMIT_REACHED, ...MERGED], ...NOT_FOUND },
      },
    },
    async (request, reply) => {
      const number = numberOf(request.params);
      const sent = parseComment(request.body.text);
      const { id, text } = await change(request, async (trx, workspaceId, by, { words }) => {
        const text = words.text(sent);
        return { id: await addComment(trx, workspaceId, { number, text }, by), text };
      });
      reply.status(201);
      const { workspaceId, userId } = callerOf(request);
      const author = (await listMembers(db, workspaceId)).find((member) => member.id === userId) ?? null;
      return { id, kind: "commented" as const, at: new Date().toISOString(), by: author, text, details: {} };
    },
  );

  app.delete(
    "/api/issues/:number/comments/:id",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Delete a comment",
        params: z.object({ number: z.string(), id: z.string() }),
        response: { 200: successSchema },
        errors: { 404: ["Comment not found"], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { workspaceId } = memberOf(request);
      const comment = { number: numberOf(request.params), id: request.params.id };
      const isDeleted = await writes.run(workspaceId, (own) => deleteComment(own, workspaceId, comment));
      if (!isDeleted) throw new HttpError(404, "Comment not found");
      live.issuesChanged(workspaceId);
      return SUCCESS;
    },
  );

  app.get(
    "/api/issues/:number/timeline",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "List what happened to an issue, newest first",
        params,
        querystring: z.object({ cursor: textParam("`nextCursor` of the page before"), limit: limitParam }),
        response: { 200: issueTimeline },
        errors: { 400: [INVALID_CURSOR], ...NOT_FOUND },
      },
    },
    async (request) => {
      const { workspaceId } = callerOf(request);
      const { members } = await shown(workspaceId);
      const { cursor, limit } = request.query;
      return reads.run(workspaceId, async (own) => {
        const found = await findIssue(own, workspaceId, numberOf(request.params));
        if (!found) throw new HttpError(404, ISSUE_NOT_FOUND);
        return readTimeline(own, workspaceId, found.number, { cursor, limit, members });
      });
    },
  );

  app.get(
    "/api/issues/:number/grouping",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "Say why runs are one issue",
        description:
          "The text that the runs of each problem have in common, and which parts of three messages are masked.",
        params,
        response: { 200: issueGrouping },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      const { workspaceId } = callerOf(request);
      return reads.run(workspaceId, async (own) => {
        const found = await findIssue(own, workspaceId, numberOf(request.params));
        if (!found) throw new HttpError(404, ISSUE_NOT_FOUND);
        return readGrouping(own, workspaceId, found.number);
      });
    },
  );

  app.get(
    "/api/issues/:number/prompt",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "Get a prompt that hands the issue to a coding agent",
        description:
          "Says which tool to call and what to do. It contains no text of a run, so that whoever makes an agent fail cannot write " +
          "into a developer's shell.",
        params,
        response: {
          200: {
            description: "Plain text without characters that a shell reads",
            content: { "text/plain": { schema: z.string() } },
          },
        },
        errors: NOT_FOUND,
      },
    },
    async (request, reply) => {
      const { workspaceId } = callerOf(request);
      const number = numberOf(request.params);
      const options = await shown(workspaceId);
      const found = await reads.run(workspaceId, (own) => readIssue(own, workspaceId, number, options));
      if (!found) throw new HttpError(404, ISSUE_NOT_FOUND);
      return reply.type("text/plain; charset=utf-8").send(handOverPrompt(found.number));
    },
  );
}
