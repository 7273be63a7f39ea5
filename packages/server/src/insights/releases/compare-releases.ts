import type { ComparedSide, ReleaseComparison } from "@whytrace/contract";
import type { FairDatabase } from "../../db/fair-database.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { DaysReader } from "../days/days-reader.ts";
import type { ChosenSide } from "../drift/choose-sides.ts";
import { compareChoices } from "../drift/compare-choices.ts";
import { requireRuns } from "../drift/drift-report.ts";
import { describeRange } from "../insights-range.ts";
import { type ComparisonQuery, chooseComparedSides } from "./choose-compared-sides.ts";
import { compareErrors, readErrors } from "./compare-errors.ts";
import { compareMeasures } from "./compare-measures.ts";
import { readSideRuns, type SideRuns } from "./read-side-runs.ts";
import { releaseHistory } from "./release-history.ts";
import { releaseSentence } from "./release-sentence.ts";

const MAX_CHOICES = 50;

/** Whether an agent's runs of one release, or time range, are worse than those of another. */
export async function compareReleases(
  context: { days: DaysReader; reads: FairDatabase },
  workspaceId: WorkspaceId,
  agent: string,
  query: ComparisonQuery,
): Promise<ReleaseComparison> {
  const { reads } = context;
  const sides = await chooseComparedSides(query, (range) =>
    reads.run(workspaceId, (db) => releaseHistory(db, workspaceId, agent, range)),
  );
  const readSide = (side: ChosenSide) =>
    reads.run(workspaceId, (db) => readSideRuns(db, workspaceId, agent, side));
  const readErrorsOf = ({ range }: ChosenSide) =>
    reads.run(workspaceId, (db) => readErrors(db, workspaceId, agent, range));
  const [base, current] = [await readSide(sides.base), await readSide(sides.current)];
  const described = { base: describeSide(sides.base, base), current: describeSide(sides.current, current) };
  for (const side of [described.base, described.current]) requireRuns({ ...side, tag: null });
  const measured = { ...described, ...compareMeasures(base.runs, current.runs) };
  const { range: baseRange } = sides.base;
  const currentErrors = await readErrorsOf(sides.current);
  // Releases are usually compared within one range.
  const isOneRange = baseRange.from === sides.current.range.from && baseRange.to === sides.current.range.to;
  const baseErrors = isOneRange ? currentErrors : await readErrorsOf(sides.base);
  const errors = await compareErrors(
    { runs: base.runs, errors: baseErrors.errors },
    { runs: current.runs, errors: currentErrors.errors },
  );
  const { rows, untested, progress } = await compareChoices(context, workspaceId, agent, sides);
  return {
    agent,
    ...measured,
    sentence: releaseSentence(measured),
    errors,
    choices: rows.filter(({ isDrifting }) => isDrifting).slice(0, MAX_CHOICES),
    untestedChoices: untested,
    ...(progress && { progress }),
    isTruncated: [base, current, baseErrors, currentErrors].some((read) => read.isTruncated),
  };
}

function describeSide({ range, release }: ChosenSide, { runs }: SideRuns): ComparedSide {
  const { from, to } = describeRange(range, { daysLeft: 0 });
  const judged = runs.filter(({ isBad }) => isBad !== null);
  return {
    from,
    to,
    release: release ?? null,
    runs: runs.length,
    judgedRuns: judged.length,
    badRuns: judged.filter(({ isBad }) => isBad).length,
    abandonedRuns: judged.filter(({ isAbandoned }) => isAbandoned).length,
    sessions: new Set(judged.map(({ session }) => session)).size,
  };
}
