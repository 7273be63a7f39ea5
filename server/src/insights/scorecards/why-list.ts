import { hash32ToHex, signatureToHex, type WhyList, type WhyRow } from "@whytrace/contract";
import type { Database } from "../../db/database.ts";
import type { CountedDay } from "../days/counted-day.ts";
import type { DayRange, DaysRead } from "../days/read-days.ts";
import { runTotals } from "../days/run-totals.ts";
import { type OptionFigures, type SignatureFigures, signatureFigures } from "../days/signature-figures.ts";
import { daysOf } from "../insights-range.ts";
import { findRuns, type NamedRuns } from "../names/find-runs.ts";
import { listReleases } from "../names/list-releases.ts";
import { readGroupNames } from "../names/read-group-names.ts";
import { readSignatureNames, type SignatureNames } from "../names/read-signature-names.ts";
import type { WhyComparison } from "../statistics/why-comparisons.ts";
import { compareSignatures, MAX_LISTED_SIGNATURES } from "./compare-signatures.ts";
import { describeOption, neverChosen } from "./describe-option.ts";
import { findLastDecision } from "./find-last-decision.ts";
import { rowDrift, type Turn } from "./row-drift.ts";
import { listSetAside } from "./set-aside.ts";
import { turnsOf } from "./turns.ts";

/** The Why list of a range, without what the range itself says. */
export async function whyList(
  db: Database,
  userId: string,
  range: DayRange,
  days: DaysRead,
  named: NamedRuns,
): Promise<Omit<WhyList, "from" | "to" | "progress">> {
  const { tally } = days;
  const filter = findRuns(tally, named);
  const all = await signatureFigures(tally, filter);
  const listed = all.slice(0, MAX_LISTED_SIGNATURES);
  const names = await readGroupNames(db, userId, tally);
  const aside = await listSetAside(db, userId);
  const signatureNames = await readSignatureNames(
    db,
    userId,
    new Map(listed.map(({ signature, sample }) => [signature, sample])),
  );
  const { comparisons, rows } = compareSignatures(days, all, filter, aside);
  const releases = listReleases(days, names, filter);
  const turns = turnsOf(range, days.days, releases);
  const figures = new Map(listed.map((one) => [one.signature, one]));
  const calendar = daysOf(range);
  return {
    agent: named.agent ?? null,
    ...runTotals(tally, filter),
    comparisons,
    releases,
    rows: rows.flatMap((row) => {
      const ofRow = figures.get(row.signature);
      if (!ofRow) return [];
      return [describeRow(row, ofRow, { names: signatureNames.get(row.signature), days, turns, calendar })];
    }),
    isTruncated: tally.isTruncated || listed.length < all.length,
    lastDecisionAt: all.length > 0 ? null : await findLastDecision(db, userId, range, named),
  };
}

interface RowContext {
  names: SignatureNames | undefined;
  days: DaysRead;
  turns: Turn[];
  calendar: string[];
}

function describeRow(
  { group, comparison }: WhyComparison,
  figures: SignatureFigures,
  { names, days, turns, calendar }: RowContext,
): WhyRow {
  const { signature, type, total, options } = figures;
  const charted = options.find(({ step }) => step === comparison?.worst) ?? options[0];
  return {
    signature: signatureToHex(signature),
    type,
    place: names?.place ?? null,
    group,
    decisions: total.sums.decisions,
    options: options.map((option) => describeOption(option, names)),
    neverChosen: neverChosen(figures, names),
    comparison: comparison && {
      ...comparison,
      worst: hash32ToHex(comparison.worst),
      best: hash32ToHex(comparison.best),
    },
    shares: charted ? sharesByDay(days.days, calendar, charted, total) : [],
    drift: rowDrift(figures, days.days, turns),
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
