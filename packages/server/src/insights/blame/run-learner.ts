import { FairPool } from "../../concurrency/fair-pool.ts";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { ResultCache } from "../../db/result-cache.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { type AgentWindow, findRecordedRun, readRecordedRuns } from "../findings/read-recorded-runs.ts";
import type { Lens } from "../findings/runs/lens.ts";
import { readSituationKeys } from "../findings/situation/situation-keys.ts";
import type { FindingsConnections } from "../findings/stored/findings-connections.ts";
import { type LearntRuns, learnRuns, sizeOfLearnt } from "./learn-runs.ts";

const MAX_CACHED = 32;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** One run may take a second and, of very many decisions, 100 MiB until it is learnt. */
const LEARNING = { maxRunning: 2, maxRunningPerCaller: 1, maxWaitingPerCaller: 16, maxWaitMs: 10_000 };
/** Entries are told apart by a digest of the runs, so their version is always the same. */
const ONE_VERSION = { version: 0 };

export interface LearnQuery extends AgentWindow {
  lens: Lens;
  run: {
    id: string;
    /** Changes if the run is written again. */
    written: string;
  };
}

/**
 * Learns from the newest runs of an agent and from a given run which of them went wrong by which choices. What was learnt is
 * cached as long as none of these runs changed. At most one agent of a workspace is learnt at a time.
 */
export class RunLearner {
  readonly connections: FindingsConnections;
  readonly #pool = new FairPool(LEARNING);
  readonly #cache = new ResultCache<LearntRuns>(MAX_CACHED, {
    isExact: true,
    memory: { maxBytes: MAX_CACHED_BYTES, sizeOf: sizeOfLearnt },
  });

  constructor(connections: FindingsConnections) {
    this.connections = connections;
  }

  async learn(workspaceId: WorkspaceId, { lens, run, ...window }: LearnQuery): Promise<LearntRuns> {
    const { situationKeys, digest, hasRun } = await this.connections.snapshot(workspaceId, async (db) => ({
      situationKeys: await readSituationKeys(db, workspaceId, window.agentHash),
      ...(await findRecordedRun(db, workspaceId, window, run.id)),
    }));
    const learn = (asked: LearnQuery["run"] | null) =>
      this.#cache.get(ONE_VERSION, workspaceId, { ...window, lens, situationKeys, digest, asked }, () =>
        this.#pool.run(workspaceId, async () => {
          const recorded = await this.connections.snapshot(workspaceId, (db) =>
            readRecordedRuns(db, workspaceId, window, situationKeys, asked?.id),
          );
          return runInTimeSlices(learnRuns(recorded.runs, lens));
        }),
      );
    const learnt = hasRun ? await learn(null) : undefined;
    // If the newest runs have very many decisions, not all of them are read.
    return learnt?.traceIds.includes(run.id) ? learnt : learn(run);
  }
}
