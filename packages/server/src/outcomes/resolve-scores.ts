import type { ScoreSource } from "@whytrace/contract/schemas/scores";
import type { JudgedScore } from "./judged-run.ts";

/** What several scores of one name at one place say about a test: yes, no, or nothing that holds. */
export interface Resolved {
  isTrue: boolean | undefined;
  /** People contradict each other. */
  isDisputed: boolean;
  /** One of those that say yes, the latest. */
  score: JudgedScore | undefined;
}

/** A test of one score, and of the mean of several numbers, if it compares numbers. */
export interface ScoreTest {
  of(score: JudgedScore): boolean;
  ofMean?: ((mean: number) => boolean) | undefined;
}

/** Who counts if several sources judged the same. */
const PRECEDENCE: readonly ScoreSource[] = ["person", "code", "user", "judge"];

/** Resolves scores of one name and place by the source that counts most. */
export function resolveScores(scores: readonly JudgedScore[], test: ScoreTest): Resolved {
  const source = PRECEDENCE.find((one) => scores.some((score) => score.source === one));
  const own = scores.filter((score) => score.source === source);
  switch (source) {
    case "code":
      return worst(own, test);
    case "user":
      return worst(latestOfEachAuthor(own), test);
    default:
      return majority(latestOfEachAuthor(own), test, source === "person");
  }
}

function worst(scores: readonly JudgedScore[], test: ScoreTest): Resolved {
  const score = latest(scores.filter((one) => test.of(one)));
  return { isTrue: score !== undefined, isDisputed: false, score };
}

/** A doubt among people deserves a look, so their tie is bad. Judges err in both directions, so theirs says nothing. */
function majority(scores: readonly JudgedScore[], test: ScoreTest, isPeople: boolean): Resolved {
  const saying = scores.filter((one) => test.of(one));
  const mean = test.ofMean && meanOf(scores);
  if (mean !== undefined && test.ofMean) {
    const isTrue = test.ofMean(mean);
    return { isTrue, isDisputed: false, score: isTrue ? (latest(saying) ?? latest(scores)) : undefined };
  }
  const others = scores.length - saying.length;
  const isTie = saying.length === others;
  const isTrue = isTie ? (isPeople ? true : undefined) : saying.length > others;
  return { isTrue, isDisputed: isTie && isPeople, score: isTrue ? latest(saying) : undefined };
}

/** Undefined unless all of them are numbers. */
function meanOf(scores: readonly JudgedScore[]): number | undefined {
  let sum = 0;
  for (const { kind, number } of scores) {
    if (kind !== "number" || number === null) return undefined;
    sum += number;
  }
  return scores.length === 0 ? undefined : sum / scores.length;
}

export function latestOfEachAuthor<Score extends JudgedScore>(scores: readonly Score[]): Score[] {
  return [...Map.groupBy(scores, ({ author }) => author).values()].flatMap((own) => latest(own) ?? []);
}

function latest<Score extends JudgedScore>(scores: readonly Score[]): Score | undefined {
  let last: Score | undefined;
  for (const score of scores) if (!last || isAfter(score, last)) last = score;
  return last;
}

const isAfter = (a: JudgedScore, b: JudgedScore) =>
  a.timestamp === b.timestamp ? a.id > b.id : a.timestamp > b.timestamp;
