import {
  outcomeDefinition,
  outcomeDefinitions,
  outcomePreview,
  outcomeVersions,
  previewedDefinition,
  runOutcome,
  savedDefinition,
} from "@whytrace/contract/schemas/outcomes";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import { z } from "zod";
import { callerOf, type Guards } from "../../api-keys/guards.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { App } from "../../http/app-instance.ts";
import { BUSY_ERRORS, HttpError, TIMED_OUT } from "../../http/http-error.ts";
import { textParam } from "../../http/request/query-params.ts";
import type { Live } from "../../live/live.ts";
import { forgetDefinitions } from "../../outcomes/read-definitions.ts";
import {
  CHANGED_MEANWHILE,
  deleteDefinition,
  saveDefinition,
} from "../../trace-store/outcomes/save-definition.ts";
import { memberOf } from "../../workspaces/require-member.ts";
import { listDefinitions, listVersions } from "./list-definitions.ts";
import { CONDITION_ERRORS, parseConditions } from "./parse-conditions.ts";
import { previewDefinition } from "./preview-definition.ts";
import { readRunOutcome } from "./read-run-outcome.ts";

const NOT_FOUND = "Outcome definition not found";
const agentQuery = z.object({
  agent: textParam(
    "The name of the agent's traces, masked or not. Without it: the workspace's own definition",
  ),
});

interface OutcomeRoutesOptions {
  reads: FairDatabase;
  writes: FairDatabase;
  live: Live;
  guards: Guards;
}

/** What counts as bad, and how runs are judged. */
export function outcomeRoutes(app: App, { reads, writes, live, guards }: OutcomeRoutesOptions) {
  const onRequest = guards.read;
  const tags = ["Outcomes"];

  app.get(
    "/api/traces/:id/outcome",
    {
      onRequest,
      schema: {
        tags,
        summary: "Get how a run is judged, and why",
        params: z.object({ id: z.string() }),
        response: { 200: runOutcome },
        errors: { 404: ["Trace not found"], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const outcome = await reads.run(workspaceId, (db) =>
        readRunOutcome(db, workspaceId, request.params.id),
      );
      if (!outcome) throw new HttpError(404, "Trace not found");
      return outcome;
    },
  );

  app.get(
    "/api/outcomes",
    {
      onRequest,
      schema: {
        tags,
        summary: "List what counts as bad",
        description:
          "A run is bad if any condition of its definition is true. Agents without a definition of their own have the " +
          "workspace's. While `progress` is not null, stored runs are judged again by a new version.",
        response: { 200: outcomeDefinitions },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      return reads.run(workspaceId, (db) => listDefinitions(db, workspaceId));
    },
  );

  app.put(
    "/api/outcomes",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Define what counts as bad",
        description: "New runs follow the definition at once; stored ones are judged again, newest first.",
        body: savedDefinition,
        response: { 200: outcomeDefinition },
        errors: { 400: CONDITION_ERRORS, 409: [CHANGED_MEANWHILE], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { agent = null, note = null, version, bad } = request.body;
      const { workspaceId, user } = memberOf(request);
      const definition = { agent, note, version, bad: parseConditions(bad), createdBy: user.id };
      const saved = await writes.transaction(workspaceId, (_client, trx) =>
        saveDefinition(trx, workspaceId, definition),
      );
      forgetDefinitions(workspaceId);
      live.changed(workspaceId);
      return saved;
    },
  );

  app.delete(
    "/api/outcomes",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Take a definition back",
        description:
          "The agent then has the workspace's definition, and the workspace the one that is built in.",
        querystring: agentQuery,
        response: { 200: successSchema },
        errors: { 404: [NOT_FOUND], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { agent = null } = request.query;
      const { workspaceId, user } = memberOf(request);
      const isDeleted = await writes.transaction(workspaceId, (_client, trx) =>
        deleteDefinition(trx, workspaceId, { agent, createdBy: user.id }),
      );
      if (!isDeleted) throw new HttpError(404, NOT_FOUND);
      forgetDefinitions(workspaceId);
      live.changed(workspaceId);
      return SUCCESS;
    },
  );

  app.get(
    "/api/outcomes/versions",
    {
      onRequest,
      schema: {
        tags,
        summary: "List all versions of a definition, newest first",
        querystring: agentQuery,
        response: { 200: outcomeVersions },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const workspaceId = callerOf(request).workspaceId;
      const { agent = null } = request.query;
      return { versions: await reads.run(workspaceId, (db) => listVersions(db, workspaceId, agent)) };
    },
  );

  app.post(
    "/api/outcomes/preview",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Say what a definition would change",
        description: "Judges the newest 5,000 runs of the last 30 days, and saves nothing.",
        body: previewedDefinition,
        response: { 200: outcomePreview },
        errors: { 400: CONDITION_ERRORS, 503: [TIMED_OUT], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const { agent = null, bad } = request.body;
      const { workspaceId } = memberOf(request);
      return previewDefinition(reads, workspaceId, { agent, bad: parseConditions(bad) });
    },
  );
}
