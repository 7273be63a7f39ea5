import { Random } from "@whytrace/demo";
import type { Sender } from "../../../tests/support/samples/sample-traces.ts";
import { expectStatus } from "../../../tests/support/server/client.ts";
import { REGIMES } from "./regimes.ts";
import { sentTrace } from "./sent-trace.ts";
import { simulateRun } from "./simulate-run.ts";
import { SimulatedAgent } from "./simulated-agent.ts";

/** A failed run of which is known which decision made it fail. */
export interface PlantedFailure {
  traceId: string;
  name: string;
  culpritId: string;
}

const RUNS = 300;
export const FAILURES_PER_AGENT = 3;
const BATCH_SIZE = 50;
const MINUTE_MS = 60_000;

/** Sends runs of agents with planted faults; their numbers are masked, so that each agent has one name. Returns 3 failures of each. */
export async function sendPlantedFailures(sender: Sender, agents: number): Promise<PlantedFailure[]> {
  const now = Date.now();
  const failures: PlantedFailure[] = [];
  const traces: ReturnType<typeof sentTrace>[] = [];
  for (let index = 0; index < agents; index++) {
    const agent = new SimulatedAgent(400 + index, REGIMES.plain);
    const random = new Random(400 + index);
    let found = 0;
    for (let number = 1; number <= RUNS || found < FAILURES_PER_AGENT; number++) {
      const run = simulateRun(agent, random);
      const name = `${agent.name}, run ${1_000 + number}`;
      const id = `blame-${index}-${number}`;
      const startedAtMs = now - (RUNS * 2 - number) * MINUTE_MS;
      traces.push(sentTrace(run, { id, name, startedAtMs }));
      if (number <= RUNS - 60 || found === FAILURES_PER_AGENT || !run.failure?.culpritId) continue;
      found += 1;
      failures.push({ traceId: id, name, culpritId: run.failure.culpritId });
    }
  }
  for (let at = 0; at < traces.length; at += BATCH_SIZE)
    expectStatus(await sender.send(traces.slice(at, at + BATCH_SIZE)), 200);
  return failures;
}
