import {
  hash32FromHex,
  LINE_RELATIONS,
  MAX_CONTEXT_VALUES,
  NO_PARTNER_REASONS,
  PARTNER_KINDS,
  STATUSES,
} from "@whytrace/contract";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { textParam } from "../../http/query-params.ts";
import { fieldErrors } from "../../http/route-schema.ts";
import type { InsightsOptions } from "../insights-options.ts";
import { rangeFields } from "../insights-range.ts";
import { count, decisionType, hashId, rate } from "../schemas.ts";
import { A_NOT_FOUND, B_NOT_FOUND, compareTraces } from "./compare-traces.ts";
import { listPartners } from "./list-partners.ts";
import { MAX_CONTEXT_KIB, MAX_CONTEXTS_MIB, MAX_DECISIONS } from "./read-decisions.ts";

const NOT_FOUND = "Trace not found";
const TRACE_ID = "must be the id of a trace";
const STEP = "Invalid step. Must be 8 hexadecimal digits.";

const idParam = (description: string) =>
  z
    .string({ error: TRACE_ID })
    .min(1, { error: TRACE_ID })
    .meta({ description })
    .register(fieldErrors, {
      texts: [TRACE_ID],
    });
const compareQuery = z.object({
  a: idParam("The id of a trace"),
  b: idParam("The id of the trace to compare it with"),
});
const partnersQuery = z.object({
  step: textParam("")
    .transform((text, context) => {
      const step = text === undefined ? undefined : hash32FromHex(text);
      if (text !== undefined && !step) context.addIssue(STEP);
      return step;
    })
    .meta({
      type: "string",
      description: "Only runs that chose this option at a point where the run decided otherwise",
    })
    .register(fieldErrors, { texts: [STEP] }),
});

const run = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(STATUSES),
  release: z.string().nullable().describe("From its tags, such as `v2.3.1` or `release:2026-11-02`"),
  tags: z.array(z.string()),
  startedAt: z.iso.datetime(),
  durationMs: z.number().nullable(),
  costUsd: z.number().nullable(),
  tokens: z.number().nullable(),
  spans: count,
  decisions: count,
  errors: count,
  error: z.string().nullable().describe("The message of the first error, or its name"),
});
const decision = z.object({
  id: z.string(),
  type: decisionType,
  signature: hashId.describe("Identifies decisions of the same type between the same options"),
  step: hashId.describe("Identifies the option that was chosen in such decisions"),
  option: z.string(),
  options: z.array(z.string()).describe("All options, the chosen one first"),
  reasoning: z.string().nullable(),
  atMs: z.number().describe("Milliseconds since its trace started"),
});
const contextKey = z.object({
  key: z.string().describe("The path of the value, such as `order.total`"),
  a: z.string().nullable().describe("JSON, truncated if it is long; null if the key is absent"),
  b: z.string().nullable(),
  isEqual: z.boolean(),
  namedIn: z.enum(["a", "b"]).nullable().describe("The only run whose reasoning names an equal value"),
});
const comparison = z.object({
  a: run,
  b: run,
  lines: z.array(
    z.object({
      relation: z
        .enum(LINE_RELATIONS)
        .describe(
          "`flipped`: another of the same options; `changed`: other options; `a`, `b`: only this run decided here",
        ),
      a: decision.nullable(),
      b: decision.nullable(),
      context: z
        .object({
          differing: count.describe("How many keys of the context differ"),
          keys: count.describe("Of how many"),
          isTruncated: z
            .boolean()
            .describe(
              `Whether a context is too large to be compared completely: it has more than ${MAX_CONTEXT_KIB} KiB or ` +
                `${MAX_CONTEXT_VALUES} values, or those before it have ${MAX_CONTEXTS_MIB} MiB`,
            ),
        })
        .nullable()
        .describe("Null if only one run decided here or neither recorded a context"),
    }),
  ),
  isTruncated: z.boolean().describe("Whether a run has more decisions than were compared"),
  divergence: z
    .object({
      line: count.describe("The index of the first line that is not the same"),
      context: z.array(contextKey).describe("Keys of its context, at most 200, those that differ first"),
      rates: rangeFields
        .extend({
          a: rate,
          b: rate,
          after: z
            .object({ step: hashId, option: z.string() })
            .nullable()
            .describe("What was decided before, to which the rates are limited; null: they are not limited"),
        })
        .nullable()
        .describe(
          "What followed each option elsewhere; null if the options are not the same or nothing was counted of one of them",
        ),
    })
    .nullable(),
  contextDivergence: z
    .object({ line: count, context: z.array(contextKey) })
    .nullable()
    .describe("If all decisions are the same, the first line whose context differs"),
});
const partnerList = z.object({
  agent: z.string(),
  partners: z.array(
    z.object({
      kind: z
        .enum(PARTNER_KINDS)
        .describe(
          "otherwise-well: it chose otherwise and went well; same-well: it decided the same and went well; release-well: it " +
            "went well, earlier and in another release, and may be listed for another reason, too; same-error: it failed with " +
            "the same error; session: it belongs to the same session",
        ),
      traceId: z.string(),
      name: z.string(),
      status: z.enum(STATUSES),
      release: z.string().nullable(),
      startedAt: z.iso.datetime(),
      sameDecisions: count.describe("How many decisions from the start on are the same"),
    }),
  ),
  reason: z.enum(NO_PARTNER_REASONS).nullable().describe("Why no completed run was found; null if one was"),
});

export function compareRoutes(app: App, { reads, days, guards }: InsightsOptions) {
  app.get(
    "/api/insights/compare",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Compare the decisions of two traces",
        description:
          "Puts the decisions of both traces side by side and says where they first differ. Decisions of parallel branches " +
          `are compared branch by branch, whichever came first. At most ${MAX_DECISIONS} decisions of each trace are compared.`,
        querystring: compareQuery,
        response: { 200: comparison },
        errors: { 404: [A_NOT_FOUND, B_NOT_FOUND], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const userId = callerOf(request).userId;
      return compareTraces({ reads, days }, userId, request.query);
    },
  );

  app.get(
    "/api/insights/partners/:traceId",
    {
      onRequest: guards.read,
      schema: {
        tags: ["Insights"],
        summary: "Find traces to compare a trace with",
        description:
          "Lists completed traces of the same agent: first those that made the same decisions for the longest time and then " +
          "chose otherwise, then those that decided the same and went well, then other traces of the session.",
        params: z.object({ traceId: z.string() }),
        querystring: partnersQuery,
        response: { 200: partnerList },
        errors: { 404: [NOT_FOUND], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const userId = callerOf(request).userId;
      const partners = await reads.run(userId, (db) =>
        listPartners(db, userId, request.params.traceId, request.query.step),
      );
      if (!partners) throw new HttpError(404, NOT_FOUND);
      return partners;
    },
  );
}
