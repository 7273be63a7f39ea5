import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { compileRulesInTimeSlices, higherLevel } from "./compile-rules.ts";
import type { CompiledMasking } from "./compiled-masking.ts";
import { MaskingChanged } from "./masking-changed.ts";
import type { MaskingConfig } from "./masking-config.ts";
import { MaskingTally } from "./masking-tally.ts";
import type { StoredMasking } from "./stored-masking.ts";
import { tokenKey } from "./token-key.ts";

const MAX_CACHED = 1_000;
const MAX_ATTEMPTS = 10;
const RETRY_AFTER_S = 10;

/** Reads level and rules by a version that stands for what this server masks. */
export type ReadCurrentMasking = (
  db: Database,
  workspaceId: WorkspaceId,
  config: MaskingConfig,
) => Promise<StoredMasking>;

interface MaskingsOptions {
  tally?: MaskingTally;
  /** What own patterns may take for one text, in a thread in which others wait for the end of it. */
  maxPatternMsPerText?: number;
}

/** For the thread that answers requests. Those that own patterns may take long for are stored by another one. */
export const MAX_PATTERN_MS_HERE = 40;

const CANNOT_BE_APPLIED = "Masking rules cannot be applied";

/**
 * The compiled rules of workspaces. They are cached without a time limit: the transaction that stores values compares the version by
 * which they were masked with the current one, and fails with MaskingChanged if it is another.
 */
export class Maskings {
  readonly #db: Database;
  readonly #config: MaskingConfig;
  readonly #read: ReadCurrentMasking;
  readonly #cache = new Map<WorkspaceId, Promise<CompiledMasking>>();
  readonly tally: MaskingTally;

  readonly #maxPatternMsPerText: number | undefined;

  constructor(
    db: Database,
    config: MaskingConfig,
    read: ReadCurrentMasking,
    { tally = new MaskingTally(), maxPatternMsPerText }: MaskingsOptions = {},
  ) {
    this.#db = db;
    this.#config = config;
    this.#read = read;
    this.#maxPatternMsPerText = maxPatternMsPerText;
    this.tally = tally;
  }

  /** Whether a workspace has patterns of its own in what is masked. */
  async hasPatterns(workspaceId: WorkspaceId): Promise<boolean> {
    return (await this.#compiled(workspaceId)).hasPatterns;
  }

  /** Calls `work` with the rules of a workspace, and again if they were changed before it stored anything. */
  async apply<T>(workspaceId: WorkspaceId, work: (masking: CompiledMasking) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const cached = this.#compiled(workspaceId);
      try {
        return await work(await cached);
      } catch (error) {
        if (!(error instanceof MaskingChanged)) throw error;
        // Another request may have read the new rules already.
        if (this.#cache.get(workspaceId) === cached) this.#cache.delete(workspaceId);
        if (attempt === MAX_ATTEMPTS) throw HttpError.unavailable();
      }
    }
  }

  #compiled(workspaceId: WorkspaceId): Promise<CompiledMasking> {
    let compiled = this.#cache.get(workspaceId);
    if (!compiled) {
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      compiled = this.#compile(workspaceId);
      this.#cache.set(workspaceId, compiled);
      compiled.catch(() => this.#cache.delete(workspaceId));
    }
    return compiled;
  }

  async #compile(workspaceId: WorkspaceId): Promise<CompiledMasking> {
    const db = await this.#db.of(workspaceId);
    const { key, ...stored } = await this.#read(db, workspaceId, this.#config);
    const floor = higherLevel(stored.floor, this.#config.floor);
    try {
      return await compileRulesInTimeSlices({
        ...stored,
        floor,
        key: tokenKey(key, this.#config.secret),
        tally: this.tally,
        ...(this.#maxPatternMsPerText !== undefined && { maxPatternMsPerText: this.#maxPatternMsPerText }),
      });
    } catch (error) {
      this.tally.fail({ error: error instanceof Error ? error.name : "unknown", workspaceId });
      // Nothing is stored that the rules were not applied to.
      throw new HttpError(503, CANNOT_BE_APPLIED, { "retry-after": String(RETRY_AFTER_S) }, { cause: error });
    }
  }
}
