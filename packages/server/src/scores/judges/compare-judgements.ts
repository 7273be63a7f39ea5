import { MIN_REVIEWED_RUNS } from "@whytrace/contract";
import type { JudgeAgreement } from "@whytrace/contract/schemas/insights/judges";
import { cohensKappa } from "../../insights/statistics/agreement/cohens-kappa.ts";
import { weightedAgreement } from "../../insights/statistics/agreement/weighted-agreement.ts";
import type { Definition } from "../../outcomes/definition.ts";
import { FAILS, testOf } from "../../outcomes/judge-run.ts";
import { latestOfEachAuthor, resolveScores, type ScoreTest } from "../../outcomes/resolve-scores.ts";
import type { RunScore } from "./run-score.ts";

/** More labels make a table that nobody reads, and drawing its intervals takes long. */
const MAX_LABELS = 20;
/** Runs with labels that nobody reviewed cannot be weighted; more of them than this say too much about the rest. */
const MAX_UNREVIEWED_SHARE = 0.05;

type DefinitionOf = (agentHash: number) => Definition;

/** The runs that judges call bad, by the definition's condition on the score, else by what its label means. */
export function runsCalledBad(judgements: readonly RunScore[], definitionOf: DefinitionOf): Set<string> {
  const labels = labelRuns(judgements, goodOrBad(definitionOf));
  return new Set([...labels].flatMap(([traceId, label]) => (label === "false" ? traceId : [])));
}

/** Compares what judges and people said of the same runs. */
export function compareJudgements(
  judgements: readonly RunScore[],
  reviews: readonly RunScore[],
  definitionOf: DefinitionOf,
): Omit<JudgeAgreement, "name" | "author" | "against"> {
  // People who say true, false or a number can be compared only with who says good or bad.
  const isBinary = !reviews.some(({ kind }) => kind === "label");
  const said = isBinary ? goodOrBad(definitionOf) : ownLabel(definitionOf);
  const judgedRuns = labelRuns(judgements, said);
  const reviewedRuns = labelRuns(reviews, said);
  const pairs = [...judgedRuns].map(([traceId, judge]) => ({ judge, person: reviewedRuns.get(traceId) }));
  const labels = isBinary ? ["false", "true"] : frequentLabels(pairs);
  const { judged, table } = tally(pairs, labels);
  const all = sumOf(judged);
  const sizes = table.map(sumOf);
  const reviewed = sumOf(sizes);
  const unreviewed = sumOf(judged.filter((_, label) => sizes[label] === 0));
  const isKnown =
    reviewed >= MIN_REVIEWED_RUNS && labels.length > 1 && unreviewed <= MAX_UNREVIEWED_SHARE * all;
  const { agreement, kappa } = isKnown
    ? weightedAgreement({ judged, reviewed: table })
    : { agreement: null, kappa: null };
  const plain = cohensKappa(table);
  return {
    judged: all,
    leftOut: new Set(judgements.map(({ traceId }) => traceId)).size - all,
    reviewed,
    agreement,
    kappa,
    asCounted: isKnown
      ? { agreement: plain.agreement, kappa: Number.isNaN(plain.kappa) ? null : plain.kappa }
      : null,
    confusion: labels.flatMap((judge, row) =>
      labels.flatMap((person, column) => {
        const runs = table[row]?.[column] ?? 0;
        return runs === 0 ? [] : { judge, person, runs };
      }),
    ),
    byLabel: labels.flatMap((label, index) => {
      const counts = {
        label,
        judged: judged[index] ?? 0,
        reviewed: sizes[index] ?? 0,
        agreed: table[index]?.[index] ?? 0,
      };
      return counts.judged === 0 ? [] : counts;
    }),
  };
}

interface Pair {
  judge: string;
  person: string | undefined;
}

/** Counts the runs of each label of the judge, and the reviewed ones by both labels. Other labels are left out. */
function tally(pairs: readonly Pair[], labels: readonly string[]) {
  const indexes = new Map(labels.map((label, index) => [label, index]));
  const judged = labels.map(() => 0);
  const table = labels.map(() => labels.map(() => 0));
  for (const { judge, person } of pairs) {
    const row = indexes.get(judge);
    const column = person === undefined ? undefined : indexes.get(person);
    if (row === undefined || (person !== undefined && column === undefined)) continue;
    judged[row] = (judged[row] ?? 0) + 1;
    const counts = table[row];
    if (counts && column !== undefined) counts[column] = (counts[column] ?? 0) + 1;
  }
  return { judged, table };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

function frequentLabels(pairs: readonly Pair[]): string[] {
  const counts = new Map<string, number>();
  for (const { judge, person } of pairs)
    for (const label of person === undefined ? [judge] : [judge, person])
      counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, MAX_LABELS)
    .map(([label]) => label)
    .sort();
}

/** What all scores of one run say together; undefined: nothing that can be compared. */
type Said = (scores: readonly RunScore[]) => string | undefined;

function labelRuns(scores: readonly RunScore[], said: Said): Map<string, string> {
  const labels = new Map<string, string>();
  for (const [traceId, own] of Map.groupBy(scores, (score) => score.traceId)) {
    const label = said(own);
    if (label !== undefined) labels.set(traceId, label);
  }
  return labels;
}

/** Good is "true" and bad is "false", by the definition's condition on the score, else by what its label means. */
const goodOrBad =
  (definitionOf: DefinitionOf): Said =>
  (scores) => {
    const test = conditionOf(scores, definitionOf);
    const own = test ? scores : scores.filter(({ kind, label }) => kind !== "number" || label !== null);
    if (own.length === 0) return undefined;
    const { isTrue } = resolveScores(own, test ?? FAILS);
    return isTrue === undefined ? undefined : String(!isTrue);
  };

/** The label that most authors said last; numbers are cut by the definition's condition. */
const ownLabel =
  (definitionOf: DefinitionOf): Said =>
  (scores) => {
    if (scores.every(({ kind }) => kind === "number") && conditionOf(scores, definitionOf))
      return goodOrBad(definitionOf)(scores);
    const latest = latestOfEachAuthor(scores);
    const groups = Map.groupBy(latest, textOf);
    const [label] = [...groups].find(([, own]) => 2 * own.length > latest.length) ?? [];
    return label;
  };

const textOf = ({ kind, number, label }: RunScore) =>
  kind === "boolean" ? String(number === 1) : (label ?? undefined);

/** The test by which the definition of the run's agent calls such scores bad. */
function conditionOf(scores: readonly RunScore[], definitionOf: DefinitionOf): ScoreTest | undefined {
  const [first] = scores;
  if (!first) return undefined;
  const condition = definitionOf(first.agentHash).bad.find(
    (one) =>
      one.kind === "score" &&
      one.name === first.name &&
      (one.source === undefined || scores.some(({ source }) => source === one.source)) &&
      (one.at === undefined || one.at === "run"),
  );
  return condition?.kind === "score" ? testOf(condition) : undefined;
}
