import { buildDecisionFacts, errorFingerprint, finishSteps, type Suspicion } from "@whytrace/contract";
import { toCandidate } from "../../../server/src/insights/blame/blame-counts.ts";
import { decisionsBefore } from "../../../server/src/insights/blame/decisions-before.ts";
import { latest } from "../../../server/src/insights/blame/latest.ts";
import {
  type Candidate,
  MAX_RANKED,
  rankSuspects,
} from "../../../server/src/insights/blame/rank-suspects.ts";
import { TraceErrors } from "../../../server/src/insights/blame/trace-errors.ts";
import type { RunCounts } from "./run-counts.ts";
import type { SimulatedRun } from "./simulate-run.ts";
import { decidedTrace } from "./simulated-facts.ts";

export interface BlamedFailure {
  /** Where the culprit is in each ranking, from 1 on; null if the run failed by itself. */
  rank: { blame: number; nearest: number; lift: number } | null;
  /** The first suspect. */
  suspicion: Suspicion;
  isFirstGuilty: boolean;
  candidates: number;
}

/** Ranks the decisions before the error of a failed run; undefined if there is none. Two simple rankings for comparison. */
export function blameFailure(run: SimulatedRun, counts: RunCounts): BlamedFailure | undefined {
  const { failure } = run;
  const span = run.spans.find(({ id }) => id === failure?.spanId);
  const trace = decidedTrace(run);
  const facts = buildDecisionFacts(trace);
  if (!failure || !span || !facts) return undefined;
  const decisions = facts.decisions.flatMap(({ signature, step, position }) => {
    const decision = run.decisionPoints[position];
    return decision ? { ...decision, signature, step } : [];
  });
  const spans = trace.spans.map((one) => ({ ...one, isFailed: one.status === "ERROR" }));
  const error = finishSteps(TraceErrors.find({ ...trace, spans, decisions, events: [] })).ofSpan(span.id);
  const origin = spans.find(({ id }) => id === error?.spanId);
  if (!error || !origin) return undefined;
  const before = latest(
    decisionsBefore(decisions, error),
    MAX_RANKED,
    ({ timestamp }) => timestamp,
  ).reverse();
  // The server counts all runs, the failed one too.
  counts.add(facts);
  const about = counts.about(errorFingerprint(origin.name, origin.statusMessage));
  const candidates = before.map((decision) => toCandidate(decision, about));
  counts.add(facts, -1);
  const blame = rankSuspects(candidates, about.agent);
  const culprit = before.findIndex(({ id }) => id === failure.culpritId);
  const lift = candidates
    .map((candidate, index) => ({ index, lift: liftOf(candidate) }))
    .sort((a, b) => b.lift - a.lift || a.index - b.index);
  const rankIn = (ranking: { index: number }[]) => ranking.findIndex(({ index }) => index === culprit) + 1;
  const [first] = blame;
  return {
    rank: culprit < 0 ? null : { blame: rankIn(blame), nearest: culprit + 1, lift: rankIn(lift) },
    suspicion: first?.suspicion ?? "none",
    isFirstGuilty: first !== undefined && first.index === culprit,
    candidates: candidates.length,
  };
}

/** How much likelier any failure is after this choice than after another. */
const liftOf = ({ chosen, others }: Candidate) =>
  (chosen.bad + 0.5) / (chosen.decisions + 1) / ((others.bad + 0.5) / (others.decisions + 1));
