import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import type { PublicReader } from "../api-keys/guards.ts";
import { runLeased } from "../db/run-leased.ts";
import { HttpError } from "../http/http-error.ts";
import type { ScoreStore } from "../trace-store/scores/score-store.ts";
import { TraceStore, type TraceStoreOptions } from "../trace-store/store/store-traces.ts";
import { makeSample, SAMPLE, type SampleStores } from "./make-sample.ts";
import { SAMPLE_KEY_ID, SAMPLE_WORKSPACE } from "./sample-workspace.ts";

interface SampleOptions extends TraceStoreOptions {
  log: FastifyBaseLogger;
  scores: ScoreStore;
}

/** After it the month is moved to the last month. */
const MAX_AGE_MS = 24 * 3_600_000;
const CHECK_INTERVAL_MS = 60_000;
/** How often is looked while it is being made. */
const MAKING_INTERVAL_MS = 500;
const RETRY_SECONDS = 3;
/** Requests of others come first: less so while somebody waits for the first month. */
const PAUSE_RATIO = { whileAwaited: 0.2, whileRead: 1 };
const NOT_READY = "The sample is being prepared.";

interface State {
  traces: number;
  /** The start of the newest run; null without one. */
  newestMs: number | null;
}

/**
 * The sample workspace: made when somebody asks for it for the first time, once for all processes, and moved on once a day
 * while it is read.
 */
export class Sample implements Pick<PublicReader, "admit"> {
  readonly #options: SampleOptions;
  readonly #stores: SampleStores;
  readonly #stopping = new AbortController();
  #making: Promise<void> | undefined;
  #isReady = false;
  #checkAtMs = 0;

  constructor(options: SampleOptions) {
    this.#options = options;
    this.#stores = { traces: new TraceStore(options), scores: options.scores };
  }

  /** Who reads. Throws 503 until the sample is there. */
  async admit() {
    if (Date.now() >= this.#checkAtMs) await this.#check();
    if (!this.#isReady) throw new HttpError(503, NOT_READY, { "retry-after": String(RETRY_SECONDS) });
    return { workspaceId: SAMPLE_WORKSPACE, credentialId: SAMPLE_KEY_ID };
  }

  async #check() {
    const { traces, newestMs } = await this.#readState();
    const isWhole = traces >= SAMPLE.traces;
    const isFresh = newestMs !== null && Date.now() - newestMs < MAX_AGE_MS;
    this.#isReady ||= isWhole;
    const isDone = isWhole && isFresh;
    this.#checkAtMs = Date.now() + (isDone ? CHECK_INTERVAL_MS : MAKING_INTERVAL_MS);
    if (!isDone)
      this.#making ??= this.#make().finally(() => {
        this.#making = undefined;
      });
  }

  async #make(): Promise<void> {
    const { connections, log } = this.#options;
    const db = connections.account;
    const leased = {
      db,
      job: "sample",
      pauseRatio: this.#isReady ? PAUSE_RATIO.whileRead : PAUSE_RATIO.whileAwaited,
      stopping: this.#stopping.signal,
    };
    await runLeased(
      leased,
      () => makeSample(db, this.#stores),
      () => {},
    ).catch((error: unknown) => log.error({ err: error }, "the sample could not be made"));
  }

  async #readState(): Promise<State> {
    return this.#options.connections.reads.run(SAMPLE_WORKSPACE, async (db) => {
      const { rows } = await sql<State>`
        select coalesce((select running + completed + error from trace_totals where workspace_id = ${SAMPLE_WORKSPACE}), 0) as traces,
          (select extract(epoch from max(started_at)) * 1000 from traces where workspace_id = ${SAMPLE_WORKSPACE})::double precision
            as newest_ms`.execute(db);
      return rows[0] ?? { traces: 0, newestMs: null };
    });
  }

  /** Ends the making of a sample; another process, or the next one, goes on. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#making;
  }
}
