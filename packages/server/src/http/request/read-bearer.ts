import type { FastifyRequest } from "fastify";

/**
 * The token of the header `Authorization: Bearer`; undefined without one. HTTP strips trailing blanks from header values,
 * so `Bearer` alone is an empty token, not another scheme.
 */
export function readBearer({ headers }: FastifyRequest): string | undefined {
  const match = /^Bearer(?: (.*))?$/.exec(headers.authorization ?? "");
  return match ? (match[1]?.trim() ?? "") : undefined;
}
