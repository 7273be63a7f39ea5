import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { HttpError } from "../../../http/http-error.ts";

/** A request waits so long; the next one continues. */
const BUDGET_MS = 10_000;
const KEPT_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
export const COMPUTING = "Other findings are being computed. Try again in <seconds> s.";

interface Computation<T> {
  /** What is computed. */
  key: string;
  agents: readonly number[] | undefined;
  done: Map<number, T>;
  running: Promise<void> | undefined;
  /** Whether a request got all of it: the next one is computed again. */
  isDelivered: boolean;
}

interface ComputedAgents<T> {
  done: ReadonlyMap<number, T>;
  agentsLeft: number;
}

interface ComputationOptions<T> {
  key: string;
  listAgents: () => Promise<readonly number[]>;
  compute: (agentHash: number) => Promise<T>;
}

/**
 * Computes something of each agent for requests, one agent after another, and one computation of a workspace at a time. If a
 * request ends before, what was computed is kept for a minute, so that the same request, sent again, continues.
 */
export class Computations<T> {
  readonly #byWorkspace = new Map<WorkspaceId, Computation<T>>();
  readonly #onFailed: (error: unknown) => void;
  readonly #budgetMs: number;

  /** `onFailed` is called when a computation fails: the request that began it may have ended before. */
  constructor(onFailed: (error: unknown) => void, budgetMs = BUDGET_MS) {
    this.#onFailed = onFailed;
    this.#budgetMs = budgetMs;
  }

  /** Whether something else is being computed for the workspace. */
  isBusy(workspaceId: WorkspaceId, key: string): boolean {
    const known = this.#byWorkspace.get(workspaceId);
    return known?.running !== undefined && known.key !== key;
  }

  /** Throws 429 if something else is being computed for the workspace. */
  async run(workspaceId: WorkspaceId, options: ComputationOptions<T>): Promise<ComputedAgents<T>> {
    if (this.isBusy(workspaceId, options.key))
      throw HttpError.tooManyRequests(
        COMPUTING.replace("<seconds>", String(RETRY_AFTER_SECONDS)),
        RETRY_AFTER_SECONDS,
      );
    const known = this.#byWorkspace.get(workspaceId);
    const computation: Computation<T> =
      known?.key === options.key && !known.isDelivered
        ? known
        : { key: options.key, agents: undefined, done: new Map(), running: undefined, isDelivered: false };
    this.#byWorkspace.set(workspaceId, computation);
    computation.running ??= this.#continue(workspaceId, computation, options);
    const waiting = new AbortController();
    await Promise.race([
      computation.running,
      sleep(this.#budgetMs, undefined, { signal: waiting.signal }).catch(() => {}),
    ]).finally(() => waiting.abort());
    const { agents, done } = computation;
    // Until the agents are listed, at least one is left.
    const agentsLeft = agents ? agents.length - done.size : 1;
    computation.isDelivered = agentsLeft === 0;
    return { done, agentsLeft };
  }

  #continue(
    workspaceId: WorkspaceId,
    computation: Computation<T>,
    { listAgents, compute }: ComputationOptions<T>,
  ): Promise<void> {
    const endsAt = performance.now() + this.#budgetMs;
    const work = async () => {
      computation.agents ??= await listAgents();
      for (const agent of computation.agents) {
        if (computation.done.has(agent)) continue;
        if (performance.now() >= endsAt) return;
        computation.done.set(agent, await compute(agent));
      }
    };
    const running = work().finally(() => {
      computation.running = undefined;
      setTimeout(() => this.#forget(workspaceId, computation), KEPT_MS).unref();
    });
    // The request that waits for it fails with it. If none waits any more, the next request tries again.
    running.catch((error: unknown) => {
      this.#onFailed(error);
      this.#forget(workspaceId, computation);
    });
    return running;
  }

  #forget(workspaceId: WorkspaceId, computation: Computation<T>) {
    if (this.#byWorkspace.get(workspaceId) === computation && !computation.running)
      this.#byWorkspace.delete(workspaceId);
  }
}
