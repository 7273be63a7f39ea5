import type { FastifyRequest } from "fastify";
import type { Origin } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import { callerOf } from "./guards.ts";

/** Who makes a request with a session or key, for the audit log. */
export function callerOrigin(request: FastifyRequest): Origin {
  const { userId, credentialId } = callerOf(request);
  if (userId !== undefined) return originOf(request);
  const { ip, headers } = request;
  return {
    actor: { kind: "key", id: credentialId, name: "API key" },
    ip,
    userAgent: headers["user-agent"] ?? null,
  };
}
