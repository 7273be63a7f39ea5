import { hash32FromHex, signatureFromHex } from "@whytrace/contract";
import { decisionRule, decisionRuleList, newDecisionRule } from "@whytrace/contract/schemas/insights/rules";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import { callerOf } from "../../api-keys/guards.ts";
import { originOf } from "../../auth/origin-of.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../http/http-error.ts";
import { memberOf } from "../../workspaces/require-member.ts";
import type { InsightsOptions } from "../insights-options.ts";
import { deleteDecisionRule } from "./delete-decision-rule.ts";
import { listDecisionRules } from "./list-decision-rules.ts";
import { saveDecisionRule, TOO_MANY_RULES } from "./save-decision-rule.ts";

const NO_SUCH_RULE = "Rule not found";

/** Decision contracts: rules that GET /api/insights/drift checks. */
export function ruleRoutes(app: App, { reads, guards }: InsightsOptions) {
  const onRequest = guards.read;
  const tags = ["Insights"];

  app.get(
    "/api/insights/rules",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your decision rules",
        description:
          "GET /api/insights/drift checks them, and the command `whytrace drift --fail` in a CI job.",
        response: { 200: decisionRuleList },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      return { rules: await reads.run(workspaceId, (db) => listDecisionRules(db, workspaceId)) };
    },
  );

  app.post(
    "/api/insights/rules",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Add a decision rule",
        description:
          "Forbids an option of a decision, or limits how often it is chosen. Replaces your rule of the same kind for the same " +
          "option of the same agent.",
        body: newDecisionRule,
        response: { 201: decisionRule },
        errors: { 409: [TOO_MANY_RULES], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const session = memberOf(request);
      const { signature, step, minShare = null, maxShare = null, note = null, ...rule } = request.body;
      const hashes = { signature: signatureFromHex(signature) ?? 0, step: hash32FromHex(step) ?? 0 };
      const saved = await reads.run(session.workspaceId, (db) =>
        saveDecisionRule(db, session, { ...rule, ...hashes, minShare, maxShare, note }, originOf(request)),
      );
      return reply.status(201).send(saved);
    },
  );

  app.delete(
    "/api/insights/rules/:id",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Delete a decision rule",
        params: z.object({ id: z.string() }),
        response: { 200: successSchema },
        errors: { 404: [NO_SUCH_RULE], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const { id } = request.params;
      const origin = originOf(request);
      if (!(await reads.run(workspaceId, (db) => deleteDecisionRule(db, workspaceId, id, origin))))
        throw new HttpError(404, NO_SUCH_RULE);
      return SUCCESS;
    },
  );
}
