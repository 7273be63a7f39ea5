import type { FastifyReply, FastifyRequest } from "fastify";
import { KEY_PREFIX } from "../api-keys/key-format.ts";
import type { SessionGuard } from "../auth/require-session.ts";
import type { SessionCookie } from "../auth/session-cookie.ts";
import { readBearer } from "../http/request/read-bearer.ts";
import { tooLarge } from "../http/request/read-bytes.ts";
import { type IngestGuardOptions, ingestGuards, ingestKey } from "../ingest/ingest-guards.ts";
import type { Sender } from "../ingest/ingest-job.ts";
import { requireSlug } from "../workspaces/find-workspace.ts";
import { memberOf } from "../workspaces/require-member.ts";

/** Who sends scores. */
interface ScoreSender extends Sender {
  /** The signed-in member; undefined if a key was sent. */
  personId: string | undefined;
}

const members = new WeakMap<FastifyRequest, ScoreSender>();

export interface ScoreGuardOptions extends Omit<IngestGuardOptions, "isUsageRequired" | "scopes"> {
  cookie: SessionCookie;
  session: SessionGuard;
  /** The slug in the address of a request. */
  slugOf: (request: FastifyRequest) => string | undefined;
}

/**
 * Takes a key that may send or review, or the session of a member, before any byte of the body is read. If both are sent, the
 * key counts. Scores are nothing that a plan counts, so a plan that is used up refuses none.
 */
export function scoreGuard({ cookie, session, slugOf, ...options }: ScoreGuardOptions) {
  const keyGuard = ingestGuards({ ...options, isUsageRequired: false, scopes: ["send", "review"] });
  const { rates, maxBytes, connections } = options;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const isKey = readBearer(request)?.startsWith(KEY_PREFIX) ?? false;
    if (isKey || cookie.read(request) === undefined) {
      await keyGuard(request, reply);
      return requireSlug(connections.account, ingestKey(request).workspaceId, slugOf(request));
    }
    if (Number(request.headers["content-length"]) > maxBytes) throw tooLarge(request.raw, maxBytes);
    await session(request);
    const { workspaceId, user } = memberOf(request);
    connections.recentCallers.remember(workspaceId);
    await rates.bytes.admit(workspaceId);
    members.set(request, { workspaceId, keyId: undefined, personId: user.id });
  };
}

/** Who sends scores, on a route with the guard. */
export function scoreSenderOf(request: FastifyRequest): ScoreSender {
  return members.get(request) ?? { ...ingestKey(request), personId: undefined };
}
