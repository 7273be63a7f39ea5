import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { Provider } from "./provider.ts";
import { syncSubscription } from "./sync-subscription.ts";

const MIN_PAUSE_MS = 60_000;

interface ReconcilerOptions {
  db: Database;
  /** Without one there is nothing to compare with. */
  provider: Provider | undefined;
  freeSessionsPerDay: number;
  log: FastifyBaseLogger;
}

/** Compares a user's subscription with the provider's, in case a webhook was lost. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** Users checked within the last minute, so that a blocked client does not cause a query per request. */
  #recent = new Set<string>();
  #recentSince = 0;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** In the background, at most once a minute per user: for a user who is at the limit or looks at the plan. */
  request(workspaceId: WorkspaceId): void {
    const { provider, log } = this.#options;
    if (!provider || this.#isRecent(workspaceId)) return;
    this.#reconcile(workspaceId, provider).catch((err) =>
      log.warn({ err }, "subscription not reconciled; will retry"),
    );
  }

  #isRecent(workspaceId: WorkspaceId): boolean {
    if (Date.now() - this.#recentSince > MIN_PAUSE_MS) {
      this.#recent = new Set();
      this.#recentSince = Date.now();
    }
    if (this.#recent.has(workspaceId)) return true;
    this.#recent.add(workspaceId);
    return false;
  }

  async #reconcile(workspaceId: WorkspaceId, provider: Provider) {
    const { db, freeSessionsPerDay } = this.#options;
    const { rows } = await sql<{ customerId: string }>`
      update billing_customers set reconciled_at = now()
      where workspace_id = ${workspaceId} and reconciled_at < now() - interval '1 minute'
      returning customer_id`.execute(db);
    for (const { customerId } of rows)
      await syncSubscription({ db, calls: provider.withinDeadline(), freeSessionsPerDay }, customerId);
  }
}
