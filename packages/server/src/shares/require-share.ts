import type { SharedLink } from "@whytrace/contract/schemas/shares";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { hashToken } from "../auth/random-token.ts";
import type { RateLimit } from "../config.ts";
import type { Database } from "../db/database.ts";
import { unlessReadOnly } from "../db/unless-read-only.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { RateLimiter } from "../http/rate-limit.ts";

/** The same for a link that never was, has expired or was revoked, and for one whose trace was deleted. */
export const NO_SHARE =
  "This link does not work. It may have expired, or its owner revoked it or deleted the trace.";

/** What a request with a valid link may read. */
export interface GrantedShare extends SharedLink {
  id: string;
  workspaceId: WorkspaceId;
  traceId: string;
  /** When the shared trace was stored first, as PostgreSQL writes it. */
  storedAt: string;
}

const shares = new WeakMap<FastifyRequest, GrantedShare>();
const TOKEN = /^[\w-]{43}$/;

/** A guard for routes with the parameter `token`: limits the calls of a client, and throws 404 unless the link is valid. */
export function requireShare(db: Database, limiter: RateLimiter, limit: RateLimit) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header("x-robots-tag", "noindex, nofollow");
    await limiter.admitClient("shared", limit, request.ip);
    const { token } = request.params as { token: string };
    const share = TOKEN.test(token) ? await findShare(db, token) : undefined;
    if (!share) throw new HttpError(404, NO_SHARE);
    shares.set(request, share);
  };
}

/** The link of a request on a route with the guard. */
export function shareOf(request: FastifyRequest): GrantedShare {
  const share = shares.get(request);
  if (!share) throw new Error(`No link guard on ${request.routeOptions.url}`);
  return share;
}

/** Not cached, so that a revoked link stops working at once on every server. */
async function findShare(db: Database, token: string): Promise<GrantedShare | undefined> {
  const { rows } = await sql<GrantedShare>`
    select id, workspace_id, trace_id, trace_created_at::text as stored_at, has_payloads, why is not null as has_why,
      expires_at
    from trace_shares where token_hash = ${hashToken(token)} and expires_at > now()`.execute(db);
  return rows[0];
}

export async function countOpen(db: Database, { id, workspaceId }: GrantedShare): Promise<void> {
  await unlessReadOnly(
    sql`
      update trace_shares set open_count = open_count + 1, last_opened_at = now()
      where workspace_id = ${workspaceId} and id = ${id}`.execute(db),
  );
}
