import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { ConnectionWatch } from "./db/connection-watch.ts";
import { Connections } from "./db/connections.ts";
import type { IngestOutcome } from "./ingest/ingest-job.ts";
import type {
  DeriveMessage,
  IngestThreadOptions,
  StoreMessage,
  ThreadMessage,
  ThreadReport,
} from "./ingest/ingest-thread.ts";
import { toSentError } from "./ingest/sent-error.ts";
import { Live } from "./live/live.ts";
import { Maskings } from "./masking/maskings.ts";
import { deriveTraceLate } from "./otlp/derive/derive-trace-late.ts";
import { runIngestJob } from "./run-ingest-job.ts";
import { currentMasking } from "./trace-store/masking/current-masking.ts";
import { ScoreStore } from "./trace-store/scores/score-store.ts";
import { TraceStore } from "./trace-store/store/store-traces.ts";

/**
 * The work of the thread that IngestThread starts. It runs with the priority of the thread that answers requests: its transactions hold
 * ids and rows for which that one waits while this one encodes, and a thread cannot raise its priority for the time it holds locks.
 */
class IngestThreadWork {
  readonly #port: MessagePort;
  readonly #watch: ConnectionWatch;
  readonly #connections: Connections;
  readonly #store: TraceStore;
  readonly #scores: ScoreStore;
  readonly #maskings: Maskings;

  constructor(port: MessagePort, { databaseUrl, limits, masking, ...options }: IngestThreadOptions) {
    this.#port = port;
    this.#watch = new ConnectionWatch({ databaseUrl });
    this.#connections = new Connections(databaseUrl, limits, this.#watch);
    // This thread has no streams: the main thread tells them.
    const live = new Live(this.#connections.account);
    this.#maskings = new Maskings(this.#connections.account, masking, currentMasking);
    this.#scores = new ScoreStore({ connections: this.#connections, live, maskings: this.#maskings });
    this.#store = new TraceStore({
      ...options,
      connections: this.#connections,
      live,
      maskings: this.#maskings,
      maxDerivedSpans: Number.POSITIVE_INFINITY,
    });
  }

  async handle(message: ThreadMessage): Promise<void> {
    if (message === "stop") {
      await this.#connections.end();
      this.#watch.stop();
      this.#port.close();
      return;
    }
    const { id } = message;
    const work = "trace" in message ? this.#deriveTrace(message) : this.#storeBody(message);
    const outcome = await work.catch((error: unknown) => ({ error: toSentError(error) }));
    const masking = this.#maskings.tally.take();
    // The memory goes back: the transaction has ended, so no view of it is left.
    if ("trace" in message) this.#send({ id, ...outcome, masking });
    else this.#send({ id, ...outcome, masking, memory: message.body.buffer }, [message.body.buffer]);
  }

  async #deriveTrace({
    trace: { workspaceId, traceId },
  }: DeriveMessage): Promise<{ outcome: IngestOutcome }> {
    await deriveTraceLate(this.#store, workspaceId, traceId);
    return { outcome: { count: 1, rejected: 0, reason: "" } };
  }

  async #storeBody({ id, job, sender, body }: StoreMessage): Promise<{ outcome: IngestOutcome }> {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
    const outcome = await runIngestJob(job, bytes, {
      store: this.#store,
      scores: this.#scores,
      maskings: this.#maskings,
      connections: this.#connections,
      sender,
      onParsed: (cost) => this.#send({ id, cost }),
    });
    return { outcome };
  }

  #send(report: ThreadReport, transferred: ArrayBuffer[] = []) {
    this.#port.postMessage(report, transferred);
  }
}

if (parentPort) {
  const work = new IngestThreadWork(parentPort, workerData);
  parentPort.on("message", (message: ThreadMessage) => void work.handle(message));
}
