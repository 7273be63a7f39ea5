import { signatureFromHex } from "@whytrace/contract";
import * as schemas from "@whytrace/contract/schemas/insights/scorecards";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { textParam } from "../../http/request/query-params.ts";
import type { InsightsOptions } from "../insights-options.ts";
import {
  describeRange,
  parseDayRange,
  RANGE_DESCRIPTION,
  RANGE_ERRORS,
  rangeParams,
} from "../insights-range.ts";
import {
  agentParam,
  NO_SUCH_DECISION,
  parseSignature,
  parseStep,
  releaseParam,
  STEP,
  signatureParams,
} from "../names/params.ts";
import { decisionRates } from "./decision-rates.ts";
import { listAgents } from "./list-agents.ts";
import { listReasons } from "./list-reasons.ts";
import { readScoreMeans } from "./read-score-means.ts";
import { readScorecard } from "./read-scorecard.ts";
import { endSetAside, NOT_ASIDE, setAside, TOO_MANY_ASIDE } from "./set-aside.ts";
import { whyList } from "./why-list.ts";

const NOT_COUNTED = "Decision not found";
const namedRuns = { ...rangeParams, agent: agentParam, release: releaseParam };

export function scorecardRoutes(app: App, { days, reads, guards }: InsightsOptions) {
  const onRequest = guards.read;
  const tags = ["Insights"];
  const errors = { 400: RANGE_ERRORS, ...BUSY_ERRORS };

  app.get(
    "/api/insights/agents",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the agents that decided something",
        description: `An agent is all traces of the same name. Those with the most runs come first. ${RANGE_DESCRIPTION}`,
        querystring: z.object(rangeParams),
        response: { 200: schemas.agentList },
        errors,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseDayRange(request.query);
      return days.read(workspaceId, range, async (read, db) => ({
        ...describeRange(range, read),
        agents: await listAgents(db, workspaceId, read),
      }));
    },
  );

  app.get(
    "/api/insights/decisions",
    {
      onRequest,
      schema: {
        tags,
        summary: "List decisions and what followed each option",
        description:
          "The most frequent decision comes first. Rates say how often runs failed after an option, and nothing about why: an option " +
          `that comes early is followed by all failures. GET /api/insights/findings compares options. ${RANGE_DESCRIPTION}`,
        querystring: z.object(namedRuns),
        response: { 200: schemas.whyList },
        errors,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseDayRange(request.query);
      const { agent, release } = request.query;
      return days.readJudged(workspaceId, { range, agent }, async (read, db) => ({
        ...describeRange(range, read),
        ...(await whyList(db, workspaceId, range, read, { agent, release })),
      }));
    },
  );

  app.get(
    "/api/insights/decisions/:signature",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get the scorecard of a decision",
        description: `What followed each of its options, by day, and by what went before. ${RANGE_DESCRIPTION}`,
        params: signatureParams,
        querystring: z.object(namedRuns),
        response: { 200: schemas.scorecard },
        errors: { ...errors, 404: [NO_SUCH_DECISION] },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const signature = parseSignature(request.params.signature);
      const range = parseDayRange(request.query);
      const { agent, release } = request.query;
      const found = await readScorecard(days, workspaceId, { signature, range, agent, release });
      if (!found) throw new HttpError(404, NO_SUCH_DECISION);
      return found;
    },
  );

  app.get(
    "/api/insights/decisions/:signature/reasons",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the reasons given for an option, similar texts together",
        description: `Reads the newest decisions that have ended. ${RANGE_DESCRIPTION}`,
        params: signatureParams,
        querystring: z.object({
          ...namedRuns,
          step: textParam("The step of the option, 8 hexadecimal digits. Default: the most frequent option"),
        }),
        response: { 200: schemas.reasonList },
        errors: { 400: [...RANGE_ERRORS, STEP], 404: [NO_SUCH_DECISION], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const signature = parseSignature(request.params.signature);
      const step = request.query.step === undefined ? undefined : parseStep(request.query.step);
      const range = parseDayRange(request.query);
      const { agent, release } = request.query;
      return days.read(workspaceId, range, (read, db) =>
        listReasons(db, workspaceId, read, { signature, step, agent, release }),
      );
    },
  );

  app.get(
    "/api/insights/decisions/:signature/means",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get what scores were on average after each option of a decision",
        description:
          "Of scores with numbers and booleans, of the newest runs that have ended and have scores. Of several scores of a name in a run " +
          `those on the run count before those on its spans, and people before checks, users and judges. ${RANGE_DESCRIPTION}`,
        params: signatureParams,
        querystring: z.object(namedRuns),
        response: { 200: schemas.scoreMeans },
        errors: { ...errors, 404: [NO_SUCH_DECISION] },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const signature = parseSignature(request.params.signature);
      const range = parseDayRange(request.query);
      const { agent, release } = request.query;
      return days.read(workspaceId, range, ({ tally }, db) => {
        if (!tally.signatures.includes(signature)) throw new HttpError(404, NO_SUCH_DECISION);
        return readScoreMeans(db, workspaceId, { signature, range, agent, release });
      });
    },
  );

  app.get(
    "/api/insights/decision-points/:traceId/:decisionPointId",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get what followed each option of one decision of a trace",
        description:
          "In runs of the same agent that decided the same, of the last 30 days, with the signature of the decision's scorecard. " +
          "Rates say nothing about why.",
        params: z.object({ traceId: z.string(), decisionPointId: z.string() }),
        response: { 200: schemas.decisionRates },
        errors: { 404: [NOT_COUNTED], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const range = parseDayRange({});
      return days.read(workspaceId, range, async (read, db) => {
        const found = await decisionRates(db, workspaceId, read, request.params);
        if (!found) throw new HttpError(404, NOT_COUNTED);
        return { ...describeRange(range, read), ...found };
      });
    },
  );

  app.put(
    "/api/insights/set-aside/:signature",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Set a decision aside",
        description:
          "It stays in the list of decisions, and findings leave it out: for what the request decides, such as its intent.",
        params: signatureParams,
        querystring: z.object(rangeParams),
        response: { 200: successSchema },
        errors: { 400: [...RANGE_ERRORS, TOO_MANY_ASIDE], 404: [NO_SUCH_DECISION], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { workspaceId, userId = null } = callerOf(request);
      const signature = parseSignature(request.params.signature);
      const range = parseDayRange(request.query);
      const isKnown = await days.read(workspaceId, range, async ({ tally }) =>
        tally.signatures.includes(signature),
      );
      if (!isKnown) throw new HttpError(404, NO_SUCH_DECISION);
      await reads.run(workspaceId, (db) => setAside(db, workspaceId, signature, userId));
      return SUCCESS;
    },
  );

  app.delete(
    "/api/insights/set-aside/:signature",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Compare a decision again that was set aside",
        params: signatureParams,
        response: { 200: successSchema },
        errors: { 404: [NOT_ASIDE], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const signature = signatureFromHex(request.params.signature);
      const isDeleted =
        signature !== undefined &&
        (await reads.run(workspaceId, (db) => endSetAside(db, workspaceId, signature)));
      if (!isDeleted) throw new HttpError(404, NOT_ASIDE);
      return SUCCESS;
    },
  );
}
