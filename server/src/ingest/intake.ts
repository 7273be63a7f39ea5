import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import { ByteBudget } from "../concurrency/byte-budget.ts";
import type { Config } from "../config.ts";
import type { Connections } from "../db/connections.ts";
import type { Metrics } from "../http/metrics.ts";
import { type BodyFormat, readBytes, releaseBytes } from "../http/read-bytes.ts";
import { UserRate } from "../http/user-rate.ts";
import type { Live } from "../live/live.ts";
import { TraceStore } from "../trace-store/store-traces.ts";
import { type IngestRates, ingestKey } from "./ingest-guards.ts";
import type { IngestJob, IngestOutcome, RunIngestJob } from "./ingest-job.ts";
import { IngestThread } from "./ingest-thread.ts";

/** Bodies over this size are parsed and stored in another thread. */
const LARGE_BYTES = 256 * 1024;
/** So are small bodies with more in them than this. */
const MAX_COST_HERE = 8 * 1024 * 1024;

/** Says that a body has more in it than its size shows. Nothing of it has been stored. */
class TooLargeHere extends Error {}

export interface IntakeOptions {
  config: Config;
  connections: Connections;
  live: Live;
  metrics: Metrics;
  log: FastifyBaseLogger;
  runJob: RunIngestJob;
  /** The script of the thread for large bodies. */
  threadScript: URL;
}

/** Reads and stores request bodies of all formats, within what each user may send and hold in memory. */
export class Intake {
  readonly rates: IngestRates;
  readonly #options: IntakeOptions;
  readonly #store: TraceStore;
  readonly #bodies: ByteBudget;
  readonly #maxBytesPerUser: number;
  readonly #thread: IngestThread;

  constructor(options: IntakeOptions) {
    const { config, connections, live, metrics, log, threadScript } = options;
    const { databaseUrl, publicUrl, memory, ingestPerMinute, packPayloads, connections: limits } = config;
    this.#options = options;
    this.#store = new TraceStore({ connections, publicUrl, live, packPayloads });
    this.rates = {
      requests: new UserRate("requests", ingestPerMinute.requests),
      bytes: new UserRate("bytes", ingestPerMinute.bytes, connections.recentUsers),
    };
    this.#maxBytesPerUser = memory.ingestBytes / 3;
    // Parsing and storing a batch takes about as much memory again as its body.
    this.#bodies = new ByteBudget({
      maxBytes: memory.ingestBytes,
      maxBytesPerUser: this.#maxBytesPerUser,
      maxWaitMs: 10_000,
    });
    this.#thread = new IngestThread(threadScript, { databaseUrl, limits, publicUrl, packPayloads }, log);
    metrics.gauge("ingest_memory_bytes", "Bytes of request bodies in memory", () => this.#bodies.heldBytes);
    metrics.queue("ingest-requests", this.rates.requests);
    metrics.queue("ingest-bytes", this.rates.bytes);
    metrics.queue("ingest-memory", this.#bodies);
    metrics.queue("ingest-groups", this.#store);
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** Derives a large trace in the thread for large bodies, in the user's turn to write. */
  async deriveTrace(userId: string, traceId: string): Promise<void> {
    const { connections, live } = this.#options;
    await connections.writes.turn(userId, () => this.#thread.derive({ userId, traceId }));
    live.changed(userId);
  }

  /** Reads the body of a request that has passed the guards, and stores it. */
  async receive(request: FastifyRequest, job: IngestJob, format: BodyFormat): Promise<IngestOutcome> {
    const { connections, live, runJob } = this.#options;
    const { userId, keyId } = ingestKey(request);
    const sender = { userId, keyId };
    const { bytes: byteRate } = this.rates;
    // Closed when the work ends, not when the client leaves: the body stays in memory until then.
    const hold = this.#bodies.open(userId);
    try {
      const body = await readBytes(request, hold, format);
      const bytes = body.length;
      let memory: ArrayBuffer | undefined;
      try {
        byteRate.count(userId, bytes);
        let counted = bytes;
        const onParsed = (cost: number) => {
          byteRate.count(userId, cost - counted);
          counted = cost;
          // At most the user's share: other users must not wait for one batch.
          hold.resize(Math.min(cost, this.#maxBytesPerUser));
        };
        const onParsedHere = (cost: number) => {
          onParsed(cost);
          if (cost > MAX_COST_HERE) throw new TooLargeHere();
        };
        if (bytes <= LARGE_BYTES)
          try {
            const context = { store: this.#store, connections, sender, onParsed: onParsedHere };
            return await runJob(job, body, context);
          } catch (error) {
            if (!(error instanceof TooLargeHere)) throw error;
          }
        // The user's batches that are being stored may take all the room that the user has.
        await hold.waitForRoom();
        const onMemory = (returned: ArrayBuffer) => {
          memory = returned;
        };
        const outcome = await connections.writes.turn(userId, () =>
          this.#thread.store({ job, sender, body }, { onParsed, onMemory }),
        );
        live.changed(userId);
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
