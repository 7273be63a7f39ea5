import { hash32 } from "@whytrace/contract";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import type { RunFilter } from "../days/signature-figures.ts";
import type { Tally } from "../days/tally.ts";

/** What a request names: an agent and a release. */
export interface NamedRuns {
  agent?: string | undefined;
  release?: string | undefined;
}

/** A name that is not there finds nothing. */
export const findRuns = (tally: Tally, { agent, release }: NamedRuns): RunFilter => ({
  agent: agent === undefined ? undefined : tally.findAgent(agentHash(agent)),
  release: release === undefined ? undefined : hash32(release),
});
