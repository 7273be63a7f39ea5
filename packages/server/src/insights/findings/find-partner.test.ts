import { randomObservedRuns } from "@whytrace/testing/samples/random-observed-runs.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { findPartner } from "./find-partner.ts";
import type { CountedRun, CountedRuns } from "./runs/counted-run.ts";
import { prepareRuns } from "./runs/prepare-runs.ts";

const setOf = (turn: readonly number[] | undefined) => [...(turn ?? [])].sort().join();

/** All turns of good runs that may stand beside the suspected one, the best first. */
function candidates(
  { runs, turnBuckets }: CountedRuns,
  bad: CountedRun,
  suspectTurn: number,
  option: number,
) {
  const found = runs.toReversed().flatMap((run) => {
    if (run.isBad || run.situation !== bad.situation) return [];
    return [...run.turns.keys()].flatMap((turn) => {
      if (turnBuckets[turn] !== turnBuckets[suspectTurn] || (turn === 0) !== (suspectTurn === 0)) return [];
      if (run.turns[turn]?.includes(option)) return [];
      let equalTurns = 0;
      while (
        equalTurns < Math.min(turn, suspectTurn) &&
        setOf(run.turns[turn - 1 - equalTurns]) === setOf(bad.turns[suspectTurn - 1 - equalTurns])
      )
        equalTurns += 1;
      if (suspectTurn > 0 && equalTurns === 0) return [];
      return [{ run, turn, equalTurns, hasSameStart: equalTurns === turn && turn === suspectTurn }];
    });
  });
  return found.sort(
    (one, other) =>
      other.equalTurns - one.equalTurns || Number(other.hasSameStart) - Number(one.hasSameStart),
  );
}

it("is the newest good run with the most equal turns just before, which chose otherwise, as the definition says it", async () => {
  const counted = await runInTimeSlices(prepareRuns(randomObservedRuns(200, 8), "failed"));
  let found = 0;
  for (const bad of counted.runs.filter(({ isBad }) => isBad))
    for (const suspectTurn of [0, 1, 4, 9].filter((turn) => turn <= bad.lastAtRisk)) {
      const option = bad.turns[suspectTurn]?.[0] ?? 0;
      const partner = await runInTimeSlices(findPartner(counted, bad, suspectTurn, option));
      const [expected] = candidates(counted, bad, suspectTurn, option);
      expect(partner).toEqual(expected);
      if (partner) found += 1;
    }
  expect(found).toBeGreaterThan(100);
});
