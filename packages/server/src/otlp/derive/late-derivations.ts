import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { postponeDerivation } from "../../trace-store/merge/merge-statements.ts";
import { MAX_SPANS_DERIVED_HERE } from "../../trace-store/store/store-requests.ts";
import type { TraceStore } from "../../trace-store/store/store-traces.ts";
import { deriveTraceLate } from "./derive-trace-late.ts";

const TRACES_AT_ONCE = 20;
const USERS_AT_ONCE = 1_000;
/** After a large trace, as many times as long as it took: large bodies are stored in the same thread. */
const REST = 4;

interface LateDerivationsOptions {
  db: Database;
  store: TraceStore;
  /** Derives a large trace in another thread. */
  deriveLarge(workspaceId: WorkspaceId, traceId: string): Promise<void>;
  log: FastifyBaseLogger;
}

interface DueTrace {
  workspaceId: WorkspaceId;
  id: string;
}

/** Derives traces whose spans have come in many pieces, when no span has come for a while. */
export class LateDerivations {
  readonly #options: LateDerivationsOptions;
  #restsUntil = 0;

  constructor(options: LateDerivationsOptions) {
    this.#options = options;
  }

  async run(stopping: AbortSignal): Promise<void> {
    const { db, store, deriveLarge } = this.#options;
    const { rows: small } = await sql<DueTrace>`
      select workspace_id, id from traces
      where derive_after < now() and span_count <= ${MAX_SPANS_DERIVED_HERE}
      order by derive_after limit ${TRACES_AT_ONCE}`.execute(db);
    for (const trace of small)
      await this.#derive(trace, stopping, () => deriveTraceLate(store, trace.workspaceId, trace.id));

    if (performance.now() < this.#restsUntil || stopping.aborted) return;
    const large = await this.#nextLarge();
    if (!large) return;
    const startedAt = performance.now();
    await this.#derive(large, stopping, () => deriveLarge(large.workspaceId, large.id));
    this.#restsUntil = performance.now() + REST * (performance.now() - startedAt);
  }

  /** A trace of any of the users who have one, so that nobody waits for all traces of another user. */
  async #nextLarge(): Promise<DueTrace | undefined> {
    const { rows } = await sql<DueTrace>`
      select distinct on (workspace_id) workspace_id, id from traces
      where derive_after < now() and span_count > ${MAX_SPANS_DERIVED_HERE}
      order by workspace_id, derive_after limit ${USERS_AT_ONCE}`.execute(this.#options.db);
    return rows[Math.floor(Math.random() * rows.length)];
  }

  async #derive({ workspaceId, id }: DueTrace, stopping: AbortSignal, derive: () => Promise<void>) {
    const { db, log } = this.#options;
    try {
      await derive();
    } catch (err) {
      if (stopping.aborted) return;
      log.error({ err, workspaceId }, "a trace could not be derived");
      // Other traces come first, and the log is not filled.
      await postponeDerivation(db, workspaceId, id);
    }
  }
}
