import { signatureFromHex } from "@whytrace/contract";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { givenVerdict, savedVerdict, verdictCounts, verdictList } from "@whytrace/contract/schemas/verdicts";
import { z } from "zod";
import { callerOrigin } from "../api-keys/caller-origin.ts";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import type { Guards } from "../api-keys/guards.ts";
import { callerOf } from "../api-keys/guards.ts";
import { recordEvent } from "../audit/record-event.ts";
import { describeMakers } from "../auth/created-by.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { agentHash } from "../decision-facts/agent-hash.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { limitParam, pageParam, textParam } from "../http/request/query-params.ts";
import { sendStream } from "../http/send-stream.ts";
import type { Maskings } from "../masking/maskings.ts";
import { deleteVerdict } from "../trace-store/delete-verdict.ts";
import { saveVerdict, VERDICT_LIMIT_REACHED } from "../trace-store/save-verdict.ts";
import { countVerdicts } from "./count-verdicts.ts";
import { exportVerdicts } from "./export-verdicts.ts";
import { lastVerdictNote, listVerdicts } from "./list-verdicts.ts";

const SIGNATURE = "Invalid signature. Must have 14 hexadecimal digits.";
const signature = textParam("Only verdicts on decisions with this signature")
  .transform((text, context) => {
    const parsed = text === undefined ? undefined : signatureFromHex(text);
    if (text !== undefined && parsed === undefined) context.addIssue(SIGNATURE);
    return parsed;
  })
  .meta({ description: "Only verdicts on decisions with this signature" })
  .register(fieldErrors, { texts: [SIGNATURE] });
const agent = textParam("Only verdicts on traces with this name; numbers and ids in it do not matter");

const listQuery = z.object({
  page: pageParam,
  limit: limitParam,
  traceId: textParam("Only verdicts on decisions of this trace"),
  signature,
  agent,
});
const countsQuery = z.object({ signature, agent });

interface VerdictRoutesOptions {
  db: Database;
  reads: FairDatabase;
  writes: FairDatabase;
  maskings: Maskings;
  budget: ReadBudget;
  guards: Guards;
  credentials: CredentialWatch;
}

/** What a person says about decisions. */
export function verdictRoutes(
  app: App,
  { db, reads, writes, maskings, budget, guards, credentials }: VerdictRoutesOptions,
) {
  const onRequest = guards.read;
  const tags = ["Verdicts"];

  app.put(
    "/api/insights/verdicts",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Say whether a decision was right, or change what you said",
        description:
          "There is one verdict for a decision: a later one replaces it. Deleting the trace deletes its verdicts.",
        body: givenVerdict,
        response: { 200: savedVerdict },
        errors: { 404: ["Decision point not found"], 409: [VERDICT_LIMIT_REACHED], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { shouldHaveBeen = null, note, suspectRank = null, ...given } = request.body;
      const { workspaceId, userId: createdBy = null } = callerOf(request);
      const said = { ...given, shouldHaveBeen, note: note || null, suspectRank, createdBy };
      const saved = await maskings.apply(workspaceId, (masking) =>
        writes.transaction(workspaceId, (_client, trx) => saveVerdict(trx, workspaceId, said, masking)),
      );
      const [described] = saved ? await describeMakers(db, [saved]) : [];
      if (!described) throw new HttpError(404, "Decision point not found");
      return described;
    },
  );

  app.delete(
    "/api/insights/verdicts/:traceId/:decisionPointId",
    {
      onRequest: guards.review,
      schema: {
        tags,
        summary: "Take a verdict back",
        params: z.object({ traceId: z.string(), decisionPointId: z.string() }),
        response: { 200: successSchema },
        errors: { 404: ["Verdict not found"], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      if (!(await writes.run(workspaceId, (db) => deleteVerdict(db, workspaceId, request.params))))
        throw new HttpError(404, "Verdict not found");
      return SUCCESS;
    },
  );

  app.get(
    "/api/insights/verdicts",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your verdicts, newest first",
        querystring: listQuery,
        response: { 200: verdictList },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const { agent: name, ...query } = request.query;
      const workspaceId = callerOf(request).workspaceId;
      const { verdicts, total } = await reads.run(workspaceId, (db) =>
        listVerdicts(db, workspaceId, { ...query, agentHash: hashOf(name) }),
      );
      const { page, limit } = query;
      return { verdicts, total, page, limit, totalPages: Math.ceil(total / limit) };
    },
  );

  app.get(
    "/api/insights/verdicts/counts",
    {
      onRequest,
      schema: {
        tags,
        summary: "Count the verdicts on each option of a decision",
        querystring: countsQuery,
        response: { 200: verdictCounts },
        errors: { 400: [SIGNATURE], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { signature: counted, agent: name } = request.query;
      if (counted === undefined) throw new HttpError(400, SIGNATURE);
      const filter = { signature: counted, agentHash: hashOf(name) };
      const workspaceId = callerOf(request).workspaceId;
      return reads.run(workspaceId, async (db) => ({
        counts: await countVerdicts(db, workspaceId, filter),
        lastNote: await lastVerdictNote(db, workspaceId, filter),
      }));
    },
  );

  app.get(
    "/api/insights/verdicts/export",
    {
      onRequest,
      // A response to HEAD would read all verdicts for nobody.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: "Export your verdicts with their decisions as JSON Lines",
        description:
          "Oldest first, one JSON object per line: the decision with its type, chosen option, alternatives, reasoning and " +
          "context, and what you said about it. If your session or key ends, the download breaks off.",
        response: {
          200: {
            description: "One verdict per line",
            content: { "application/x-ndjson": { schema: z.string() } },
          },
        },
        errors: BUSY_ERRORS,
      },
    },
    async (request, reply) => {
      const { workspaceId, credentialId } = callerOf(request);
      await recordEvent(db, workspaceId, callerOrigin(request), { action: "verdicts.exported" });
      return sendStream(reply, {
        contentType: "application/x-ndjson",
        headers: { "content-disposition": 'attachment; filename="whytrace-verdicts.jsonl"' },
        budget,
        caller: workspaceId,
        permission: credentials.permission(credentialId),
        chunks: exportVerdicts(reads, workspaceId),
      });
    },
  );
}

const hashOf = (agent: string | undefined) => (agent === undefined ? undefined : agentHash(agent));
