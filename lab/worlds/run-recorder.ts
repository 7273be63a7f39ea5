import type { ToolCall, WorldRun, WorldTurn } from "./world.ts";
import type { WorldRandom } from "./world-random.ts";

export const OUTAGE = "upstream answered 503";

/** Records a run while it is drawn. */
export class RunRecorder {
  readonly turns: WorldTurn[] = [];
  readonly #random: WorldRandom;

  constructor(random: WorldRandom) {
    this.#random = random;
  }

  get lastTurn(): number {
    return this.turns.length - 1;
  }

  call(tool: string, error: string | null = null) {
    this.callAll([{ tool, error }]);
  }

  /** Calls that the model makes at once. */
  callAll(calls: readonly ToolCall[]) {
    this.turns.push(calls);
  }

  /** Calls a tool, which fails with the given probability; returns whether it did. */
  failsByChance(tool: string, probability: number): boolean {
    const isFailed = this.#random.chance(probability);
    this.call(tool, isFailed ? `${tool}: ${OUTAGE}` : null);
    return isFailed;
  }

  end(status: WorldRun["status"], rest: Partial<WorldRun> = {}): WorldRun {
    const failed = this.turns.flat().findLast(({ error }) => error !== null);
    return {
      turns: this.turns,
      status,
      message: status === "ERROR" ? (failed?.error ?? null) : null,
      isScoredBad: false,
      session: null,
      release: null,
      situation: null,
      sampleProbability: 1,
      culprits: [],
      missing: null,
      ...rest,
    };
  }
}
