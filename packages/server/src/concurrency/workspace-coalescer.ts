import { setTimeout as sleep } from "node:timers/promises";
import { FairPool } from "./fair-pool.ts";

interface WorkspaceCoalescerOptions<Id extends string> {
  /** After a workspace's run. */
  pauseMs: number;
  maxRunning: number;
  /** How long the runs of one workspace may take in a minute while there are runs of others. */
  maxBusyMsPerMinute: number;
  /** Must not throw. */
  handle: (workspace: Id) => Promise<void>;
}

/**
 * Handles workspaces that were added. A workspace that is added again while being handled, or in the pause after it, is
 * handled once more. Workspaces do not wait for each other's pauses, and are served round robin if many are waiting.
 */
export class WorkspaceCoalescer<Id extends string> {
  readonly #options: WorkspaceCoalescerOptions<Id>;
  readonly #pool: FairPool;
  /** Whether each workspace that is being handled was added again. */
  readonly #isAdded = new Map<Id, boolean>();

  constructor(options: WorkspaceCoalescerOptions<Id>) {
    this.#options = options;
    const { maxRunning, maxBusyMsPerMinute } = options;
    this.#pool = new FairPool({ maxRunning, maxWaitingPerCaller: 1, maxBusyMsPerMinute });
  }

  add(workspace: Id) {
    const isHandled = this.#isAdded.has(workspace);
    this.#isAdded.set(workspace, true);
    if (!isHandled) void this.#run(workspace);
  }

  async #run(workspace: Id) {
    const { pauseMs, handle } = this.#options;
    while (this.#isAdded.get(workspace)) {
      await this.#pool.run(workspace, () => {
        this.#isAdded.set(workspace, false);
        return handle(workspace);
      });
      await sleep(pauseMs, undefined, { ref: false });
    }
    this.#isAdded.delete(workspace);
  }
}
