import { Random } from "@whytrace/demo";
import { reactionsTo } from "../../../lab/worlds/reactions-to.ts";
import type { ObservedRun } from "../../../packages/server/src/insights/findings/runs/observed-run.ts";

const STATUSES = ["COMPLETED", "COMPLETED", "ERROR", "RUNNING"] as const;

/** Not a part of a day, so that runs start at all hours. */
const MS_BETWEEN_RUNS = 1_234_567;

/** Runs of every shape: short and long, with parallel and repeated calls, errors, circles, sessions, releases and weights. */
export function randomObservedRuns(count: number, seed: number): ObservedRun[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) => {
    const turns = Array.from({ length: random.between(0, 20) }, () => randomTurn(random));
    const circle = turns.slice(turns.length - random.between(1, 5));
    const rounds = random.chance(0.3) ? random.between(1, 4) : 0;
    for (let round = 0; round < rounds; round += 1) turns.push(...circle);
    const errors = turns.map(() => (random.chance(0.25) ? random.between(1, 3) : null));
    return {
      turns,
      errors,
      reactions: reactionsTo(errors),
      status: random.pick(STATUSES),
      messageKind: random.chance(0.5) ? random.between(1, 5) : null,
      isScoredBad: random.chance(0.3),
      cluster: random.between(0, count / 3),
      situation: random.between(0, 2),
      release: random.between(0, 1),
      startedAtMs: index * MS_BETWEEN_RUNS,
      weight: random.pick([1, 1, 2.5, 10]),
    };
  });
}

/** Mostly one option of six; the first three are chosen more often. */
function randomTurn(random: Random): number[] {
  const calls = random.chance(0.2) ? random.between(2, 4) : 1;
  return Array.from({ length: calls }, () =>
    random.chance(0.5) ? random.between(0, 2) : random.between(0, 5),
  );
}
