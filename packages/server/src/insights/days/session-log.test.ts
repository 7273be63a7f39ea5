import { finishSteps } from "@whytrace/contract";
import { expect, it } from "vitest";
import { RowCounts } from "./row-counts.ts";
import { SessionLog } from "./session-log.ts";

type Entry = [row: number, decisions: number, failed: number];

const countsOf = (entries: Entry[]) => {
  const counts = new RowCounts();
  for (const [row, decisions, failed] of entries) counts.add(row, decisions, failed);
  return counts;
};

/** The sessions that end, each with its rows in order. */
function ended(log: SessionLog): Entry[][] {
  const sessions: Entry[][] = [];
  finishSteps(
    log.endSessions((counts) => {
      const entries = Array.from({ length: counts.size }, (_, index): Entry => {
        const row = counts.row(index);
        expect(counts.endedOf(row)).toBe(counts.decisions(index));
        return [row, counts.decisions(index), counts.failed(index)];
      });
      sessions.push(entries.sort(([one], [other]) => one - other));
    }),
  );
  return sessions;
}

it("adds up the runs of each session, however they are mixed, and begins anew after that", () => {
  const log = new SessionLog();
  log.add(2 ** 32 - 1, countsOf([[4, 1, 1]]));
  log.add(7, countsOf([[900, 2, 0]]));
  const copy = log.copy();
  log.add(
    2 ** 32 - 1,
    countsOf([
      [5, 3, 0],
      [4, 2, 1],
    ]),
  );
  expect(ended(log)).toEqual([
    [[900, 2, 0]],
    [
      [4, 3, 2],
      [5, 3, 0],
    ],
  ]);
  expect(ended(log)).toEqual([]);
  expect(ended(copy)).toEqual([[[900, 2, 0]], [[4, 1, 1]]]);
});

it("is full before it takes more than 8 MiB, and lets other work run while it ends", () => {
  const log = new SessionLog();
  for (let run = 0; !log.isFull; run += 1)
    log.add(
      run % 1_000,
      countsOf([
        [run % 300, 1, 0],
        [300, 1, 1],
      ]),
    );
  expect(log.byteLength).toBeLessThan(8 * 1_024 * 1_024);
  const steps = [...log.endSessions(() => {})].length;
  expect(steps).toBeGreaterThan(100);
  expect(log.isFull).toBe(false);
});
