import { randomObservedRuns } from "@whytrace/testing/samples/random-observed-runs.ts";
import { STALE_CACHE_OPTIONS, staleCacheRuns } from "@whytrace/testing/samples/stale-cache-runs.ts";
import { expect, it } from "vitest";
import { runInTimeSlices } from "../../../concurrency/run-in-time-slices.ts";
import type { ClaimKind } from "../list/option-test.ts";
import type { ObservedRun } from "../runs/observed-run.ts";
import { prepareRuns } from "../runs/prepare-runs.ts";
import { explainedTogether } from "./explained-together.ts";
import { fitCauses } from "./fit-causes.ts";

const fit = async (observed: ObservedRun[]) =>
  runInTimeSlices(fitCauses(await runInTimeSlices(prepareRuns(observed, "failed"))));

it("is what the fit says of one option, and nothing without options", async () => {
  const fitted = await fit(staleCacheRuns());
  const { cache } = STALE_CACHE_OPTIONS;
  const { explained, pairs } = explainedTogether(fitted, [{ kind: "chose", option: cache }]);
  expect(explained).toBeCloseTo(fitted.involved[cache] ?? 0, 9);
  expect(pairs).toEqual([]);
  expect(explainedTogether(fitted, [])).toEqual({ explained: 0, pairs: [] });
});

it("counts what two explain as a pair once, so that all options and chance are all bad runs", async () => {
  const fitted = await fit(randomObservedRuns(500, 3));
  const every = (["chose", "left out"] satisfies ClaimKind[]).flatMap((kind) =>
    Array.from(fitted.chose, (_, option) => ({ kind, option })),
  );
  expect(explainedTogether(fitted, every).explained + fitted.chance).toBeCloseTo(fitted.bad, 6);
});
