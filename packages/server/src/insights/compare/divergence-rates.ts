import {
  type ComparedDecision,
  type Comparison,
  type DivergenceRates,
  hash32FromHex,
  hash32ToHex,
  MIN_COMPARED_DECISIONS,
  maskText,
} from "@whytrace/contract";
import { agentHash } from "../../decision-facts/agent-hash.ts";
import { OutcomeSums } from "../days/outcome-sums.ts";
import { NO_STEP, type Tally } from "../days/tally.ts";

/** The choice on which two runs of one agent first differ, and what both decided before. */
interface FlippedChoice {
  agent: string;
  a: ComparedDecision;
  b: ComparedDecision;
  /** The last decision before it, if it is the same in both runs; null at the start. */
  before: ComparedDecision | null;
}

/** Undefined if the runs do not differ in a choice between the same options, or belong to different agents. */
export function flippedChoice({ a, b, lines, divergence }: Comparison): FlippedChoice | undefined {
  if (!divergence) return undefined;
  const line = lines[divergence.line];
  if (line?.relation !== "flipped" || !line.a || !line.b) return undefined;
  const agent = maskText(a.name);
  if (maskText(b.name) !== agent) return undefined;
  return { agent, a: line.a, b: line.b, before: lines[divergence.line - 1]?.a ?? null };
}

/**
 * What followed both options in runs of the agent: after the same decision, if both were chosen often enough there, or else
 * wherever they were chosen. Null if nothing was counted of one of them.
 */
export function divergenceRates(
  tally: Tally,
  { agent, a, b, before }: FlippedChoice,
): Omit<DivergenceRates, "from" | "to" | "progress"> | null {
  const row = tally.findAgent(agentHash(agent));
  if (row < 0) return null;
  const step = before === null ? NO_STEP : stepOf(before);
  const [aAfter, bAfter] = [a, b].map((decision) => sumsAfter(tally, row, step, decision));
  if (aAfter && bAfter && isEnough(aAfter) && isEnough(bAfter)) {
    const after = { step: hash32ToHex(step), option: before?.option ?? "the start" };
    return { a: aAfter.rate, b: bAfter.rate, after };
  }
  const [aSums, bSums] = [a, b].map((decision) => sumsOf(tally, row, decision));
  return aSums && bSums ? { a: aSums.rate, b: bSums.rate, after: null } : null;
}

const isEnough = ({ decisions }: OutcomeSums) => decisions >= MIN_COMPARED_DECISIONS;

const stepOf = ({ step }: ComparedDecision) => hash32FromHex(step) ?? NO_STEP;

function sumsAfter(
  { transitions }: Tally,
  agent: number,
  before: number,
  decision: ComparedDecision,
): OutcomeSums | undefined {
  const row = transitions.keys.find(agent, before, stepOf(decision));
  if (row < 0) return undefined;
  const sums = new OutcomeSums(decision.type);
  sums.add(transitions, row);
  return sums;
}

function sumsOf(tally: Tally, agent: number, decision: ComparedDecision): OutcomeSums | undefined {
  const step = stepOf(decision);
  let sums: OutcomeSums | undefined;
  for (let row = 0; row < tally.choices.size; row += 1) {
    if (tally.stepOf(row) !== step || tally.agentOf(tally.groupOf(row)) !== agent) continue;
    sums ??= new OutcomeSums(decision.type);
    sums.add(tally.choices, row);
  }
  return sums;
}
