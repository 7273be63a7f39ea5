import type { Findings } from "@whytrace/contract";
import type { FastifyBaseLogger } from "fastify";
import { sql } from "kysely";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../../db/database.ts";
import type { FairDatabase } from "../../../db/fair-database.ts";
import { sqlState } from "../../../db/sql-state.ts";
import type { WorkspaceId } from "../../../db/workspace-id.ts";
import { agentHash } from "../../../decision-facts/agent-hash.ts";
import type { Metrics } from "../../../http/metrics.ts";
import { countWithoutDecisionFactsIn } from "../../../trace-store/maintain/backfill-decision-facts.ts";
import { readJudging } from "../../../trace-store/outcomes/outcome-jobs.ts";
import type { DayRange } from "../../days/read-days.ts";
import { describeJudging } from "../../insights-range.ts";
import { listSetAside } from "../../scorecards/set-aside.ts";
import { computeFindings } from "../compute-findings.ts";
import { readCountedRange } from "../read-counted-range.ts";
import { countRecordedRuns, readRecordedRuns } from "../read-recorded-runs.ts";
import { isJudged, type Lens } from "../runs/lens.ts";
import { readSituationKeys } from "../situation/situation-keys.ts";
import { numberOfLens, windowOf } from "../stored/finding-windows.ts";
import { type FindingsConnections, slotConnections } from "../stored/findings-connections.ts";
import { haveRunsDoubled } from "../stored/have-runs-doubled.ts";
import { listActiveAgents } from "../stored/list-active-agents.ts";
import { listMissingAgents } from "../stored/list-missing-agents.ts";
import { readSmallest, readStoredFindings, type StoredList } from "../stored/read-stored-findings.ts";
import { refreshFindings } from "../stored/refresh-findings.ts";
import { Computations } from "./computations.ts";
import { describeFindings } from "./describe-findings.ts";
import { type AgentP, dropChanceAgents } from "./drop-chance-agents.ts";
import { leaveOutSetAside } from "./leave-out-set-aside.ts";

const MAX_TRACES_LEFT = 10_000;

interface FindingsQuery {
  range: DayRange;
  agent: string | undefined;
  /** Default: the one that has bad runs, failed before scored. */
  lens: Lens | undefined;
}

type LensQuery = FindingsQuery & { lens: Lens };
type Read = Omit<Findings, "from" | "to" | "agent">;

interface FindingsReaderOptions {
  reads: FairDatabase;
  metrics: Metrics;
  log: FastifyBaseLogger;
}

/** Reads watched lists of findings, and computes those that are not stored or that somebody asks for. */
export class FindingsReader {
  readonly #connections: FindingsConnections;
  readonly #computations: Computations<StoredList | undefined>;

  constructor({ reads, metrics, log }: FindingsReaderOptions) {
    this.#connections = slotConnections(reads);
    const failed = metrics.counter(
      "findings_failed_total",
      "Computations of findings for a request that failed or were refused",
    );
    this.#computations = new Computations((error) => {
      failed.inc();
      // Messages of the database may quote values.
      const name = error instanceof Error ? error.name : "unknown";
      log.warn({ error: name, code: sqlState(error) }, "findings were not computed for a request");
    });
  }

  /** Most failures of agents throw nothing: if no run failed, runs with a bad score are explained. */
  async read(workspaceId: WorkspaceId, query: FindingsQuery): Promise<Read> {
    const { lens } = query;
    if (lens !== undefined) return this.#readLens(workspaceId, { ...query, lens });
    const failed = await this.#readLens(workspaceId, { ...query, lens: "failed" });
    if (failed.badRuns > 0 || (failed.progress?.agentsLeft ?? 0) > 0) return failed;
    if (!(await this.#connections.run(workspaceId, (db) => hasScores(db, workspaceId)))) return failed;
    const scored = await this.#readLens(workspaceId, { ...query, lens: "scored" });
    return scored.badRuns > 0 ? scored : { ...failed, progress: scored.progress };
  }

  #readLens(workspaceId: WorkspaceId, query: LensQuery): Promise<Read> {
    const windowDays = windowOf(query.range);
    return windowDays === undefined
      ? this.#readOwn(workspaceId, query)
      : this.#readWatched(workspaceId, query, windowDays);
  }

  /** The stored lists. Those that are missing, and all if they have become much too small, are computed and stored now. */
  async #readWatched(workspaceId: WorkspaceId, query: LensQuery, windowDays: number): Promise<Read> {
    const lens = numberOfLens(query.lens);
    const ofAgent = query.agent === undefined ? undefined : agentHash(query.agent);
    const asked = { lens, windowDays, agentHash: ofAgent };
    const readStored = () =>
      this.#connections.run(workspaceId, (db) => readStoredFindings(db, workspaceId, asked));
    let stored = await readStored();
    const due = await this.#listDueAgents(workspaceId, query, stored);
    let agentsLeft = 0;
    if (due.length > 0) {
      const key = JSON.stringify(["watched", asked]);
      // The worker computes the lists if a request may not now.
      if (this.#computations.isBusy(workspaceId, key)) agentsLeft = without(due, stored).length;
      else {
        const computed = await this.#computations.run(workspaceId, {
          key,
          listAgents: async () => due,
          compute: async (agent) => {
            const list = { lens, windowDays, agentHash: agent };
            const findings = await refreshFindings(this.#connections, workspaceId, list, { isWorker: false });
            return findings && listOf(agent, findings);
          },
        });
        agentsLeft = computed.agentsLeft;
        stored = await readStored();
        // A database that cannot be written to stores nothing.
        const unstored = without([...computed.done.keys()], stored);
        stored.push(...unstored.flatMap((agent) => computed.done.get(agent) ?? []));
      }
    }
    return this.#describe(workspaceId, query, { stored, agentsLeft, isWatched: true }, async (db) =>
      readSmallest(db, workspaceId, windowDays),
    );
  }

  async #readOwn(workspaceId: WorkspaceId, query: LensQuery): Promise<Read> {
    const { range, lens } = query;
    const { done, agentsLeft } = await this.#computations.run(workspaceId, {
      key: JSON.stringify(["own", query]),
      listAgents: () => this.#listAgents(workspaceId, query),
      compute: async (agent) => {
        const recorded = await this.#connections.snapshot(workspaceId, async (db) => {
          const keys = await readSituationKeys(db, workspaceId, agent);
          const counted = await readCountedRange(db, workspaceId, { agentHash: agent, lens, range });
          const window = { agentHash: agent, range: counted };
          return {
            ...(await readRecordedRuns(db, workspaceId, window, keys)),
            runCount: await countRecordedRuns(db, workspaceId, window),
          };
        });
        if (recorded.runCount === 0) return undefined;
        return listOf(agent, await runInTimeSlices(computeFindings(recorded, lens)));
      },
    });
    const stored = [...done.values()].filter((one) => one !== undefined);
    return this.#describe(workspaceId, query, { stored, agentsLeft, isWatched: false }, async () =>
      stored.map(({ agentHash: hash, body }) => ({
        agentHash: hash,
        lens: numberOfLens(lens),
        smallest: body.smallest,
      })),
    );
  }

  /** The agents whose lists are missing; all if the lists tell little of the runs that there are now. */
  async #listDueAgents(
    workspaceId: WorkspaceId,
    query: LensQuery,
    stored: readonly StoredList[],
  ): Promise<readonly number[]> {
    if (stored.length === 0) return this.#listAgents(workspaceId, query);
    const { agent, lens, range } = query;
    const isOutgrown = await this.#connections.run(workspaceId, (db) => {
      const hash = agent === undefined ? undefined : agentHash(agent);
      return haveRunsDoubled(db, workspaceId, { range, agentHash: hash, lens }, stored);
    });
    if (isOutgrown) return this.#listAgents(workspaceId, query);
    if (agent !== undefined) return [];
    const listed = stored.map((one) => one.agentHash);
    return this.#connections.run(workspaceId, (db) => listMissingAgents(db, workspaceId, range, listed));
  }

  async #listAgents(workspaceId: WorkspaceId, { agent, range }: FindingsQuery): Promise<readonly number[]> {
    if (agent !== undefined) return [agentHash(agent)];
    return this.#connections.run(workspaceId, (db) => listActiveAgents(db, workspaceId, range));
  }

  #describe(
    workspaceId: WorkspaceId,
    { agent, lens, range }: LensQuery,
    { stored, agentsLeft, isWatched }: { stored: StoredList[]; agentsLeft: number; isWatched: boolean },
    readAll: (db: Database) => Promise<AgentP[]>,
  ): Promise<Read> {
    return this.#connections.snapshot(workspaceId, async (db) => {
      const tracesLeft = await countWithoutDecisionFactsIn(db, workspaceId, range, MAX_TRACES_LEFT);
      const lists =
        agent === undefined ? dropChanceAgents(stored, numberOfLens(lens), await readAll(db)) : stored;
      const judging = isJudged(lens)
        ? await readJudging(db, workspaceId, agent === undefined ? undefined : agentHash(agent))
        : undefined;
      return {
        lens,
        watched: isWatched,
        ...(judging && { judging: describeJudging(judging) }),
        progress: agentsLeft > 0 || tracesLeft > 0 ? { agentsLeft, tracesLeft } : null,
        ...(await describeFindings(
          db,
          workspaceId,
          leaveOutSetAside(lists, await listSetAside(db, workspaceId)),
          lens,
        )),
      };
    });
  }
}

/** Those of the agents that have no list. */
const without = (agents: readonly number[], lists: readonly StoredList[]): number[] =>
  agents.filter((agent) => !lists.some((list) => list.agentHash === agent));

async function hasScores(db: Database, workspaceId: WorkspaceId): Promise<boolean> {
  const { rows } = await sql`
    select from scores where workspace_id = ${workspaceId} and not is_waiting limit 1`.execute(db);
  return rows.length > 0;
}

/** A list that was computed now. */
const listOf = (hash: number, { body, since }: Pick<StoredList, "body" | "since">): StoredList => ({
  agentHash: hash,
  computedAt: new Date().toISOString(),
  body,
  since,
});
