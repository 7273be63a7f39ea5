import { parseInstant } from "@whytrace/contract";
import {
  alertRule,
  alertRuleList,
  incidentList,
  maintenance,
  maintenanceList,
  mutedRule,
  newMaintenance,
  ruleBody,
  ruleMute,
  rulePreview,
} from "@whytrace/contract/schemas/alerts/rules";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import { recordEvent } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { limitParam, pageParam, textParam } from "../http/request/query-params.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { listIncidents } from "./list-incidents.ts";
import {
  addMaintenance,
  deleteMaintenance,
  listMaintenance,
  MAINTENANCE_IS_OVER,
  MAINTENANCE_LIMIT_REACHED,
  MAINTENANCE_NOT_FOUND,
  MAINTENANCE_RANGE,
  parseMaintenance,
} from "./maintenance.ts";
import { previewRule } from "./preview/preview-rule.ts";
import { parseRule, RULE_ERRORS } from "./rules/parse-rule.ts";
import {
  changeRule,
  createRule,
  deleteRule,
  muteRule,
  type NamedRule,
  RULE_LIMIT_REACHED,
} from "./rules/save-rule.ts";
import { describeRule, RULE_NOT_FOUND, readRules } from "./rules/stored-rule.ts";

const PREVIEWS = { limit: 10, windowMs: 60_000 };
const MAX_MUTE_DAYS = 90;
const MUTED_IN_THE_PAST = "until must be in the future";
const MUTED_TOO_LONG = `until must be at most ${MAX_MUTE_DAYS} days from now`;

const params = z.object({ id: z.string() });
const NOT_FOUND = { 404: [RULE_NOT_FOUND], ...BUSY_ERRORS };
const FAULTS = Object.values(RULE_ERRORS);

interface AlertRoutesOptions {
  reads: FairDatabase;
  writes: FairDatabase;
  guards: Guards;
  limiter: RateLimiter;
}

/** Rules on the figures of agents, when they fired, and when they are silent. */
export function alertRoutes(app: App, { reads, writes, guards, limiter }: AlertRoutesOptions) {
  const tags = ["Alerts"];
  const onRequest = guards.session;
  const change = <T>(
    request: FastifyRequest,
    work: (trx: Database, workspaceId: WorkspaceId, userId: string) => Promise<T>,
  ): Promise<T> => {
    const { workspaceId, user } = memberOf(request);
    return writes.transaction(workspaceId, (_client, trx) => work(trx, workspaceId, user.id));
  };
  /** Changes a rule, and records it. */
  const changeNamed = <T extends NamedRule>(
    request: FastifyRequest,
    named: "created" | "changed" | "muted" | "unmuted" | "deleted",
    work: (trx: Database, workspaceId: WorkspaceId, userId: string) => Promise<T>,
  ): Promise<T> =>
    change(request, async (trx, workspaceId, userId) => {
      const rule = await work(trx, workspaceId, userId);
      // Last: what is written to the directory may stay if the transaction fails.
      await recordEvent(trx.directory, workspaceId, originOf(request), {
        action: "alert-rule.changed",
        target: { kind: "alert-rule", id: rule.id, name: rule.name },
        details: { change: named },
      });
      return rule;
    });
  const read = <T>(
    request: FastifyRequest,
    work: (db: Database, workspaceId: WorkspaceId) => Promise<T>,
  ): Promise<T> => {
    const { workspaceId } = callerOf(request);
    return reads.run(workspaceId, (own) => work(own, workspaceId));
  };

  app.get(
    "/api/alerts/rules",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "List your alert rules with their states",
        response: { 200: alertRuleList },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => ({ rules: (await read(request, readRules)).map(describeRule) }),
  );

  app.post(
    "/api/alerts/rules",
    {
      onRequest,
      schema: {
        tags,
        summary: "Create an alert rule",
        description:
          "A rule is checked every minute. It fires when its condition has held for `forMinutes`, and recovers when it has not held for as long.",
        body: ruleBody,
        response: { 201: alertRule },
        errors: { 400: FAULTS, 409: [RULE_LIMIT_REACHED], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const rule = parseRule(request.body);
      const created = await changeNamed(request, "created", (trx, workspaceId, userId) =>
        createRule(trx, workspaceId, rule, userId),
      );
      reply.status(201);
      return created;
    },
  );

  app.post(
    "/api/alerts/rules/preview",
    {
      onRequest,
      schema: {
        tags,
        summary: "Say when a rule would have fired in the last 30 days",
        description: "Stores nothing. Counts at most a million runs: with more, `from` is later.",
        body: ruleBody,
        response: { 200: rulePreview },
        errors: { 400: FAULTS, 429: [...BUSY_ERRORS[429], ...RATE_LIMIT_ERRORS[429]] },
      },
    },
    async (request) => {
      const rule = parseRule(request.body);
      const { workspaceId } = memberOf(request);
      await limiter.admit([{ name: "alert previews", subject: workspaceId, ...PREVIEWS }]);
      return read(request, (db) => previewRule(db, workspaceId, rule, Date.now()));
    },
  );

  app.patch(
    "/api/alerts/rules/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Change an alert rule",
        description:
          "If its condition becomes another one, the rule begins anew, and its incident ends without a message.",
        params,
        body: ruleBody,
        response: { 200: alertRule },
        errors: { 400: FAULTS, ...NOT_FOUND },
      },
    },
    async (request) =>
      changeNamed(request, "changed", (trx, workspaceId) =>
        changeRule(trx, workspaceId, request.params.id, request.body),
      ),
  );

  app.delete(
    "/api/alerts/rules/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete an alert rule",
        params,
        response: { 200: successSchema },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      await changeNamed(request, "deleted", (trx, workspaceId) =>
        deleteRule(trx, workspaceId, request.params.id),
      );
      return SUCCESS;
    },
  );

  app.post(
    "/api/alerts/rules/:id/mute",
    {
      onRequest,
      schema: {
        tags,
        summary: "Mute a rule: it changes its state without a message",
        params,
        body: ruleMute,
        response: { 200: mutedRule },
        errors: { 400: [MUTED_IN_THE_PAST, MUTED_TOO_LONG], ...NOT_FOUND },
      },
    },
    async (request) => {
      const mutedUntil = parseUntil(request.body.until, Date.now());
      await changeNamed(request, "muted", (trx, workspaceId) =>
        muteRule(trx, workspaceId, request.params.id, mutedUntil),
      );
      return { mutedUntil };
    },
  );

  app.delete(
    "/api/alerts/rules/:id/mute",
    {
      onRequest,
      schema: {
        tags,
        summary: "End the mute of a rule",
        params,
        response: { 200: successSchema },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      await changeNamed(request, "unmuted", (trx, workspaceId) =>
        muteRule(trx, workspaceId, request.params.id, null),
      );
      return SUCCESS;
    },
  );

  app.get(
    "/api/alerts/incidents",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "List when rules fired, newest first",
        description: "Incidents are kept for 90 days.",
        querystring: z.object({
          ruleId: textParam("Only those of this rule"),
          page: pageParam,
          limit: limitParam,
        }),
        response: { 200: incidentList },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => read(request, (db, workspaceId) => listIncidents(db, workspaceId, request.query)),
  );

  app.get(
    "/api/alerts/maintenance",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "List maintenance that is under way or planned",
        response: { 200: maintenanceList },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => ({ maintenance: await read(request, listMaintenance) }),
  );

  app.post(
    "/api/alerts/maintenance",
    {
      onRequest,
      schema: {
        tags,
        summary: "Plan maintenance: rules change their state without a message",
        description: "What still fires at its end is said then.",
        body: newMaintenance,
        response: { 201: maintenance },
        errors: {
          400: [MAINTENANCE_RANGE, MAINTENANCE_IS_OVER],
          409: [MAINTENANCE_LIMIT_REACHED],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const range = parseMaintenance(request.body, Date.now());
      const planned = { ...range, note: request.body.note ?? null };
      const added = await change(request, (trx, workspaceId, userId) =>
        addMaintenance(trx, workspaceId, planned, userId),
      );
      reply.status(201);
      return added;
    },
  );

  app.delete(
    "/api/alerts/maintenance/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete maintenance",
        params,
        response: { 200: successSchema },
        errors: { 404: [MAINTENANCE_NOT_FOUND], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      await change(request, (trx, workspaceId) => deleteMaintenance(trx, workspaceId, request.params.id));
      return SUCCESS;
    },
  );
}

function parseUntil(text: unknown, nowMs: number): string {
  const until = typeof text === "string" ? parseInstant(text) : undefined;
  if (until === undefined || until <= nowMs) throw new HttpError(400, MUTED_IN_THE_PAST);
  if (until > nowMs + MAX_MUTE_DAYS * 24 * 3_600_000) throw new HttpError(400, MUTED_TOO_LONG);
  return new Date(until).toISOString();
}
