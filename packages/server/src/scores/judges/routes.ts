import { signatureFromHex } from "@whytrace/contract";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import {
  JUDGE_SAMPLES,
  judgeAgreement,
  judgeQueue,
  MAX_QUEUED_RUNS,
} from "@whytrace/contract/schemas/insights/judges";
import { z } from "zod";
import { callerOf, type Guards } from "../../api-keys/guards.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { dateParam, enumParam, textParam } from "../../http/request/query-params.ts";
import { readAgreement } from "./read-agreement.ts";
import { readJudgeQueue } from "./read-judge-queue.ts";
import { readReviewQueue } from "./read-review-queue.ts";

const NAME_REQUIRED = "name is required";
const DEFAULT_LIMIT = 20;
const DEFAULT_AGAINST = "review";

const NEAR = "Invalid near. Must have 14 hexadecimal digits.";
const NEAR_ABOUT = "Only runs with a decision of this signature, 14 hexadecimal digits";
const near = textParam(NEAR_ABOUT)
  .transform((text, context) => {
    const parsed = text === undefined ? undefined : signatureFromHex(text);
    if (text !== undefined && parsed === undefined) context.addIssue(NEAR);
    return parsed;
  })
  .meta({ description: NEAR_ABOUT })
  .register(fieldErrors, { texts: [NEAR] });

const LIMIT = `Invalid limit parameter. Must be between 1 and ${MAX_QUEUED_RUNS}.`;
const LIMIT_ABOUT = "Number of runs";
const limit = textParam(LIMIT_ABOUT)
  .transform((text, context) => {
    const number = text === undefined ? DEFAULT_LIMIT : /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= 1 && number <= MAX_QUEUED_RUNS)) context.addIssue(LIMIT);
    return number;
  })
  .meta({
    type: "integer",
    minimum: 1,
    maximum: MAX_QUEUED_RUNS,
    default: DEFAULT_LIMIT,
    description: LIMIT_ABOUT,
  })
  .register(fieldErrors, { texts: [LIMIT] });

const agent = textParam("Only runs with this name; numbers and ids in it do not matter");
const queueQuery = z.object({
  name: textParam("The name of the judge's scores"),
  author: textParam("The judge with its version, as its scores have it"),
  agent,
  sample: enumParam(
    "sample",
    JUDGE_SAMPLES,
    "newest, the default; or random: an order that is the same each time, over the newest 20,000 runs that wait",
  ),
  near,
  since: dateParam("since", "Only runs that started at this time or later, an ISO 8601 date"),
  judge: textParam(
    "To review a judge: the name of its scores. Of the runs, half come from those that it calls bad and half from the rest, in a random " +
      "order; sample, near and since have no effect",
  ),
  judgeAuthor: textParam("Together with judge: which one, with its version. Default: all judges of the name"),
  limit,
});
const agreementQuery = z.object({
  name: textParam("The name of the judge's scores"),
  author: textParam("The judge with its version. Default: all judges of this name together"),
  against: textParam(`The name of the scores that people gave. Default: ${DEFAULT_AGAINST}`),
  agent,
});

/** What a judge that runs elsewhere asks for: runs to judge, and whether it can be trusted. */
export function judgeRoutes(app: App, { reads, guards }: { reads: FairDatabase; guards: Guards }) {
  const onRequest = guards.read;
  const tags = ["Scores"];
  const errors = { 400: [NAME_REQUIRED], ...BUSY_ERRORS };

  app.get(
    "/api/scores/queue",
    {
      onRequest,
      schema: {
        tags,
        summary: "List runs that a judge has not scored",
        description:
          "Ended runs without a score of this name by this author. A run that was scored leaves the list, so a judge that was " +
          "stopped goes on by asking again; a judge with another author starts anew.",
        querystring: queueQuery,
        response: { 200: judgeQueue },
        errors,
      },
    },
    async (request) => {
      const { name, author = "", sample = "newest", agent, judge, judgeAuthor, ...query } = request.query;
      if (name === undefined) throw new HttpError(400, NAME_REQUIRED);
      const workspaceId = callerOf(request).workspaceId;
      if (judge !== undefined)
        return reads.run(workspaceId, (db) =>
          readReviewQueue(db, workspaceId, { name, author, agent, judge, judgeAuthor, limit: query.limit }),
        );
      return reads.run(workspaceId, (db) =>
        readJudgeQueue(db, workspaceId, { ...query, name, author, agent, sample }),
      );
    },
  );

  app.get(
    "/api/scores/agreement",
    {
      onRequest,
      schema: {
        tags,
        summary: "Say how far a judge agrees with people",
        description:
          "Compares the scores of a judge with those of people on the same runs; scores of spans and decisions do not count. People " +
          "review what a judge complains about, so each review counts for all runs with the same judgement.",
        querystring: agreementQuery,
        response: { 200: judgeAgreement },
        errors,
      },
    },
    async (request) => {
      const { name, against = DEFAULT_AGAINST, author, agent } = request.query;
      if (name === undefined) throw new HttpError(400, NAME_REQUIRED);
      const workspaceId = callerOf(request).workspaceId;
      return reads.run(workspaceId, (db) => readAgreement(db, workspaceId, { name, author, against, agent }));
    },
  );
}
