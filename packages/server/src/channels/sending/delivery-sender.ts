import type { DeliveryState } from "@whytrace/contract/schemas/alerts/channels";
import type { RateLimit } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { readWorkspaceAddress } from "../../workspaces/workspace-address.ts";
import type { AddressRules } from "../address/check-address.ts";
import { disableChannel } from "../disable-channel.ts";
import { messageId } from "../message-id.ts";
import type { StoredEvent } from "../messages/message.ts";
import { renderRequest, requestUrl } from "../messages/render-request.ts";
import type { SecretBox } from "../secret-box.ts";
import { signWebhook } from "../sign-webhook.ts";
import { isChat } from "../stored-channel.ts";
import { finishDelivery } from "./finish-delivery.ts";
import { type LeasedDelivery, leaseDeliveries, workspacesWithDue } from "./lease-deliveries.ts";
import { type Attempt, postMessage } from "./post-message.ts";

const MAX_SENDING = 8;
const MAX_WORKSPACES = 100;

const SECRET_IS_LOST = "Its secret cannot be decrypted: SECRETS_KEY has changed";
const ERASED = "The message was erased with the run that it names";

interface DeliverySenderOptions {
  db: Database;
  secrets: SecretBox;
  rules: AddressRules;
  retriesMs: readonly number[];
  burst: RateLimit;
  publicUrl: string;
  log: { warn(fields: object, message: string): void };
  onAttempt: (attempt: Attempt, state: DeliveryState | undefined) => void;
}

/**
 * Sends messages that are due. States of a delivery: waiting → sending, with a lease → delivered; or retrying, until the last attempt
 * has failed: failed. Dropped: its channel was disabled, or its run was deleted. A message is sent at least once: if this process dies
 * after the receiver took it, it is sent again with the same id.
 */
export class DeliverySender {
  readonly #options: DeliverySenderOptions;
  /** The messages on their way, each with its workspace. */
  readonly #sending = new Map<Promise<void>, WorkspaceId>();

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  /** Starts to send what is due, as far as there is room. Does not wait for receivers, nor for a workspace that fails. */
  async run(stopping: AbortSignal): Promise<void> {
    const { db, burst, log } = this.#options;
    if (this.#sending.size >= MAX_SENDING) return;
    for (const workspaceId of await workspacesWithDue(db, MAX_WORKSPACES)) {
      if (this.#sending.size >= MAX_SENDING || stopping.aborted) return;
      const room = this.#roomOf(workspaceId);
      if (room === 0) continue;
      try {
        for (const delivery of await leaseDeliveries(await db.of(workspaceId), workspaceId, { room, burst }))
          this.#start(delivery);
      } catch (err) {
        log.warn({ err, workspaceId }, "messages of a workspace were not sent; will retry");
      }
    }
  }

  /**
   * How many more messages of a workspace may be on their way: one, or so many that as many places stay free for others. Receivers
   * that never answer hold places for long.
   */
  #roomOf(workspaceId: WorkspaceId): number {
    const own = [...this.#sending.values()].filter((one) => one === workspaceId).length;
    const free = MAX_SENDING - this.#sending.size;
    return Math.max(own === 0 ? 1 : 0, Math.floor((free - own) / 2));
  }

  /** Waits for the messages on their way. */
  async drain(): Promise<void> {
    await Promise.all(this.#sending.keys());
  }

  #start(delivery: LeasedDelivery) {
    const { log } = this.#options;
    const sending = this.#send(delivery)
      // The lease ends, and another attempt follows.
      .catch((err: unknown) =>
        log.warn({ err, deliveryId: delivery.id }, "a delivery was interrupted; will retry"),
      )
      .finally(() => this.#sending.delete(sending));
    this.#sending.set(sending, delivery.workspaceId);
  }

  async #send(delivery: LeasedDelivery): Promise<void> {
    const { db, secrets, rules, retriesMs, publicUrl, onAttempt } = this.#options;
    const { workspaceId, kind, request: known } = delivery;
    const own = await db.of(workspaceId);
    const events = delivery.events.filter((event): event is StoredEvent => event.payload !== null);
    const [event] = events;
    if (!event || delivery.events[0]?.payload === null) return this.#giveUp(own, delivery, ERASED);
    const opened = delivery.secret && secrets.open(workspaceId, delivery.secret);
    if (opened === undefined) {
      await transaction(own, (trx) =>
        disableChannel(trx, workspaceId, delivery.channelId, { reason: SECRET_IS_LOST, publicUrl }),
      );
      return this.#giveUp(own, delivery, SECRET_IS_LOST);
    }
    const workspace = await readWorkspaceAddress(db.directory, workspaceId, publicUrl);
    const context = { workspaceId, workspace };
    const request = known ?? renderRequest(kind, [event, ...events.slice(1)], context);
    const url = requestUrl(kind, isChat(kind) ? (opened ?? "") : delivery.url, event, context);
    const attempt = await postMessage(new URL(url), this.#secure(delivery, request, opened), rules);
    onAttempt(attempt, await finishDelivery(own, delivery, { attempt, request }, { retriesMs, publicUrl }));
  }

  /** Adds what only the receiver may see: signature, routing key, API key. */
  #secure(
    { workspaceId, id, kind, previousSecret }: LeasedDelivery,
    request: string,
    secret: string | null,
  ): { headers: Record<string, string>; body: string } {
    if (secret === null) return { headers: {}, body: request };
    if (kind === "webhook") {
      const previous = previousSecret && this.#options.secrets.open(workspaceId, previousSecret);
      const message = { id: messageId(id), timestamp: Math.floor(Date.now() / 1_000), body: request };
      return { headers: signWebhook(message, previous ? [secret, previous] : [secret]), body: request };
    }
    if (kind === "pagerduty")
      return { headers: {}, body: JSON.stringify({ routing_key: secret, ...JSON.parse(request) }) };
    if (kind === "opsgenie") return { headers: { authorization: `GenieKey ${secret}` }, body: request };
    return { headers: {}, body: request };
  }

  async #giveUp(own: Database, delivery: LeasedDelivery, error: string): Promise<void> {
    const attempt: Attempt = {
      status: null,
      error,
      response: null,
      address: null,
      durationMs: 0,
      retryAfterSeconds: null,
      isRefusedAddress: false,
    };
    const { publicUrl, onAttempt } = this.#options;
    const options = { retriesMs: [], publicUrl };
    onAttempt(attempt, await finishDelivery(own, delivery, { attempt, request: null }, options));
  }
}
