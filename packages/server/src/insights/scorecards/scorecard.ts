import {
  hash32ToHex,
  type Quantiles,
  type Scorecard,
  type ScorecardOption,
  signatureToHex,
} from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { countVerdicts } from "../../verdicts/count-verdicts.ts";
import type { JudgedDaysRead } from "../days/days-reader.ts";
import { BUCKETS, bucketStart, HISTOGRAM_KINDS, type HistogramKind } from "../days/histogram-buckets.ts";
import type { DayRange, DaysRead } from "../days/read-days.ts";
import { runTotals } from "../days/run-totals.ts";
import { type RunFilter, type SignatureFigures, signatureFigures } from "../days/signature-figures.ts";
import type { Tally } from "../days/tally.ts";
import { daysOf } from "../insights-range.ts";
import { findRuns, type NamedRuns } from "../names/find-runs.ts";
import { listReleases } from "../names/list-releases.ts";
import { readGroupNames } from "../names/read-group-names.ts";
import { readSignatureNames } from "../names/read-signature-names.ts";
import { readStepNames } from "../names/read-step-names.ts";
import { readLeftOut } from "../read-left-out.ts";
import { histogramQuantiles } from "../statistics/histogram-quantiles.ts";
import { changePointsOf } from "./change-points.ts";
import { describeOption, neverChosen } from "./describe-option.ts";
import { rowDrift } from "./row-drift.ts";
import { readSetAside } from "./set-aside.ts";
import { strataByGroup, strataByStepBefore } from "./strata.ts";

export interface ScorecardQuery extends NamedRuns {
  signature: number;
  range: DayRange;
}

/**
 * The scorecard of a signature; undefined if nothing of it was counted. `readOwn` reads the days again, with the histograms of this signature
 * alone: of all signatures they would need too much memory.
 */
export async function scorecard(
  db: Database,
  workspaceId: WorkspaceId,
  days: JudgedDaysRead,
  { signature, range, ...named }: ScorecardQuery,
  readOwn: () => Promise<DaysRead>,
): Promise<Omit<Scorecard, "from" | "to" | "progress"> | undefined> {
  const { tally } = days;
  const filter = findRuns(tally, named);
  const all = await signatureFigures(tally, filter);
  const figures = all.find((one) => one.signature === signature);
  if (!figures) return undefined;
  const names = await readGroupNames(db, workspaceId, tally);
  const aside = await readSetAside(db, workspaceId);
  const own = (await readSignatureNames(db, workspaceId, [figures])).get(signature);
  const before = strataByStepBefore(tally, figures, filter);
  const beforeNames = await readStepNames(db, workspaceId, tally, new Set(before.map(({ key }) => key)));
  const verdicts = new Map(
    (await countVerdicts(db, workspaceId, { signature })).map(({ step, right, wrong }) => [
      step,
      { right, wrong },
    ]),
  );
  const quantiles = await optionQuantiles((await readOwn()).tally, signature, named);
  const releases = listReleases(days, names, filter);
  const { runs, unknownRuns, votes } = runTotals(tally, filter);
  const agents = new Set(figures.total.rows.map((row) => tally.agentOf(tally.groupOf(row))));
  return {
    signature: signatureToHex(signature),
    type: figures.type,
    agent: named.agent ?? null,
    agents: [...agents].map((agent) => names.agents.get(agent) ?? ""),
    runs,
    leftOut: await readLeftOut(db, workspaceId, {
      range: days.counted,
      ...named,
      runs: unknownRuns,
    }),
    place: own?.place ?? null,
    isAside: aside.has(signature),
    asideBy: aside.get(signature) ?? null,
    decisions: figures.total.sums.decisions,
    open: figures.total.sums.open,
    rate: figures.total.sums.rate,
    options: figures.options.map(
      (option): ScorecardOption => ({
        ...describeOption(option, own, tally, votes),
        offered: figures.total.sums.decisions,
        ...(quantiles.get(option.step) ?? { costUsd: null, durationMs: null }),
        verdicts: verdicts.get(hash32ToHex(option.step)) ?? { right: 0, wrong: 0 },
      }),
    ),
    neverChosen: neverChosen(figures, own),
    days: choicesByDay(days, range, figures),
    releases,
    drift: rowDrift(figures, days.days, changePointsOf(range, days.days, releases)),
    strata: {
      before: before.map(({ key, stratum }) => ({ name: beforeNames.get(key)?.name ?? null, ...stratum })),
      release: strataByGroup(tally, figures, (runs) => tally.releaseOf(runs)).map(({ key, stratum }) => ({
        name: names.releases.get(key) ?? null,
        ...stratum,
      })),
      agent: strataByGroup(tally, figures, (runs) => tally.agentOf(runs)).map(({ key, stratum }) => ({
        name: names.agents.get(key) ?? null,
        ...stratum,
      })),
    },
  };
}

function choicesByDay({ days }: DaysRead, range: DayRange, { options }: SignatureFigures): Scorecard["days"] {
  const counted = new Map(days.map((day) => [day.day, day]));
  return daysOf(range).map((day) => ({
    day,
    counts: options.map(({ rows }) => counted.get(day)?.sum(rows).decisions ?? 0),
  }));
}

type OptionQuantiles = Record<HistogramKind, Quantiles | null>;

/** The quantiles of each option's costs and durations, from a tally that has histograms. */
async function optionQuantiles(
  tally: Tally,
  signature: number,
  named: NamedRuns,
): Promise<Map<number, OptionQuantiles>> {
  const filter: RunFilter = findRuns(tally, named);
  const figures = (await signatureFigures(tally, filter)).find((one) => one.signature === signature);
  const stepOf = new Map(
    figures?.options.flatMap(({ step, rows }) => rows.map((row) => [row, step] as const)),
  );
  const counts = new Map<number, Float64Array>();
  for (let cell = 0; cell < tally.histograms.size; cell += 1) {
    const step = stepOf.get(tally.histograms.keys.key(cell, 0));
    if (step === undefined) continue;
    const buckets = counts.get(step) ?? new Float64Array(BUCKETS * HISTOGRAM_KINDS.length);
    counts.set(step, buckets);
    const bucket = tally.histograms.keys.key(cell, 1);
    buckets[bucket] = (buckets[bucket] ?? 0) + tally.histograms.get(cell, 0);
  }
  const of = (buckets: Float64Array, kind: HistogramKind) => {
    const start = HISTOGRAM_KINDS.indexOf(kind) * BUCKETS;
    return histogramQuantiles(buckets.subarray(start, start + BUCKETS), (bucket) =>
      bucketStart(kind, bucket),
    );
  };
  return new Map(
    [...counts].map(([step, buckets]) => [
      step,
      { durationMs: of(buckets, "durationMs"), costUsd: of(buckets, "costUsd") },
    ]),
  );
}
