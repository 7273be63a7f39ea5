import {
  changedChannel,
  channelList,
  createdChannel,
  DELIVERY_STATES,
  deliveryList,
  newChannel,
  resentDelivery,
  rotatedSecret,
  sentTest,
} from "@whytrace/contract/schemas/alerts/channels";
import { SUCCESS, successSchema } from "@whytrace/contract/schemas/success";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Guards } from "../api-keys/guards.ts";
import { recordEvent } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import { lockSession } from "../auth/sessions.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import { RATE_LIMIT_ERRORS, type RateLimiter } from "../http/rate-limit.ts";
import { enumParam, limitParam, pageParam } from "../http/request/query-params.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { URL_ERRORS } from "./address/parse-channel-url.ts";
import { listChannels } from "./list-channels.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { messageId } from "./message-id.ts";
import { BODY_ERASED, DELIVERY_NOT_FOUND, NOT_FINISHED, resendDelivery } from "./resend-delivery.ts";
import { endPreviousSecret, NOT_SIGNED, ROTATION_UNDER_WAY, rotateSecret } from "./rotate-secret.ts";
import {
  CHANNEL_LIMIT_REACHED,
  changeChannel,
  createChannel,
  deleteChannel,
  parseChangedChannel,
  parseNewChannel,
  SECRET_MISSING,
} from "./save-channel.ts";
import { SecretBox } from "./secret-box.ts";
import { CHANNEL_NOT_FOUND, describeChannel, type StoredChannel } from "./stored-channel.ts";
import { CHANNEL_DISABLED, testChannel } from "./test-channel.ts";

const TESTS = { limit: 10, windowMs: 60_000 };
/** Checking an address asks name servers. */
const SAVES = { limit: 60, windowMs: 60_000 };
const SWITCHED_OFF = "Channels are switched off on this server";

const params = z.object({ id: z.string() });
const NOT_FOUND = { 404: [CHANNEL_NOT_FOUND], ...BUSY_ERRORS };
const FAULTS = [...Object.values(URL_ERRORS), SECRET_MISSING];

interface ChannelRoutesOptions {
  reads: FairDatabase;
  writes: FairDatabase;
  guards: Guards;
  limiter: RateLimiter;
  config: Pick<Config, "webhooks" | "secretsKey">;
}

const describeWithSecret = ({ channel, secret }: { channel: StoredChannel; secret: string | undefined }) => ({
  ...describeChannel(channel),
  ...(secret !== undefined && { secret }),
});

/** Where messages about issues and alerts go. */
export function channelRoutes(app: App, { reads, writes, guards, limiter, config }: ChannelRoutesOptions) {
  const tags = ["Channels"];
  const onRequest = guards.person;
  const secrets = new SecretBox(config.secretsKey);
  const rules = config.webhooks;
  const change = <T>(
    request: FastifyRequest,
    work: (trx: Database, workspaceId: WorkspaceId) => Promise<T>,
  ): Promise<T> => {
    const { workspaceId } = memberOf(request);
    return writes.transaction(workspaceId, (_client, trx) => work(trx, workspaceId));
  };
  /** Comes last in a transaction: what is written to the directory may stay if the transaction fails. */
  const record = (
    trx: Database,
    request: FastifyRequest,
    change: string,
    { id, name }: { id: string; name: string },
  ) =>
    recordEvent(trx.directory, memberOf(request).workspaceId, originOf(request), {
      action: "webhook.changed",
      target: { kind: "channel", id, name },
      details: { change },
    });
  const admitSave = async (request: FastifyRequest) => {
    if (!rules.isOn) throw new HttpError(403, SWITCHED_OFF);
    await limiter.admit([{ name: "channels", subject: memberOf(request).workspaceId, ...SAVES }]);
  };

  app.get(
    "/api/alerts/channels",
    {
      onRequest,
      schema: {
        tags,
        summary: "List your channels",
        response: { 200: channelList },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const { workspaceId } = memberOf(request);
      return { channels: await reads.run(workspaceId, (own) => listChannels(own, workspaceId)) };
    },
  );

  app.post(
    "/api/alerts/channels",
    {
      onRequest,
      schema: {
        tags,
        summary: "Create a channel",
        description:
          "The response has the secret that signs the messages of a webhook, this once. Messages go to public addresses with https.",
        body: newChannel,
        response: { 201: createdChannel },
        errors: {
          400: FAULTS,
          403: [SWITCHED_OFF],
          409: [CHANNEL_LIMIT_REACHED],
          429: [...BUSY_ERRORS[429], ...RATE_LIMIT_ERRORS[429]],
        },
      },
    },
    async (request, reply) => {
      await admitSave(request);
      const parsed = await parseNewChannel(request.body, rules);
      const { id: sessionId, user } = memberOf(request);
      const createdBy = user.id;
      const created = await change(request, async (trx, workspaceId) => {
        if (!(await lockSession(trx.directory, sessionId))) throw new HttpError(401, "Unauthorized");
        const made = await createChannel(trx, workspaceId, parsed, { secrets, createdBy });
        await record(trx, request, "created", made.channel);
        return made;
      });
      reply.status(201);
      return describeWithSecret(created);
    },
  );

  app.patch(
    "/api/alerts/channels/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Change a channel",
        description:
          "A secret belongs to the scheme, host and port of the address. For another one, a webhook gets a new secret, which the response has this once, and a pager needs its `secret` again.",
        params,
        body: changedChannel,
        response: { 200: createdChannel },
        errors: {
          ...NOT_FOUND,
          400: FAULTS,
          403: [SWITCHED_OFF],
          429: [...BUSY_ERRORS[429], ...RATE_LIMIT_ERRORS[429]],
        },
      },
    },
    async (request) => {
      await admitSave(request);
      const parsed = await parseChangedChannel(request.body, rules);
      return describeWithSecret(
        await change(request, async (trx, workspaceId) => {
          const changed = await changeChannel(trx, workspaceId, request.params.id, parsed, secrets);
          await record(trx, request, "changed", changed.channel);
          return changed;
        }),
      );
    },
  );

  app.delete(
    "/api/alerts/channels/:id",
    {
      onRequest,
      schema: {
        tags,
        summary: "Delete a channel with its log",
        params,
        response: { 200: successSchema },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      await change(request, async (trx, workspaceId) => {
        await record(trx, request, "deleted", await deleteChannel(trx, workspaceId, request.params.id));
      });
      return SUCCESS;
    },
  );

  app.post(
    "/api/alerts/channels/:id/test",
    {
      onRequest,
      schema: {
        tags,
        summary: "Send a test message",
        params,
        response: { 200: sentTest },
        errors: {
          ...NOT_FOUND,
          409: [CHANNEL_DISABLED],
          429: [...BUSY_ERRORS[429], ...RATE_LIMIT_ERRORS[429]],
        },
      },
    },
    async (request) => {
      const { workspaceId } = memberOf(request);
      await limiter.admit([
        { name: "channel tests", subject: `${workspaceId} ${request.params.id}`, ...TESTS },
      ]);
      return { deliveryId: await change(request, (trx, own) => testChannel(trx, own, request.params.id)) };
    },
  );

  app.post(
    "/api/alerts/channels/:id/secret",
    {
      onRequest,
      schema: {
        tags,
        summary: "Give a webhook another secret",
        description: "For 24 hours, messages have the signatures of both secrets.",
        params,
        response: { 200: rotatedSecret },
        errors: { ...NOT_FOUND, 409: [ROTATION_UNDER_WAY, NOT_SIGNED] },
      },
    },
    async (request) =>
      change(request, async (trx, workspaceId) => {
        const { channel: rotated, ...secret } = await rotateSecret(
          trx,
          workspaceId,
          request.params.id,
          secrets,
        );
        await record(trx, request, "secret-rotated", rotated);
        return secret;
      }),
  );

  app.delete(
    "/api/alerts/channels/:id/secret/previous",
    {
      onRequest,
      schema: {
        tags,
        summary: "End the previous secret of a webhook now",
        params,
        response: { 200: successSchema },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      await change(request, async (trx, workspaceId) => {
        const ended = await endPreviousSecret(trx, workspaceId, request.params.id);
        await record(trx, request, "previous-secret-ended", ended);
      });
      return SUCCESS;
    },
  );

  app.get(
    "/api/alerts/channels/:id/deliveries",
    {
      onRequest,
      schema: {
        tags,
        summary: "List the messages to a channel, newest first",
        description: "Bodies are kept for 7 days, messages and attempts for 30.",
        params,
        querystring: z.object({
          state: enumParam("state", DELIVERY_STATES, "Only messages in this state"),
          page: pageParam,
          limit: limitParam,
        }),
        response: { 200: deliveryList },
        errors: NOT_FOUND,
      },
    },
    async (request) => {
      const { workspaceId } = memberOf(request);
      const query = { ...request.query, channelId: request.params.id };
      return reads.run(workspaceId, (own) => listDeliveries(own, workspaceId, query));
    },
  );

  app.post(
    "/api/alerts/deliveries/:id/resend",
    {
      onRequest,
      schema: {
        tags,
        summary: "Send a message again, with the same id and body",
        params,
        response: { 202: resentDelivery },
        errors: {
          404: [DELIVERY_NOT_FOUND],
          409: [BODY_ERASED, NOT_FINISHED, CHANNEL_DISABLED],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { id } = await change(request, (trx, workspaceId) =>
        resendDelivery(trx, workspaceId, request.params.id),
      );
      reply.status(202);
      return { id, messageId: messageId(id) };
    },
  );
}
