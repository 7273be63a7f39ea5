// What decision facts add to the CPU time of ingest: the built server, and the same without them (`without-facts.mjs`), store the same traces in
// alternating rounds, each in its own database. Passes if server and PostgreSQL take at most 1.05 times as long with facts, typical traces
// and conversations.
import { parseArgs } from "node:util";
import { openDurablePostgres } from "@whytrace/testing/postgres/durable-postgres.ts";
import { runTrial } from "@whytrace/testing/trial.ts";
import { measureSettings } from "../../bench/measure/measure-settings.ts";
import type { VariantRun } from "../../bench/measure/measure-variants.ts";
import { ratioOfSums } from "../../bench/measure/ratio-of-sums.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "9" }, traces: { type: "string", default: "4000" } },
});
const rounds = Number(values.rounds);
const TRACES = Number(values.traces);
const MAX_RATIO = 1.05;
const WITHOUT_FACTS = new URL("without-facts.mjs", import.meta.url).pathname;
/** Of server and PostgreSQL. */
const cpuMs = ({ nodeCpuMs, postgresCpuMs }: Pick<VariantRun, "nodeCpuMs" | "postgresCpuMs">) =>
  nodeCpuMs + postgresCpuMs;
const SERVERS = [
  { name: "with facts", environment: {} },
  { name: "without", environment: { NODE_OPTIONS: `--import=${WITHOUT_FACTS}` } },
];

await runTrial(async (onCleanup) => {
  const postgres = await openDurablePostgres();
  onCleanup(() => postgres.stop());
  let hasPassed = true;
  for (const [size, traces] of [
    ["full", TRACES],
    ["conversation", TRACES / 5],
  ] as const) {
    const [facts, without] = await measureSettings(postgres, { size, traces, rounds }, SERVERS);
    if (!facts || !without) throw new Error("No figures");
    const { ratio, low, high } = ratioOfSums(facts.runs.map(cpuMs), without.runs.map(cpuMs));
    console.log(
      `${size}: ${cpuMs(facts).toFixed(3)} of ${cpuMs(without).toFixed(3)} ms a trace, ` +
        `ratio ${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)} in 95 of 100 cases)`,
    );
    hasPassed &&= ratio <= MAX_RATIO;
  }
  return hasPassed;
});
