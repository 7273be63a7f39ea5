import { optionName, parseBatch, signDecision } from "@whytrace/contract";
import { type DemoScore, type DemoTrace, demoMonth, demoScores } from "@whytrace/demo";
import { describe, expect, it } from "vitest";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { buildDecisionFacts } from "../../decision-facts/build-decision-facts.ts";
import { encodeDecisionFacts } from "../../decision-facts/encode-decision-facts.ts";
import { BUILT_IN } from "../../outcomes/definition.ts";
import { judgeRun, OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import type { JudgedScore } from "../../outcomes/judged-run.ts";
import { computeFindings } from "./compute-findings.ts";
import type { RecordedRun } from "./runs/observe-runs.ts";

/** As many as `whytrace dev --demo` loads. */
const TRACES = 2_000;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const NOW = new Date("2026-03-12T15:20:00.000Z");
const AGENT = "support-agent: where is my order";

const toJudged = ({ name, value, source, author, timestamp }: DemoScore, index: number): JudgedScore => ({
  id: `${index}`,
  spanId: null,
  decisionId: null,
  name,
  source,
  author: author ?? "",
  kind: typeof value === "boolean" ? "boolean" : "number",
  number: Number(value),
  label: null,
  timestamp,
});

/** A run of the demo as it is stored once its scores came. */
function record(trace: DemoTrace): RecordedRun {
  const [parsed] = parseBatch({ traces: [JSON.parse(JSON.stringify(trace))] });
  const facts = parsed && buildDecisionFacts(parsed);
  if (!facts) throw new Error("nothing was decided");
  const { status, tags, totalCost, totalDuration } = trace;
  const metadata = { ...Object(trace.metadata) };
  const run = { status, tags, totalCost, totalDuration, metadata, events: [], decisions: [] };
  const { outcome, flags } = judgeRun(run, demoScores(trace).map(toJudged), BUILT_IN);
  return {
    id: trace.id,
    status,
    facts: encodeDecisionFacts(facts),
    startedAtMs: Date.parse(trace.startedAt),
    outcomeFlags: flags,
    isScoredBad: outcome === "bad" && (flags & OUTCOME_FLAGS.badByScores) !== 0,
    situation: "",
  };
}

describe.each(SEEDS)("of the demo with the seed %i", (seed) => {
  it("names the decision that makes users unhappy, as the list of 30 days does, and nothing innocent", async () => {
    const traces = [...demoMonth({ seed, now: NOW, traces: TRACES })].filter(
      ({ name, status }) => name === AGENT && status !== "RUNNING",
    );
    const names = new Map(
      traces.flatMap(({ decisionPoints }) =>
        decisionPoints.map((decision) => [signDecision(decision).step, optionName(decision.chosen)]),
      ),
    );
    const runs = traces.map(record);
    const recorded = {
      runs,
      runCount: runs.length,
      openRuns: 0,
      hasSituation: false,
      hasUnknownSampling: false,
    };
    const { body } = await runInTimeSlices(
      computeFindings(recorded, "scored", { listed: [], day: "2026-03-12" }),
    );
    const worse = body.rows.filter(({ group }) => group === "worse");
    expect(worse.map(({ kind, step }) => `${kind} ${names.get(step)}`)).toEqual(["chose reply: haiku"]);
  });
});
