import type { FastifyRequest } from "fastify";
import { findKeyOwner } from "../api-keys/find-key-owner.ts";
import { checkUsage } from "../billing/usage.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import { tooLarge } from "../http/read-bytes.ts";

export const MAX_BODY_BYTES = 10 * 1024 * 1024;

const users = new WeakMap<FastifyRequest, string>();

/** Makes the specification's first five checks, in its order, before any byte of the body is read. */
export function ingestGuards(db: Database) {
  const guards = [requireBearer, refuseOversized, requireKeyAndUsage(db)];
  return async (request: FastifyRequest) => {
    for (const guard of guards) await guard(request);
  };
}

/** Returns the owner of the API key, on a route with these guards. */
export function ingestUserId(request: FastifyRequest): string {
  const userId = users.get(request);
  if (!userId) throw new Error(`No ingest guards on ${request.routeOptions.url}`);
  return userId;
}

// HTTP strips trailing blanks from header values, so `Bearer` without a key is an empty key, not another scheme.
const matchBearer = ({ headers }: FastifyRequest) => /^Bearer(?: (.*))?$/.exec(headers.authorization ?? "");

async function requireBearer(request: FastifyRequest) {
  if (!matchBearer(request)) throw new HttpError(401, "Missing or invalid Authorization header");
}

async function refuseOversized({ headers, raw }: FastifyRequest) {
  if (Number(headers["content-length"]) > MAX_BODY_BYTES) throw tooLarge(raw);
}

function requireKeyAndUsage(db: Database) {
  return async (request: FastifyRequest) => {
    const key = matchBearer(request)?.[1]?.trim();
    if (!key) throw new HttpError(401, "Missing API key in Authorization header");
    const owner = await findKeyOwner(db, key);
    if (!owner) throw new HttpError(401, "Invalid API key");
    checkUsage(owner.usage);
    users.set(request, owner.userId);
  };
}
