import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { domain, domainList, joinableList, newDomain } from "@whytrace/contract/schemas/workspaces/domains";
import { joinedWorkspace } from "@whytrace/contract/schemas/workspaces/invitations";
import { z } from "zod";
import { originOf } from "../../auth/origin-of.ts";
import { CONFIRM, CONFIRM_ERRORS, requireConfirmed } from "../../auth/require-confirmed.ts";
import { type SessionGuard, sessionOf } from "../../auth/require-session.ts";
import { UNVERIFIED } from "../../auth/require-verified.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import type { App } from "../../http/app-instance.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../../http/rate-limit.ts";
import { ALREADY_MEMBER, MEMBER_LIMIT } from "../../workspaces/memberships.ts";
import { memberOf, WORKSPACE_NOT_FOUND } from "../../workspaces/require-member.ts";
import {
  addDomain,
  checkDomain,
  DOMAIN_NOT_FOUND,
  domainExists,
  listDomains,
  RECORD_NOT_FOUND,
  removeDomain,
  TOO_MANY_DOMAINS,
} from "./domains.ts";
import { joinByDomain, listJoinable } from "./join-by-domain.ts";

/** Asks name servers. */
const CHECKS = { limit: 30, windowMs: 600_000 };

interface DomainRoutesOptions {
  db: Database;
  config: Pick<Config, "dnsServers">;
  limiter: RateLimiter;
  guard: SessionGuard;
}

/** Joining a workspace because of the domain of one's address. */
export function domainRoutes(app: App, { db, config, limiter, guard }: DomainRoutesOptions) {
  const tags = ["Members"];
  const confirmed = [guard, requireConfirmed];
  const params = z.object({ id: z.string() });
  const { dnsServers } = config;

  app.get(
    "/api/workspace/domains",
    {
      onRequest: guard,
      schema: { tags, summary: "List the domains whose people may join", response: { 200: domainList } },
    },
    async (request) => ({ domains: await listDomains(db, memberOf(request).workspaceId) }),
  );

  app.post(
    "/api/workspace/domains",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Let people of a domain join",
        description:
          "Counts when name servers have the record, and then for people whose verified address has exactly this domain. Nobody is added without asking.",
        body: newDomain,
        response: { 201: domain },
        errors: { 403: [CONFIRM, UNVERIFIED], 409: [domainExists("<domain>"), TOO_MANY_DOMAINS] },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await addDomain(db, memberOf(request), request.body, originOf(request))),
  );

  app.post(
    "/api/workspace/domains/:id/check",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Look for the record of a domain",
        description: "It is looked for again every 7 days; after three misses the domain stops working.",
        params,
        response: { 200: domain },
        errors: {
          ...CONFIRM_ERRORS,
          404: [DOMAIN_NOT_FOUND],
          409: [RECORD_NOT_FOUND],
          ...RATE_LIMIT_ERRORS,
        },
      },
    },
    async (request) => {
      const member = memberOf(request);
      await limiter.admit([{ name: "domain-checks", subject: member.workspaceId, ...CHECKS }]);
      return checkDomain({ db, dnsServers }, member, request.params.id, originOf(request));
    },
  );

  app.delete(
    "/api/workspace/domains/:id",
    {
      onRequest: confirmed,
      schema: {
        tags,
        summary: "Remove a domain",
        description: "Who has joined by it stays.",
        params,
        response: { 200: successSchema },
        errors: { ...CONFIRM_ERRORS, 404: [DOMAIN_NOT_FOUND] },
      },
    },
    async (request) => {
      await removeDomain(db, memberOf(request), request.params.id, originOf(request));
      return SUCCESS;
    },
  );

  app.get(
    "/api/account/joinable",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "List the workspaces that you may join by your address",
        response: { 200: joinableList },
      },
    },
    async (request) => ({ workspaces: await listJoinable(db, sessionOf(request).user) }),
  );

  app.post(
    "/api/account/joinable/:id",
    {
      onRequest: guard,
      schema: {
        tags,
        summary: "Join a workspace by your address",
        params,
        response: { 200: joinedWorkspace },
        errors: { 404: [WORKSPACE_NOT_FOUND], 409: [ALREADY_MEMBER, MEMBER_LIMIT] },
      },
    },
    async (request) => ({
      workspace: await joinByDomain(db, sessionOf(request).user, request.params.id, originOf(request)),
    }),
  );
}
