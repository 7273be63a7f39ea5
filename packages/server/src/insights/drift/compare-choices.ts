import {
  type DriftReport,
  type DriftRow,
  type DriftSide,
  hash32ToHex,
  type InsightsProgress,
  signatureToHex,
} from "@whytrace/contract";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DaysReader } from "../days/days-reader.ts";
import { runTotals } from "../days/run-totals.ts";
import type { Tally } from "../days/tally.ts";
import { describeRange } from "../insights-range.ts";
import { findRuns } from "../names/find-runs.ts";
import { readGroupNames } from "../names/read-group-names.ts";
import { readSignatureNames, type SampledSignature } from "../names/read-signature-names.ts";
import { listSetAside } from "../scorecards/set-aside.ts";
import type { ChosenSide, ChosenSides } from "./choose-sides.ts";
import { type ComparedShares, driftRows } from "./drift-rows.ts";
import { readTagged } from "./read-tagged.ts";
import { figuresKey, type SideFigures, sideFigures } from "./side-figures.ts";

/** Those that drift come first, so they are listed. */
const MAX_ROWS = 200;

interface Source {
  side: DriftSide;
  tally: Tally;
  figures: Map<string, SideFigures>;
  /** Days and traces of its range that are not counted yet. */
  left: InsightsProgress;
}

interface ComparedChoices extends Pick<DriftReport, "base" | "current" | "rows" | "untested" | "progress"> {
  /** The choices of the current side. */
  figures: ReadonlyMap<string, SideFigures>;
}

/** Compares what was chosen on two sides, by all agents or by one. */
export async function compareChoices(
  { days, reads }: { days: DaysReader; reads: FairDatabase },
  workspaceId: WorkspaceId,
  agent: string | undefined,
  sides: ChosenSides,
): Promise<ComparedChoices> {
  const readSource = async (chosen: ChosenSide): Promise<Source> => {
    const { range, release, tag } = chosen;
    const read =
      tag === undefined
        ? await days.read(workspaceId, range, async (all) => all)
        : await reads.run(workspaceId, (db) => readTagged(db, workspaceId, range, tag));
    const filter = findRuns(read.tally, { agent, release });
    const { runs, decisions } = runTotals(read.tally, filter);
    const { from, to } = describeRange(range, { daysLeft: 0 });
    return {
      side: { from, to, release: release ?? null, tag: tag ?? null, runs, decisions },
      tally: read.tally,
      figures: sideFigures(read.tally, filter),
      left: { daysLeft: read.daysLeft, tracesLeft: read.tracesLeft },
    };
  };
  const base = await readSource(sides.base);
  const current = await readSource(sides.current);
  const aside = await reads.run(workspaceId, (db) => listSetAside(db, workspaceId));
  const isCompared = ({ signature }: SideFigures) => !aside.has(signature);
  const compared = await runInTimeSlices(
    driftRows(filterValues(base.figures, isCompared), filterValues(current.figures, isCompared)),
  );
  const rows = await reads.run(workspaceId, async (db) => {
    const listed = compared.slice(0, MAX_ROWS);
    const sampled = listed.flatMap((row) => sampledSignature(row, [current, base]));
    const names = await readSignatureNames(db, workspaceId, sampled);
    const agents = new Map<number, string>();
    for (const { tally } of [base, current])
      for (const [row, name] of (await readGroupNames(db, workspaceId, tally)).agents)
        agents.set(tally.agentHash(row), name);
    return listed.map((row) => describeRow(row, agents.get(row.agent), names.get(row.signature)?.options));
  });
  return {
    base: base.side,
    current: current.side,
    rows,
    untested: compared.filter(({ untested }) => untested !== null).length,
    figures: current.figures,
    ...describeProgress(base, current),
  };
}

/** What is not counted yet. Releases are usually compared within one range, whose days then count once. */
function describeProgress(base: Source, current: Source): Pick<DriftReport, "progress"> {
  const isOneRange = base.side.from === current.side.from && base.side.to === current.side.to;
  const sum = (key: keyof InsightsProgress) =>
    isOneRange ? Math.max(base.left[key], current.left[key]) : base.left[key] + current.left[key];
  const progress = { daysLeft: sum("daysLeft"), tracesLeft: sum("tracesLeft") };
  return progress.daysLeft + progress.tracesLeft === 0 ? {} : { progress };
}

function sampledSignature(
  { agent, signature }: ComparedShares,
  sources: readonly Source[],
): SampledSignature[] {
  const options = sources.flatMap(({ figures }) =>
    [...(figures.get(figuresKey(agent, signature))?.options ?? [])].map(([step, { sample }]) => ({
      step,
      sample,
    })),
  );
  const [first] = options;
  return first ? [{ signature, sample: first.sample, options }] : [];
}

function describeRow(
  { agent: _, signature, options, ...row }: ComparedShares,
  agent = "",
  names: ReadonlyMap<number, string> = new Map(),
): DriftRow {
  const sum = (side: "base" | "current") => options.reduce((total, option) => total + option[side], 0);
  return {
    ...row,
    isTestable: row.untested === null,
    signature: signatureToHex(signature),
    agent,
    options: options.map(({ step, ...counts }) => ({
      step: hash32ToHex(step),
      name: names.get(step) ?? "",
      ...counts,
    })),
    baseDecisions: sum("base"),
    currentDecisions: sum("current"),
  };
}

const filterValues = <Value>(map: ReadonlyMap<string, Value>, isWanted: (value: Value) => boolean) =>
  new Map([...map].filter(([, value]) => isWanted(value)));
