import { maskText } from "@whytrace/contract";
import {
  newSituationKeys,
  situationKeyList,
  situationKeys,
} from "@whytrace/contract/schemas/insights/findings";
import { z } from "zod";
import { callerOf } from "../../../api-keys/guards.ts";
import { agentHash } from "../../../decision-facts/agent-hash.ts";
import type { App } from "../../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../../../http/http-error.ts";
import { textParam } from "../../../http/request/query-params.ts";
import type { InsightsOptions } from "../../insights-options.ts";
import { readSituationKeys, saveSituationKeys, TOO_MANY_AGENTS } from "./situation-keys.ts";
import { suggestSituationKeys } from "./suggest-situation-keys.ts";

const NO_AGENT = "agent is required";
const querystring = z.object({
  agent: textParam("The name of the agent's traces, with changing parts masked as #"),
});

export function situationRoutes(app: App, { reads, guards }: InsightsOptions) {
  const tags = ["Insights"];

  app.get(
    "/api/insights/situation-keys",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "List the situation keys of an agent",
        description:
          "Findings compare only runs whose values of these keys are the same, such as the kind of a customer's question.",
        querystring,
        response: { 200: situationKeyList },
        errors: { 400: [NO_AGENT], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const agent = parseAgent(request.query.agent);
      const hash = agentHash(agent);
      return reads.run(workspaceId, async (db) => ({
        agent,
        keys: await readSituationKeys(db, workspaceId, hash),
        suggestions: await suggestSituationKeys(db, workspaceId, hash),
      }));
    },
  );

  app.put(
    "/api/insights/situation-keys",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Set the situation keys of an agent",
        description:
          "At most three keys, whose values are known before the agent decides anything: nothing that a choice can change. " +
          "Findings of the agent are computed again.",
        querystring,
        body: newSituationKeys,
        response: { 200: situationKeys },
        errors: { 400: [NO_AGENT], 409: [TOO_MANY_AGENTS], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const agent = parseAgent(request.query.agent);
      const { keys } = request.body;
      await reads.run(workspaceId, (db) =>
        saveSituationKeys(db, workspaceId, { agentHash: agentHash(agent), agent, keys }),
      );
      return { agent, keys };
    },
  );
}

/** Masked as names of traces are, so that it is stored within their limit. */
function parseAgent(agent: string | undefined): string {
  if (agent === undefined) throw new HttpError(400, NO_AGENT);
  return maskText(agent);
}
