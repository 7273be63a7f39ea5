import { optionName, parseBatch, signDecision } from "@whytrace/contract";
import { type DemoScore, type DemoTrace, demoMonth, demoScores } from "@whytrace/demo";
import { volume } from "@whytrace/testing/volume.ts";
import { describe, expect, it } from "vitest";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { buildDecisionFacts } from "../../decision-facts/build-decision-facts.ts";
import { encodeDecisionFacts } from "../../decision-facts/encode-decision-facts.ts";
import { BUILT_IN } from "../../outcomes/definition.ts";
import { judgeRun, OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import type { JudgedScore } from "../../outcomes/judged-run.ts";
import { computeFindings } from "./compute-findings.ts";
import type { Lens } from "./runs/lens.ts";
import type { RecordedRun } from "./runs/observe-runs.ts";

/** As many as `whytrace dev --demo` loads. */
const TRACES = 2_000;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const NOW = new Date("2026-03-12T15:20:00.000Z");
const AGENT = "support-agent: where is my order";
const REFUND_AGENT = "support-agent: refund request";

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

/** By agent: options whose errors the demo makes more frequent than those of others. */
const PLANTED: Readonly<Record<string, readonly string[]>> = {
  [REFUND_AGENT]: ["refund_api", "cached policy"],
  [AGENT]: ["read_order_notes"],
  "coding-agent: fix flaky test": ["grep_logs", "run_single_test"],
  "coding-agent: bump dependency": ["npm_install", "codemod"],
  "coding-agent: write migration": ["run_migration"],
  "coding-agent: review PR": ["checkout_and_test"],
  "research-agent: quarterly brief": ["cached_brief", "vector_search"],
  "research-agent: competitor scan": ["cached_brief", "vector_search"],
  "research-agent: market sizing": ["cached_brief", "vector_search"],
  "research-agent: paper digest": ["cached_brief", "vector_search"],
};

const optionNames = (traces: readonly DemoTrace[]) =>
  new Map(
    traces.flatMap(({ decisionPoints }) =>
      decisionPoints.map((decision) => [signDecision(decision).step, optionName(decision.chosen)]),
    ),
  );

async function listWorse(runs: readonly RecordedRun[], lens: Lens, names: ReadonlyMap<number, string>) {
  const recorded = {
    runs,
    runCount: runs.length,
    openRuns: 0,
    hasSituation: false,
    hasUnknownSampling: false,
  };
  const { body } = await runInTimeSlices(computeFindings(recorded, lens, { listed: [], day: "2026-03-12" }));
  return body.rows
    .filter(({ group }) => group === "worse")
    .map(({ kind, step }) => `${kind} ${names.get(step)}`);
}

describe.each(SEEDS.slice(0, volume(8)))("of the demo with the seed %i", (seed) => {
  it("names the decision that makes users unhappy, as the list of 30 days does, and nothing innocent", async () => {
    const traces = [...demoMonth({ seed, now: NOW, traces: TRACES })].filter(
      ({ name, status }) => name === AGENT && status !== "RUNNING",
    );
    const worse = await listWorse(traces.map(record), "scored", optionNames(traces));
    expect(worse).toEqual(["chose reply: haiku"]);
  });
});

describe.each(SEEDS.slice(0, volume(4, 1)))("of all agents of the demo with the seed %i", (seed) => {
  it("names as causes of failed runs only what was planted, for each agent", async () => {
    const traces = [...demoMonth({ seed, now: NOW, traces: TRACES })].filter(
      ({ status, decisionPoints }) => status !== "RUNNING" && decisionPoints.length > 0,
    );
    const names = optionNames(traces);
    const agents = Map.groupBy(traces, ({ name }) => name);
    for (const name of Object.keys(PLANTED)) expect([...agents.keys()]).toContain(name);
    for (const [agent, some] of agents) {
      const planted = (PLANTED[agent] ?? []).map((option) => `chose ${option}`);
      const worse = await listWorse(some.map(record), "failed", names);
      expect(
        worse.filter((claim) => !planted.includes(claim)),
        agent,
      ).toEqual([]);
      if (agent === REFUND_AGENT) expect(worse).toContain("chose refund_api");
    }
  });
});
