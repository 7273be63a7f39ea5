import { sharedLink, sharedWhy } from "@whytrace/contract/schemas/shares";
import { sharedOutline, sharedTrace } from "@whytrace/contract/schemas/traces";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { z } from "zod";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import type { RateLimit } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { CHILD_RECORDS } from "../traces/child-records.ts";
import { getChild } from "../traces/get-child.ts";
import { getTrace } from "../traces/get-trace.ts";
import { type StoredRecord, sendRecord } from "../traces/send-record.ts";
import type { RecordDetail } from "../traces/stored-record.ts";
import { findOpenShares } from "./find-open-shares.ts";
import { readSharedWhy } from "./read-shared-why.ts";
import { readersOf } from "./readers-of.ts";
import { countOpen, type GrantedShare, NO_SHARE, requireShare, shareOf } from "./require-share.ts";

const NO_PAYLOADS = "This link does not include payloads";
const NO_WHY = "This link does not include Why";
const ERRORS = { 404: [NO_SHARE], 429: [...RATE_LIMIT_ERRORS[429], ...BUSY_ERRORS[429]] };
const PAYLOAD_ERRORS = { ...ERRORS, 403: [NO_PAYLOADS] };
const token = z.object({ token: z.string() });

interface SharedRoutesOptions {
  db: Database;
  reads: FairDatabase;
  budget: ReadBudget;
  limiter: RateLimiter;
  limit: RateLimit;
  credentials: CredentialWatch;
}

type ReadShared = (share: GrantedShare) => Promise<StoredRecord | undefined>;

/** One trace, for everybody who has a link to it. Nothing here tells whose trace it is. */
export function sharedRoutes(
  app: App,
  { db, reads, budget, limiter, limit, credentials }: SharedRoutesOptions,
) {
  const onRequest = requireShare(db, limiter, limit);
  const tags = ["Links"];
  const findOpen = (ids: string[]) => findOpenShares({ db, reads }, ids);

  const send = (request: FastifyRequest, reply: FastifyReply, notFound: string, read: ReadShared) => {
    const share = shareOf(request);
    return sendRecord(reply, {
      budget,
      caller: readersOf(share),
      permission: credentials.permission(share.id, findOpen),
      notFound,
      read: () => read(share),
    });
  };
  const sendTrace = (request: FastifyRequest, reply: FastifyReply, detail: RecordDetail) =>
    send(request, reply, NO_SHARE, (share) => {
      const { workspaceId, traceId, storedAt } = share;
      const slot = { caller: readersOf(share) };
      return getTrace(reads, workspaceId, traceId, detail, { storedAt, kind: "anonymousTrace", slot });
    });
  const requirePayloads = async (request: FastifyRequest) => {
    if (!shareOf(request).hasPayloads) throw new HttpError(403, NO_PAYLOADS);
  };

  app.get(
    "/api/shared/:token/link",
    {
      onRequest,
      schema: {
        tags,
        summary: "Open a link",
        description: "Says what the link shows, and counts that it was opened.",
        params: token,
        response: { 200: sharedLink },
        errors: ERRORS,
      },
    },
    async (request) => {
      const share = shareOf(request);
      if (!(await isTraceStored(reads, share))) throw new HttpError(404, NO_SHARE);
      if (request.method === "GET") await countOpen(db, share);
      const { hasPayloads, hasWhy, expiresAt } = share;
      return { hasPayloads, hasWhy, expiresAt };
    },
  );

  app.get(
    "/api/shared/:token",
    {
      onRequest: [onRequest, requirePayloads],
      schema: {
        tags,
        summary: "Get the shared trace with all its children",
        params: token,
        response: { 200: sharedTrace },
        errors: PAYLOAD_ERRORS,
      },
    },
    async (request, reply) => sendTrace(request, reply, "whole"),
  );

  app.get(
    "/api/shared/:token/outline",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get the shared trace without its payloads",
        description:
          "Omits input, output, metadata and contextSnapshot. If the link does not include payloads, reasoning is null and " +
          "options have only their names.",
        params: token,
        response: { 200: sharedOutline },
        errors: ERRORS,
      },
    },
    async (request, reply) =>
      sendTrace(request, reply, shareOf(request).hasPayloads ? "outline" : "withoutPayloads"),
  );

  app.get(
    "/api/shared/:token/why",
    {
      onRequest,
      schema: {
        tags,
        summary: "Say which decisions explain why the shared run went wrong",
        description:
          "As its owner saw it when the link was made: nothing is computed for this request. Says nothing of other runs but the " +
          "counts that the sentences on the suspects name. An option that was left out has no name here. It shows an association, " +
          "not a cause.",
        params: token,
        response: { 200: sharedWhy },
        errors: { ...ERRORS, 403: [NO_WHY] },
      },
    },
    async (request) => {
      const share = shareOf(request);
      const why = share.hasWhy && (await readSharedWhy({ db, reads }, share));
      if (!why && (share.hasWhy || !(await isTraceStored(reads, share)))) throw new HttpError(404, NO_SHARE);
      if (!why) throw new HttpError(403, NO_WHY);
      return why;
    },
  );

  for (const { path, kind, parameter, schema, notFound } of CHILD_RECORDS)
    app.get(
      `/api/shared/:token/${path}/:${parameter}`,
      {
        onRequest: [onRequest, requirePayloads],
        schema: {
          tags,
          summary: `Get one record of the shared trace (${path}) with its payloads`,
          params: z.object({ token: z.string(), [parameter]: z.string() }),
          response: { 200: schema },
          errors: { ...PAYLOAD_ERRORS, 404: [NO_SHARE, notFound] },
        },
      },
      async (request, reply) => {
        const { [parameter]: id = "" } = request.params;
        return send(request, reply, notFound, async (share) => {
          const { workspaceId, traceId, storedAt } = share;
          const child = await reads.run(
            workspaceId,
            (_db, client) => getChild(client, workspaceId, traceId, { kind, id, storedAt }),
            { caller: readersOf(share) },
          );
          return child && { heldBytes: 0, chunks: () => [child] };
        });
      },
    );
}

async function isTraceStored(reads: FairDatabase, share: GrantedShare): Promise<boolean> {
  const { workspaceId, traceId, storedAt } = share;
  const { rows } = await reads.run(
    workspaceId,
    (db) =>
      sql`
        select id from traces
        where workspace_id = ${workspaceId} and id = ${traceId} and created_at = ${storedAt}::timestamptz`.execute(
        db,
      ),
    { caller: readersOf(share) },
  );
  return rows.length > 0;
}
