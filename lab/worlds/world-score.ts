import type { Suspicion } from "@whytrace/contract/schemas/insights/blame";
import type { Claim, WorldAgent, WorldRun } from "./world.ts";

export interface FirstSuspect {
  claim: Claim;
  /** Undefined for a tool that was left out. */
  turn: number | undefined;
  word: Suspicion;
}

const WORDS = ["likely", "possible", "none"] as const;

/** How right it is what was said about the agents of a world. */
export class WorldScore {
  lists = 0;
  falseLists = 0;
  /** Agents with a fault; those whose fault is named, and those with a true one, or any if there is none, that is undecided. */
  planted = 0;
  found = 0;
  undecided = 0;
  /** Blamed runs; those with a known cause, and of these those whose first suspect is right. */
  blamed = 0;
  caused = 0;
  rightTurns = 0;
  rightOptions = 0;
  /** How often each word was said, and how often it was right. */
  readonly words = { likely: [0, 0], possible: [0, 0], none: [0, 0] } satisfies Record<
    Suspicion,
    [number, number]
  >;
  readonly #innocents = new Map<string, number>();

  judgeList(
    claims: readonly Claim[],
    { guilty, alsoTrue = [] }: WorldAgent,
    undecided: readonly Claim[] = [],
  ) {
    const isTrue = (claim: Claim) => guilty.includes(claim) || alsoTrue.includes(claim);
    const innocents = claims.filter((claim) => !isTrue(claim));
    this.lists += 1;
    if (innocents.length > 0) this.falseLists += 1;
    for (const one of innocents) this.#innocents.set(one, (this.#innocents.get(one) ?? 0) + 1);
    if (guilty.length > 0) this.planted += 1;
    if (guilty.some((truth) => claims.includes(truth))) this.found += 1;
    else if (undecided.some((claim) => guilty.length === 0 || isTrue(claim))) this.undecided += 1;
  }

  judgeSuspect({ culprits, missing, turns }: WorldRun, first: FirstSuspect | undefined) {
    const isCulprit = culprits.some((turn) =>
      turns[turn]?.some(({ tool }) => first?.claim === `chose ${tool}`),
    );
    const isOption = missing === null ? isCulprit : first?.claim === `left out ${missing}`;
    const isTurn = isOption && (missing !== null || culprits.some((turn) => turn === first?.turn));
    this.blamed += 1;
    if (culprits.length > 0 || missing !== null) {
      this.caused += 1;
      if (isOption) this.rightOptions += 1;
      if (isTurn) this.rightTurns += 1;
    }
    if (!first) return;
    const counts = this.words[first.word];
    counts[0] += 1;
    if (isOption) counts[1] += 1;
  }

  /** A row of a table, in per cent. */
  get row(): Record<string, string> {
    const [mostAccused] = [...this.#innocents].sort(([, a], [, b]) => b - a);
    return {
      false: percent(this.falseLists, this.lists),
      found: percent(this.found, this.planted),
      undecided: percent(this.undecided, this.lists),
      "by turn": percent(this.rightTurns, this.caused),
      "by option": percent(this.rightOptions, this.caused),
      ...Object.fromEntries(WORDS.map((word) => [word, this.#describeWord(word)])),
      accused: mostAccused?.[0] ?? "",
    };
  }

  #describeWord(word: Suspicion): string {
    const [said, right] = this.words[word];
    return said === 0 ? "" : `${percent(said, this.blamed)}, right ${percent(right, said)}`;
  }
}

const percent = (part: number, of: number) => (of === 0 ? "" : `${((100 * part) / of).toFixed(0)} %`);
