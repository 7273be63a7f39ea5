import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import { ByteBudget } from "../concurrency/byte-budget.ts";
import type { Config } from "../config.ts";
import type { Connections } from "../db/connections.ts";
import { sqlState } from "../db/sql-state.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { Metrics } from "../http/metrics.ts";
import { type BodyFormat, readBytes, releaseBytes } from "../http/request/read-bytes.ts";
import { WorkspaceRate } from "../http/workspace-rate.ts";
import type { Live } from "../live/live.ts";
import { describeMasking } from "../masking/describe-masking.ts";
import { MaskingTally } from "../masking/masking-tally.ts";
import { MAX_PATTERN_MS_HERE, Maskings } from "../masking/maskings.ts";
import { currentMasking } from "../trace-store/masking/current-masking.ts";
import { ScoreStore } from "../trace-store/scores/score-store.ts";
import { TraceStore } from "../trace-store/store/store-traces.ts";
import type { IngestRates } from "./ingest-guards.ts";
import type { IngestJob, IngestOutcome, RunIngestJob, Sender } from "./ingest-job.ts";
import { IngestThread } from "./ingest-thread.ts";

/** Bodies over this size are parsed and stored in another thread. */
const LARGE_BYTES = 256 * 1024;
/** So are small bodies with more in them than this. */
const MAX_COST_HERE = 8 * 1024 * 1024;

/** A smaller body may share its memory with others, so it does not move to a thread with it. */
const MIN_OWN_BYTES = 64 * 1024;

/** Says that a body has more in it than its size shows. Nothing of it has been stored. */
class TooLargeHere extends Error {}

interface IntakeOptions {
  config: Config;
  connections: Connections;
  live: Live;
  metrics: Metrics;
  log: FastifyBaseLogger;
  runJob: RunIngestJob;
  /** Is called when the rules of a workspace cannot be applied. */
  onNotApplied(workspaceId: WorkspaceId): void;
  /** The script of the thread for large bodies. */
  threadScript: URL;
}

/** What decompressing costs of storing the same bytes, at most. That much counts of a body which is refused for its size. */
const INFLATING_SHARE = 1 / 16;

/** Reads and stores request bodies of all formats, within what each workspace may send and hold in memory. */
export class Intake {
  readonly rates: IngestRates;
  readonly scores: ScoreStore;
  readonly maskings: Maskings;
  readonly #options: IntakeOptions;
  readonly #store: TraceStore;
  readonly #bodies: ByteBudget;
  readonly #maxBytesPerWorkspace: number;
  readonly #thread: IngestThread;
  /** For bodies that own patterns are matched in, so that neither other requests nor other workspaces' large bodies wait for them. */
  readonly #patternThread: IngestThread;

  constructor(options: IntakeOptions) {
    const { config, connections, live, metrics, log, threadScript, onNotApplied } = options;
    const { databaseUrl, publicUrl, memory, ingestPerMinute, masking, connections: limits } = config;
    this.#options = options;
    const tally = new MaskingTally((failure) => {
      log.warn({ ...failure, rule: failure.rule?.id }, "masking failed");
      if (failure.workspaceId !== undefined) onNotApplied(failure.workspaceId);
    });
    describeMasking(metrics, tally);
    this.maskings = new Maskings(connections.account, masking, currentMasking, {
      tally,
      maxPatternMsPerText: MAX_PATTERN_MS_HERE,
    });
    const failedGroups = metrics.counter(
      "ingest_failed_groups_total",
      "Transactions of several requests that failed, after which each request was stored alone",
    );
    const onGroupFailed = (error: unknown) => {
      failedGroups.inc();
      // Messages of the database may quote values.
      const name = error instanceof Error ? error.name : "unknown";
      log.warn(
        { error: name, code: sqlState(error) },
        "requests were not stored together; storing each alone",
      );
    };
    const { maskings } = this;
    this.#store = new TraceStore({ connections, publicUrl, live, maskings, onGroupFailed });
    this.scores = new ScoreStore({ connections, live, maskings, onGroupFailed });
    this.rates = {
      requests: new WorkspaceRate("requests", ingestPerMinute.requests),
      bytes: new WorkspaceRate("bytes", ingestPerMinute.bytes, connections.recentCallers),
    };
    this.#maxBytesPerWorkspace = memory.ingestBytes / 3;
    // Parsing and storing a batch takes about as much memory again as its body.
    this.#bodies = new ByteBudget({
      maxBytes: memory.ingestBytes,
      maxBytesPerWorkspace: this.#maxBytesPerWorkspace,
      maxWaitMs: 10_000,
    });
    const threadOptions = { databaseUrl, limits, publicUrl, masking };
    this.#thread = new IngestThread(threadScript, threadOptions, { log, tally });
    this.#patternThread = new IngestThread(threadScript, threadOptions, { log, tally });
    metrics.gauge("ingest_memory_bytes", "Bytes of request bodies in memory", () => this.#bodies.heldBytes);
    metrics.queue("ingest-requests", this.rates.requests);
    metrics.queue("ingest-bytes", this.rates.bytes);
    metrics.queue("ingest-memory", this.#bodies);
    metrics.queue("ingest-groups", this.#store);
    metrics.queue("score-groups", this.scores);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#thread.stop(), this.#patternThread.stop()]);
  }

  /** Derives a large trace in the thread for large bodies, in a slot of the workspace to write. */
  async deriveTrace(workspaceId: WorkspaceId, traceId: string): Promise<void> {
    const { connections, live } = this.#options;
    await connections.writes.slot(workspaceId, () => this.#thread.derive({ workspaceId, traceId }));
    live.changed(workspaceId);
  }

  /** Reads the body of a request that has passed the guards, and stores it. */
  async receive(
    request: FastifyRequest,
    { workspaceId, keyId }: Sender,
    job: IngestJob,
    format: BodyFormat,
  ): Promise<IngestOutcome> {
    const { connections, live, runJob } = this.#options;
    // A sender may have other fields, which a thread does not need.
    const sender = { workspaceId, keyId };
    const { bytes: byteRate } = this.rates;
    // Closed when the work ends, not when the client leaves: the body stays in memory until then.
    const hold = this.#bodies.open(workspaceId);
    try {
      let counted = 0;
      const onInflated = (inflated: number) => {
        counted = inflated * INFLATING_SHARE;
        byteRate.count(workspaceId, counted);
      };
      const admit = () => byteRate.admit(workspaceId);
      const body = await readBytes(request, hold, { ...format, onInflated, admit });
      const bytes = body.length;
      let memory: ArrayBuffer | undefined;
      try {
        byteRate.count(workspaceId, bytes - counted);
        counted = bytes;
        const onParsed = (cost: number) => {
          byteRate.count(workspaceId, cost - counted);
          counted = cost;
          // At most the workspace's share: other workspaces must not wait for one batch.
          hold.resize(Math.min(cost, this.#maxBytesPerWorkspace));
        };
        const onParsedHere = (cost: number) => {
          onParsed(cost);
          if (cost > MAX_COST_HERE) throw new TooLargeHere();
        };
        const hasPatterns = await this.maskings.hasPatterns(workspaceId);
        if (bytes <= LARGE_BYTES && !hasPatterns)
          try {
            const context = {
              store: this.#store,
              scores: this.scores,
              maskings: this.maskings,
              connections,
              sender,
              onParsed: onParsedHere,
            };
            return await runJob(job, body, context);
          } catch (error) {
            if (!(error instanceof TooLargeHere)) throw error;
          }
        // The workspace's batches that are being stored may take all the room that the workspace has.
        await hold.waitForRoom();
        const onMemory = (returned: ArrayBuffer) => {
          memory = returned;
        };
        const thread = hasPatterns ? this.#patternThread : this.#thread;
        const outcome = await connections.writes.slot(workspaceId, () =>
          thread.store(
            { job, sender, body: bytes < MIN_OWN_BYTES ? new Uint8Array(body) : body },
            { onParsed, onMemory },
          ),
        );
        live.changed(workspaceId);
        return outcome;
      } finally {
        // Stored values are copies, and a failed transaction has ended, so no view of the body is left.
        releaseBytes(body, memory);
      }
    } finally {
      hold.close();
    }
  }
}
