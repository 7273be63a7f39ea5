import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { FairPool } from "../concurrency/fair-pool.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { fromSentError, type SentError } from "../ingest/sent-error.ts";
import type { MaskingCounts } from "../masking/masker.ts";
import type { MaskingConfig } from "../masking/masking-config.ts";
import type { StoredMasking } from "../masking/stored-masking.ts";
import type { NumberedPattern } from "./check-patterns.ts";
import type { Trial } from "./try-masking.ts";

/** What the thread is asked: whether patterns can be saved, or what a text becomes. */
export type PatternRequest =
  | { kind: "check"; patterns: readonly NumberedPattern[]; isNew: boolean }
  | { kind: "try"; trial: Trial; stored: StoredMasking; config: MaskingConfig };

export type PatternReport = { tried?: TriedMasking } | { error: SentError };

interface TriedMasking {
  masked: unknown;
  counts: MaskingCounts;
}

/** The same extension as this file: .ts from the sources, .js after the build. */
const EXTENSION = extname(import.meta.url);
const SCRIPT = new URL(`run-pattern-thread${EXTENSION}`, import.meta.url);
const CONDITIONS = EXTENSION === ".ts" ? ["--conditions=@whytrace/source"] : [];
/** Searches end earlier by themselves. This is for what cannot be ended otherwise, such as compiling. */
const MAX_MS = 20_000;
const IDLE_MS = 30_000;
const MAX_BUSY_MS_PER_MINUTE = 20_000;

export const TOO_LONG = "The patterns take too long. Add a fixed word to them, or a source.";

/**
 * Compiles and tries patterns that nobody has checked yet, in a thread that is ended if it takes too long: other requests do not wait for
 * them. Workspaces get turns, and one that has used much time lately waits for its next one.
 */
export class PatternThread {
  readonly #pool = new FairPool({
    maxRunning: 1,
    maxRunningPerCaller: 1,
    maxWaitingPerCaller: 4,
    maxWaitMs: 20_000,
    maxBusyMsPerMinute: MAX_BUSY_MS_PER_MINUTE,
  });
  readonly #maxMs: number;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(maxMs = MAX_MS) {
    this.#maxMs = maxMs;
  }

  /** Fails with what is wrong with a pattern. New ones must not be too slow in any text. */
  async check(workspaceId: WorkspaceId, patterns: readonly NumberedPattern[], isNew: boolean): Promise<void> {
    if (patterns.length > 0) await this.#run(workspaceId, { kind: "check", patterns, isNew });
  }

  async try(workspaceId: WorkspaceId, request: Omit<PatternRequest & { kind: "try" }, "kind">) {
    const { tried } = await this.#run(workspaceId, { kind: "try", ...request });
    if (!tried) throw new Error("The pattern thread has not tried a text");
    return tried;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #run(workspaceId: WorkspaceId, request: PatternRequest): Promise<{ tried?: TriedMasking }> {
    return this.#pool.run(workspaceId, async () => {
      const report = await this.#send(request);
      if ("error" in report) throw fromSentError(report.error);
      return report;
    });
  }

  #send(request: PatternRequest): Promise<PatternReport> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const end = () => {
      // What comes while it ends starts another one.
      if (this.#worker === worker) this.#worker = undefined;
      void worker.terminate();
    };
    return new Promise<PatternReport>((resolve, reject) => {
      const deadline = setTimeout(() => {
        end();
        reject(new HttpError(400, TOO_LONG));
      }, this.#maxMs);
      const settle = (act: () => void) => {
        clearTimeout(deadline);
        worker.removeAllListeners("message");
        worker.removeAllListeners("error");
        act();
      };
      worker.once("message", (report: PatternReport) => settle(() => resolve(report)));
      worker.once("error", (error) => {
        end();
        settle(() => reject(error));
      });
      worker.postMessage(request);
    }).finally(() => {
      this.#idle = setTimeout(end, IDLE_MS).unref();
    });
  }

  #start(): Worker {
    const worker = new Worker(SCRIPT, { execArgv: CONDITIONS });
    worker.unref();
    return worker;
  }
}
