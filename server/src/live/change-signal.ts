import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import { Coalescer } from "../concurrency/coalescer.ts";

const CHANNEL = "whytrace_changes";
const PAUSE_MS = 50;
/** A payload carries at most 8,000 bytes. */
const USERS_A_PAYLOAD = 200;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

export interface ChangeSignalOptions {
  databaseUrl: string;
  log: FastifyBaseLogger;
  /** Another process has committed changes of this user. */
  onChanged: (userId: string) => void;
  /** Signals are heard from now on; those sent before may have been missed. */
  onListening: () => void;
}

/**
 * Tells all processes on the database whose traces have changed, by NOTIFY, after the commit and on one connection of
 * its own: inside ingest's transactions it would make them take turns. A signal wakes readers and carries nothing
 * else, so one that is lost costs time and no data; nothing here is tried twice.
 */
export class ChangeSignal {
  readonly #options: ChangeSignalOptions;
  readonly #self = randomUUID();
  readonly #stopping = new AbortController();
  readonly #outgoing = new Coalescer<string>(PAUSE_MS, (userIds) => this.#notify(userIds));
  readonly #ended: Promise<void>;
  #client: pg.Client | undefined;

  constructor(options: ChangeSignalOptions) {
    this.#options = options;
    this.#ended = this.#keepListening();
  }

  send(userId: string) {
    this.#outgoing.add(userId);
  }

  /** Finds out whether the connection still works; if not, it is replaced. */
  async check(): Promise<void> {
    const client = this.#client;
    await client?.query("select 1").catch(() => client.end().catch(() => {}));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#client?.end().catch(() => {});
    await this.#ended;
  }

  async #keepListening() {
    const { signal } = this.#stopping;
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)) {
      const client = this.#newClient();
      const closed = new Promise((resolve) => client.once("end", resolve));
      try {
        await client.connect();
        // A NOTIFY is not worth waiting for the disk.
        await client.query(`set synchronous_commit = off; listen ${CHANNEL}`);
        if (signal.aborted) await client.end();
        else {
          this.#client = client;
          retryMs = FIRST_RETRY_MS;
          this.#options.onListening();
        }
        await closed;
      } catch (error) {
        if (!signal.aborted) this.#options.log.warn({ err: error }, "no connection for live updates");
        await client.end().catch(() => {});
      }
      this.#client = undefined;
      await sleep(retryMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
    }
  }

  #newClient(): pg.Client {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      application_name: "whytrace live",
      connectionTimeoutMillis: 3_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    client.on("error", () => {});
    client.on("notification", ({ payload = "" }) => {
      const [from, ...userIds] = payload.split(" ");
      if (from !== this.#self) for (const userId of userIds) this.#options.onChanged(userId);
    });
    return client;
  }

  async #notify(userIds: string[]) {
    for (let from = 0; from < userIds.length; from += USERS_A_PAYLOAD) {
      const payload = [this.#self, ...userIds.slice(from, from + USERS_A_PAYLOAD)].join(" ");
      await this.#client
        ?.query("select pg_notify($1, $2)", [CHANNEL, payload])
        .catch((error: unknown) => this.#options.log.warn({ err: error }, "live updates were not announced"));
    }
  }
}
