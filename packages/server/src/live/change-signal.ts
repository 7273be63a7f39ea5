import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import pg from "pg";
import { Coalescer } from "../concurrency/coalescer.ts";
import { asWorkspaceId, type WorkspaceId } from "../db/workspace-id.ts";

const CHANNEL = "whytrace_changes";
const PAUSE_MS = 50;
/** A NOTIFY payload has at most 8,000 bytes; a change takes up to 44. */
const MAX_CHANGES_PER_PAYLOAD = 175;
/** Before the id of a workspace whose issues changed. Servers that do not know it take it for a workspace without readers. */
const ISSUES = "issues:";
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

interface ChangeSignalOptions {
  databaseUrl: string;
  log: FastifyBaseLogger;
  /** Another process has committed changes to this workspace's traces. */
  onChanged: (workspaceId: WorkspaceId) => void;
  /** Another process has committed changes to this workspace's issues. */
  onIssuesChanged: (workspaceId: WorkspaceId) => void;
  /** The connection now receives signals; earlier ones may have been missed. */
  onListening: () => void;
}

/**
 * Notifies all processes on the database whose traces have changed. Runs NOTIFY after the commit on its own connection,
 * because NOTIFY inside ingest transactions would serialize them. A signal contains only workspace ids, so a lost signal
 * delays updates but loses no data, and is not retried.
 */
export class ChangeSignal {
  readonly #options: ChangeSignalOptions;
  readonly #processId = randomUUID();
  readonly #stopping = new AbortController();
  readonly #outgoing = new Coalescer<string>(PAUSE_MS, (changed) => this.#notify(changed));
  readonly #ended: Promise<void>;
  #client: pg.Client | undefined;

  constructor(options: ChangeSignalOptions) {
    this.#options = options;
    this.#ended = this.#keepListening();
  }

  send(workspaceId: WorkspaceId) {
    this.#outgoing.add(workspaceId);
  }

  sendIssues(workspaceId: WorkspaceId) {
    this.#outgoing.add(`${ISSUES}${workspaceId}`);
  }

  /** Tests the connection and replaces it if it is broken. */
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
    for (let retryMs = MIN_RETRY_MS; !signal.aborted; retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)) {
      const client = this.#newClient();
      const closed = new Promise((resolve) => client.once("end", resolve));
      try {
        await client.connect();
        // NOTIFY does not need to wait for a disk flush.
        await client.query(`set synchronous_commit = off; listen ${CHANNEL}`);
        if (signal.aborted) await client.end();
        else {
          this.#client = client;
          retryMs = MIN_RETRY_MS;
          this.#options.onListening();
        }
        await closed;
      } catch (error) {
        if (!signal.aborted)
          this.#options.log.warn({ err: error }, "connection for live updates failed; will retry");
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
      const [senderId, ...changed] = payload.split(" ");
      if (senderId === this.#processId) return;
      for (const one of changed)
        if (one.startsWith(ISSUES)) this.#options.onIssuesChanged(asWorkspaceId(one.slice(ISSUES.length)));
        else this.#options.onChanged(asWorkspaceId(one));
    });
    return client;
  }

  async #notify(changed: string[]) {
    for (let start = 0; start < changed.length; start += MAX_CHANGES_PER_PAYLOAD) {
      const payload = [this.#processId, ...changed.slice(start, start + MAX_CHANGES_PER_PAYLOAD)].join(" ");
      await this.#client
        ?.query("select pg_notify($1, $2)", [CHANNEL, payload])
        .catch((error: unknown) =>
          this.#options.log.warn({ err: error }, "notification of live updates failed"),
        );
    }
  }
}
