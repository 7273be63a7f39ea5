import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { ConnectionWatch } from "./db/connection-watch.ts";
import { Connections } from "./db/connections.ts";
import type { IngestOutcome } from "./ingest/ingest-job.ts";
import type { IngestThreadOptions, ThreadReport, ThreadRequest } from "./ingest/ingest-thread.ts";
import { toSentError } from "./ingest/sent-error.ts";
import { Live } from "./live/live.ts";
import { runIngestJob } from "./run-ingest-job.ts";
import { TraceStore } from "./trace-store/store-traces.ts";

/** On a machine without a free core, the thread that answers all requests runs first. */
const LOW_PRIORITY = 10;

/** The work of the thread that IngestThread starts. */
class IngestThreadWork {
  readonly #port: MessagePort;
  readonly #watch: ConnectionWatch;
  readonly #connections: Connections;
  readonly #store: TraceStore;

  constructor(port: MessagePort, { databaseUrl, limits, ...options }: IngestThreadOptions) {
    this.#port = port;
    this.#watch = new ConnectionWatch({ databaseUrl });
    this.#connections = new Connections(databaseUrl, limits, this.#watch);
    // This thread has no streams: the main thread tells them.
    const live = new Live(this.#connections.account);
    this.#store = new TraceStore({ ...options, connections: this.#connections, live });
  }

  async handle(request: ThreadRequest | "stop"): Promise<void> {
    if (request === "stop") {
      await this.#connections.end();
      this.#watch.stop();
      this.#port.close();
      return;
    }
    const { id, body } = request;
    const outcome = await this.#storeBody(request).catch((error: unknown) => ({ error: toSentError(error) }));
    // The memory goes back: the transaction has ended, so no view of it is left.
    this.#send({ id, ...outcome, memory: body.buffer }, [body.buffer]);
  }

  async #storeBody({ id, job, sender, body }: ThreadRequest): Promise<{ outcome: IngestOutcome }> {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
    const outcome = await runIngestJob(job, bytes, {
      store: this.#store,
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

// Only on Linux does a thread have a priority of its own.
if (process.platform === "linux") setPriority(LOW_PRIORITY);
if (parentPort) {
  const work = new IngestThreadWork(parentPort, workerData);
  parentPort.on("message", (request: ThreadRequest | "stop") => void work.handle(request));
}
