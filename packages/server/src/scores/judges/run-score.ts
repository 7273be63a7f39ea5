import type { JudgedScore } from "../../outcomes/judged-run.ts";

/** A score of a stored run, with the run and its agent. */
export interface RunScore extends JudgedScore {
  traceId: string;
  agentHash: number;
}
