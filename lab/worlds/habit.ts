import type { WorldRandom } from "./world-random.ts";

export const TOOLS = ["search", "read_page", "query_db", "compute", "write_report", "send_mail"] as const;

/** How an agent goes on: after a tool mostly with the next one of the usual order, sometimes with the same or another one. */
export class Habit {
  readonly #random: WorldRandom;
  readonly #first: (readonly [string, number])[];
  readonly #next: ReadonlyMap<string, (readonly [string, number])[]>;
  readonly #meanTurns: number;

  constructor(random: WorldRandom) {
    this.#random = random;
    this.#first = TOOLS.map((tool, index) => [tool, index === 0 ? 3 : 0.4 * random.next()]);
    this.#next = new Map(
      TOOLS.map((tool, from) => [
        tool,
        TOOLS.map((next, to) => [
          next,
          to === from ? 0.5 : to === from + 1 ? 2.5 : 0.15 + 0.35 * random.next(),
        ]),
      ]),
    );
    this.#meanTurns = random.between(5, 9);
  }

  /** How many turns the next run has. */
  turns(): number {
    return Math.max(2, Math.round(this.#meanTurns + 2 * this.#random.normal()));
  }

  after(tool: string | undefined): string {
    return this.#random.weighted((tool !== undefined && this.#next.get(tool)) || this.#first);
  }
}
