import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { FastifyBaseLogger } from "fastify";
import type { ConnectionLimits } from "../db/connections.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { MaskingConfig } from "../masking/masking-config.ts";
import type { MaskingReport, MaskingTally } from "../masking/masking-tally.ts";
import type { IngestJob, IngestOutcome, JobContext } from "./ingest-job.ts";
import { fromSentError, type SentError } from "./sent-error.ts";

export interface IngestThreadOptions {
  databaseUrl: string;
  limits: ConnectionLimits;
  publicUrl: string;
  masking: MaskingConfig;
}

/** A request body to store. Its memory moves to the thread and back. */
export interface StoreMessage {
  id: number;
  job: IngestJob;
  sender: JobContext["sender"];
  body: Uint8Array<ArrayBuffer>;
}

/** A large trace to derive. */
export interface DeriveMessage {
  id: number;
  trace: { workspaceId: WorkspaceId; traceId: string };
}

export type ThreadMessage = StoreMessage | DeriveMessage | "stop";

/** First what a body costs, as far as it is read; then how it ended, with what was masked and the memory of its body. */
export type ThreadReport = { id: number } & (
  | { cost: number }
  | ({ masking: MaskingReport; memory?: ArrayBuffer } & ({ outcome: IngestOutcome } | { error: SentError }))
);

interface ThreadListeners {
  log: FastifyBaseLogger;
  /** Gets what the thread masked. */
  tally: MaskingTally;
}

interface Pending {
  onParsed(cost: number): void;
  onMemory(memory: ArrayBuffer): void;
  resolve(outcome: IngestOutcome): void;
  reject(error: Error): void;
}

/** Almost everything in a batch lives until it is stored: more room for short-lived objects would be wasted. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16 };

/**
 * Parses and stores large request bodies, and derives large traces, in a thread of its own, with its own connections and its
 * own garbage collection: a batch of 10 MiB takes hundreds of milliseconds, and other requests must not wait for it. The
 * thread starts with the first large body or trace.
 */
export class IngestThread {
  readonly #script: URL;
  readonly #options: IngestThreadOptions;
  readonly #listeners: ThreadListeners;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #nextId = 0;

  constructor(script: URL, options: IngestThreadOptions, listeners: ThreadListeners) {
    this.#script = script;
    this.#options = options;
    this.#listeners = listeners;
  }

  /**
   * Reads and stores a body. Takes its memory and returns it through `onMemory` at the end. `onParsed` gets what the body
   * costs.
   */
  store(
    request: Omit<StoreMessage, "id">,
    callbacks: Pick<Pending, "onParsed" | "onMemory">,
  ): Promise<IngestOutcome> {
    return this.#send((id) => ({ id, ...request }), callbacks, [request.body.buffer]);
  }

  /** Derives a trace again, if that is still due. */
  async derive(trace: DeriveMessage["trace"]): Promise<void> {
    await this.#send((id) => ({ id, trace }), { onParsed: () => undefined, onMemory: () => undefined });
  }

  #send(
    message: (id: number) => ThreadMessage,
    callbacks: Pick<Pending, "onParsed" | "onMemory">,
    moved: ArrayBuffer[] = [],
  ): Promise<IngestOutcome> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { ...callbacks, resolve, reject });
      worker.postMessage(message(id), moved);
    });
  }

  async stop(): Promise<void> {
    if (!this.#worker) return;
    const exited = once(this.#worker, "exit");
    this.#worker.postMessage("stop");
    await exited;
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { workerData: this.#options, resourceLimits: RESOURCE_LIMITS });
    worker.unref();
    worker.on("message", (report: ThreadReport) => this.#receive(report));
    // The next large body starts a new thread.
    worker.on("error", (err) => this.#listeners.log.error({ err }, "the thread for large bodies failed"));
    worker.once("exit", () => {
      this.#worker = undefined;
      for (const { reject } of this.#pending.values()) reject(HttpError.unavailable());
      this.#pending.clear();
    });
    return worker;
  }

  #receive(report: ThreadReport) {
    const pending = this.#pending.get(report.id);
    if (!pending) return;
    if ("cost" in report) return pending.onParsed(report.cost);
    this.#pending.delete(report.id);
    this.#listeners.tally.add(report.masking);
    if (report.memory) pending.onMemory(report.memory);
    if ("error" in report) pending.reject(fromSentError(report.error));
    else pending.resolve(report.outcome);
  }
}
