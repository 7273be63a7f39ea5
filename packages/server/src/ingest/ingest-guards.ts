import type { ApiKeyScope } from "@whytrace/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { findKeyOwner, type KeyOwner } from "../api-keys/find-key-owner.ts";
import { requireScope } from "../api-keys/require-scope.ts";
import type { Reconciler } from "../billing/reconciler.ts";
import type { RefusedRequests } from "../billing/refused-requests.ts";
import { checkUsage } from "../billing/usage.ts";
import type { RecentCallers } from "../concurrency/recent-callers.ts";
import { TokenBuckets } from "../concurrency/token-buckets.ts";
import type { Connections } from "../db/connections.ts";
import { HttpError } from "../http/http-error.ts";
import { readBearer } from "../http/request/read-bearer.ts";
import { tooLarge } from "../http/request/read-bytes.ts";
import type { WorkspaceRate } from "../http/workspace-rate.ts";

const owners = new WeakMap<FastifyRequest, KeyOwner>();

/** What a workspace may send per minute. */
export interface IngestRates {
  requests: WorkspaceRate;
  bytes: WorkspaceRate;
}

export interface IngestGuardOptions {
  connections: Connections;
  rates: IngestRates;
  reconciler: Reconciler;
  /** Counts requests that bring traces although the plan is used up. */
  refusals?: RefusedRequests;
  maxBytes: number;
  /** Whether a workspace whose plan is used up is refused. If not, the handler stores nothing that the plan counts. */
  isUsageRequired: boolean;
  /** The scopes of keys that may send. Default: send. */
  scopes?: readonly ApiKeyScope[];
}

/** Makes the specification's first five checks, in its order, and then ours, before any byte of the body is read. */
export function ingestGuards(options: IngestGuardOptions) {
  const { connections, rates, maxBytes } = options;
  const guards = [
    requireBearer,
    refuseOversized(maxBytes),
    requireKeyAndUsage(options),
    requireRates(rates, connections.recentCallers, maxBytes),
  ];
  return async (request: FastifyRequest, reply: FastifyReply) => {
    for (const guard of guards) await guard(request, reply);
  };
}

/**
 * The rest of a refused body is read and dropped, so that the client can read the response. For a workspace that goes on sending
 * large bodies that would cost as much as storing them, so those connections are closed instead.
 */
const DROPPED_BYTES_PER_MINUTE = 120 * 1024 * 1024;

function requireRates({ requests, bytes }: IngestRates, recentCallers: RecentCallers, maxBytes: number) {
  const dropped = new TokenBuckets(DROPPED_BYTES_PER_MINUTE);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { workspaceId } = ingestKey(request);
    recentCallers.remember(workspaceId);
    try {
      await requests.admit(workspaceId);
      await bytes.admit(workspaceId);
    } catch (error) {
      if (dropped.waitMs(workspaceId) > 0) reply.header("connection", "close");
      else dropped.take(workspaceId, Number(request.headers["content-length"] ?? maxBytes));
      throw error;
    }
    requests.count(workspaceId, 1);
  };
}

/** Returns the API key and its owner, on a route with these guards. */
export function ingestKey(request: FastifyRequest): KeyOwner {
  const owner = owners.get(request);
  if (!owner) throw new Error(`No ingest guards on ${request.routeOptions.url}`);
  return owner;
}

async function requireBearer(request: FastifyRequest) {
  if (readBearer(request) === undefined) throw new HttpError(401, "Missing or invalid Authorization header");
}

function refuseOversized(maxBytes: number) {
  return async ({ headers, raw }: FastifyRequest) => {
    if (Number(headers["content-length"]) > maxBytes) throw tooLarge(raw, maxBytes);
  };
}

function requireKeyAndUsage({
  connections,
  reconciler,
  refusals,
  isUsageRequired,
  scopes = ["send"],
}: IngestGuardOptions) {
  const { account: db } = connections;
  return async (request: FastifyRequest) => {
    const key = readBearer(request);
    if (!key) throw new HttpError(401, "Missing API key in Authorization header");
    const owner = await findKeyOwner(db, key);
    if (!owner) throw new HttpError(401, "Invalid API key");
    if (owner.rights === undefined || !scopes.includes(owner.rights)) requireScope(owner, "send", request);
    try {
      checkUsage(owner.usage);
    } catch (error) {
      // The workspace may have paid, and the webhook may be lost.
      reconciler.request(owner.workspaceId);
      if (owner.usage) refusals?.count(owner.workspaceId);
      if (isUsageRequired || !owner.usage) throw error;
    }
    owners.set(request, owner);
  };
}
