import type { Database } from "../../db/database.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import { ResultCache } from "../../db/result-cache.ts";
import { readSnapshot } from "../../db/transaction.ts";
import { unlessReadOnly } from "../../db/unless-read-only.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { storeDecisionDay } from "../../trace-store/counts/store-decision-day.ts";
import { readTotals } from "../../trace-store/counts/totals.ts";
import { type Judging, readJudging } from "../../trace-store/outcomes/outcome-jobs.ts";
import { judgedDays } from "../judged-days.ts";
import type { DayAggregate, TracesAggregate } from "./aggregate-day.ts";
import {
  type DayRange,
  type DaysRead,
  type ReadDaysOptions,
  readDays,
  type UnchangedDays,
} from "./read-days.ts";

const MAX_CACHED_RANGES = 8;
const MAX_UNCHANGED_RANGES = 16;
/**
 * Of each cache. A range of a few thousand choices takes a megabyte; a hundred days with as many choices as there can be
 * take 34.
 */
const MAX_CACHED_BYTES = 48 * 1024 * 1024;
const memory = {
  maxBytes: MAX_CACHED_BYTES,
  sizeOf: ({ tally, days }: UnchangedDays | DaysRead) =>
    days.reduce((sum, { byteLength }) => sum + byteLength, tally.byteLength),
};
const MAX_CHANGED_DAYS = 32;
const MAX_CHANGED_BYTES = 16 * 1024 * 1024;
/** Two ranges of today, of 32 workspaces. */
const MAX_SETTLED_RANGES = 64;
const EVERY_SIGNATURE: ReadDaysOptions = { sections: ["choices", "transitions"] };

/** Days that were read. */
export interface JudgedDaysRead extends DaysRead {
  /** The days that were counted: fewer than were asked for while runs are judged again. */
  counted: DayRange;
  judging?: Judging | undefined;
}

/** Reads the same range again, for figures that the cache does not hold. */
export type ReadMore = (options: ReadDaysOptions) => Promise<DaysRead>;

/** Reads ranges of days in slots of the workspaces. The figures of unchanged traces are cached. */
export class DaysReader {
  readonly #reads: FairDatabase;
  /** Names are read in the same snapshot, so the figures must be of the same version. */
  readonly #cache = new ResultCache<DaysRead>(MAX_CACHED_RANGES, {
    isExact: true,
    memory,
    isKept: ({ daysLeft, tracesLeft }) => daysLeft === 0 && tracesLeft === 0,
  });

  /** While traces arrive, today's figures change and those of the days before it usually do not. */
  readonly #unchanged = new ResultCache<UnchangedDays>(MAX_UNCHANGED_RANGES, { isExact: true, memory });

  /** A request may read a day several times, for figures of different kinds. */
  readonly #changed = new ResultCache<DayAggregate>(MAX_CHANGED_DAYS, {
    isExact: true,
    memory: {
      maxBytes: MAX_CHANGED_BYTES,
      sizeOf: ({ figures: { choices, transitions, errors } }) =>
        choices.length + transitions.length + errors.length,
    },
  });

  readonly #settled = new ResultCache<TracesAggregate>(MAX_SETTLED_RANGES, {
    isExact: true,
    memory: { maxBytes: MAX_CACHED_BYTES, sizeOf: ({ tally }) => tally.byteLength },
  });

  constructor(reads: FairDatabase) {
    this.#reads = reads;
  }

  /**
   * Calls `work` with the figures of a range and with the snapshot that they were read in: the traces that they refer to are
   * there. Afterwards stores the days that had to be aggregated.
   */
  read<T>(
    workspaceId: WorkspaceId,
    range: DayRange,
    work: (days: DaysRead, db: Database, readMore: ReadMore) => Promise<T>,
    options: ReadDaysOptions = EVERY_SIGNATURE,
  ): Promise<T> {
    return this.#read(workspaceId, async () => ({ counted: range }), work, options);
  }

  /**
   * The same for what counts outcomes, of one agent or of all. While runs are judged again by a definition that changed, only days are
   * counted whose runs all are: one comparison never mixes two definitions.
   */
  readJudged<T>(
    workspaceId: WorkspaceId,
    { range, agent }: { range: DayRange; agent: string | undefined },
    work: (days: JudgedDaysRead, db: Database, readMore: ReadMore) => Promise<T>,
  ): Promise<T> {
    const find = async (db: Database) => {
      const judging = await readJudging(db, workspaceId, agent === undefined ? undefined : agentHash(agent));
      return { counted: judgedDays(range, judging), judging };
    };
    return this.#read(workspaceId, find, work, EVERY_SIGNATURE);
  }

  #read<T>(
    workspaceId: WorkspaceId,
    find: (db: Database) => Promise<Pick<JudgedDaysRead, "counted" | "judging">>,
    work: (days: JudgedDaysRead, db: Database, readMore: ReadMore) => Promise<T>,
    options: ReadDaysOptions,
  ): Promise<T> {
    return this.#reads.run(workspaceId, async (db, client) => {
      const { days, result } = await readSnapshot(client, async () => {
        const totals = await readTotals(db, workspaceId);
        const { version } = totals;
        const found = await find(db);
        const range = found.counted;
        const readMore: ReadMore = (more) =>
          readDays(db, workspaceId, { range, version }, more, {
            unchanged: (daysVersion, compute) =>
              this.#unchanged.get({ version: daysVersion }, workspaceId, { range, ...more }, compute),
            changed: (day, compute) => this.#changed.get(totals, workspaceId, day, compute),
            settled: (settledVersion, key, compute) =>
              this.#settled.get({ version: settledVersion }, workspaceId, key, compute),
          });
        const days = await this.#cache.get(totals, workspaceId, { range, ...options }, () =>
          readMore(options),
        );
        return { days, result: await work({ ...days, ...found }, db, readMore) };
      });
      // Of requests that share the figures, one stores them.
      for (const day of days.aggregated.splice(0))
        await unlessReadOnly(storeDecisionDay(db, workspaceId, day));
      return result;
    });
  }
}
