// Simulates reviews of what judges said, without a server. Passes if the 95 % interval of κ contains the true one in 93 % of the
// cases or more, at 20, 50 and 200 reviews: of all runs, of some at random, and of complaints first.
import { parseArgs } from "node:util";
import { kappaCoverage } from "@whytrace/testing/samples/kappa-coverage.ts";
import { runTrial } from "@whytrace/testing/trial.ts";

const { values } = parseArgs({ options: { trials: { type: "string", default: "500" } } });
const MIN_COVERAGE = 0.93;

await runTrial(async () => {
  let hasPassed = true;
  for (const how of ["equal", "random", "complaints"] as const)
    for (const reviews of [20, 50, 200]) {
      const coverage = kappaCoverage({ reviews, how, trials: Number(values.trials) });
      console.log(`${how}, ${reviews} reviews: ${(100 * coverage).toFixed(1)} %`);
      hasPassed &&= coverage >= MIN_COVERAGE;
    }
  return hasPassed;
});
