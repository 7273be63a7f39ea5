import { signatureToHex, type WhyList, type WhyRow } from "@whytrace/contract";
import type { CreatedBy } from "@whytrace/contract/schemas/workspaces/workspaces";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import type { Database } from "../../db/database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { CountedDay } from "../days/counted-day.ts";
import type { JudgedDaysRead } from "../days/days-reader.ts";
import type { DayRange, DaysRead } from "../days/read-days.ts";
import { runTotals, type VoteTotals } from "../days/run-totals.ts";
import { type OptionFigures, type SignatureFigures, signatureFigures } from "../days/signature-figures.ts";
import { daysOf } from "../insights-range.ts";
import { findRuns, type NamedRuns } from "../names/find-runs.ts";
import { listReleases } from "../names/list-releases.ts";
import { readGroupNames } from "../names/read-group-names.ts";
import { readSignatureNames, type SignatureNames } from "../names/read-signature-names.ts";
import { readLeftOut } from "../read-left-out.ts";
import { changePointsOf } from "./change-points.ts";
import { countWithoutDecisions } from "./count-without-decisions.ts";
import { describeOption, neverChosen } from "./describe-option.ts";
import { findLastDecision } from "./find-last-decision.ts";
import { type ChangePoint, rowDrift } from "./row-drift.ts";
import { readSetAside } from "./set-aside.ts";

/** Of more decisions the most frequent ones are listed. */
const MAX_LISTED_SIGNATURES = 500;

/** The Why list of a range, without what the range itself says. */
export async function whyList(
  db: Database,
  workspaceId: WorkspaceId,
  range: DayRange,
  days: JudgedDaysRead,
  named: NamedRuns,
): Promise<Omit<WhyList, "from" | "to" | "progress">> {
  const { tally } = days;
  const filter = findRuns(tally, named);
  const all = await signatureFigures(tally, filter);
  const listed = all.slice(0, MAX_LISTED_SIGNATURES);
  const names = await readGroupNames(db, workspaceId, tally);
  const aside = await readSetAside(db, workspaceId);
  const signatureNames = await readSignatureNames(db, workspaceId, listed);
  const changePoints = changePointsOf(range, days.days, listReleases(days, names, filter));
  const calendar = daysOf(range);
  const { openRuns, unknownRuns, votes, ...totals } = runTotals(tally, filter);
  const rows = await runInTimeSlices(
    describeRows(listed, ({ signature }) => ({
      votes,
      names: signatureNames.get(signature),
      isAside: aside.has(signature),
      asideBy: aside.get(signature) ?? null,
      days,
      changePoints,
      calendar,
    })),
  );
  const { judgedWithoutDecisions, ...without } = await countWithoutDecisions(db, workspaceId, range, named);
  return {
    agent: named.agent ?? null,
    ...totals,
    leftOut: await readLeftOut(db, workspaceId, {
      range: days.counted,
      ...named,
      runs: unknownRuns,
    }),
    ...without,
    failure: {
      failed: totals.failedRuns + without.failedWithoutDecisions,
      judged: totals.runs - openRuns - unknownRuns + judgedWithoutDecisions,
    },
    // Also those that were not asked for: somebody who looks at one release goes on to another.
    releases: listReleases(days, names, { agent: filter.agent }),
    rows: rows.sort((one, other) => other.decisions - one.decisions),
    isTruncated: tally.isTruncated || listed.length < all.length,
    lastDecisionAt: all.length > 0 ? null : await findLastDecision(db, workspaceId, range, named),
  };
}

interface RowContext {
  votes: VoteTotals;
  names: SignatureNames | undefined;
  isAside: boolean;
  asideBy: CreatedBy;
  days: DaysRead;
  changePoints: ChangePoint[];
  calendar: string[];
}

function* describeRows(
  listed: readonly SignatureFigures[],
  contextOf: (figures: SignatureFigures) => RowContext,
): Generator<undefined, WhyRow[]> {
  const rows: WhyRow[] = [];
  for (const figures of listed) {
    rows.push(describeRow(figures, contextOf(figures)));
    yield;
  }
  return rows;
}

function describeRow(
  figures: SignatureFigures,
  { names, isAside, asideBy, days, votes, changePoints, calendar }: RowContext,
): WhyRow {
  const { signature, type, total, options } = figures;
  const [mostFrequent] = options;
  return {
    signature: signatureToHex(signature),
    type,
    place: names?.place ?? null,
    isAside,
    asideBy,
    decisions: total.sums.decisions,
    options: options.map((option) => describeOption(option, names, days.tally, votes)),
    neverChosen: neverChosen(figures, names),
    shares: mostFrequent ? sharesByDay(days.days, calendar, mostFrequent, total) : [],
    drift: rowDrift(figures, days.days, changePoints),
  };
}

/** The share of an option on each day of the range. */
function sharesByDay(
  days: readonly CountedDay[],
  calendar: readonly string[],
  option: OptionFigures,
  total: OptionFigures,
): (number | null)[] {
  const byDay = new Map(days.map((counted) => [counted.day, counted]));
  return calendar.map((day) => {
    const counted = byDay.get(day);
    const all = counted?.sum(total.rows).decisions ?? 0;
    return counted && all > 0 ? counted.sum(option.rows).decisions / all : null;
  });
}
