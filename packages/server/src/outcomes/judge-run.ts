import { maskText } from "@whytrace/contract";
import type {
  Condition,
  ConditionValue,
  OutcomeReason,
  RunOutcomeName,
} from "@whytrace/contract/schemas/outcomes";
import type { ScoreSource } from "@whytrace/contract/schemas/scores";
import type { Definition } from "./definition.ts";
import { isFailingLabel } from "./failing-label.ts";
import type { JudgedReason } from "./judged-reason.ts";
import { askedNames, type JudgedRun, type JudgedScore } from "./judged-run.ts";
import { conditionFingerprint, scoreFingerprint } from "./reason-fingerprint.ts";
import { type Resolved, resolveScores, type ScoreTest } from "./resolve-scores.ts";

/** What else is stored with an outcome, a bit each. */
export const OUTCOME_FLAGS = {
  /** Bad by a condition on what is always known: status, tags, metadata, cost, duration, events and decisions. */
  badByObserved: 1,
  /** Bad by a condition on scores, which not every run has. */
  badByScores: 2,
  /** The run has a score that a condition looks for. */
  answered: 4,
  /** A user of the run was asked for a score. */
  asked: 8,
  /** People contradict each other. */
  disputed: 16,
} as const;

/** Who gave the scores that conditions look for, and who of them made the run bad: not every source judges every run. */
export const SOURCE_FLAGS: Readonly<Record<ScoreSource, { answered: number; bad: number }>> = {
  user: { answered: 32, bad: 512 },
  judge: { answered: 64, bad: 1_024 },
  code: { answered: 128, bad: 2_048 },
  person: { answered: 256, bad: 4_096 },
};

export interface Judgement {
  outcome: RunOutcomeName;
  /** Of `OUTCOME_FLAGS`. */
  flags: number;
  reasons: JudgedReason[];
  /** The names of what conditions need and is missing. */
  missing: string[];
}

/** What a condition says about a run. */
interface Finding {
  reasons: Omit<JudgedReason, "condition" | "kind">[];
  /** The name of what is missing, if its absence makes the run unknown. */
  missing?: string | undefined;
  isAnswered?: boolean;
  isDisputed?: boolean;
  /** Of `SOURCE_FLAGS`. */
  sourceFlags?: number;
}

const REVIEW = "review";
const RUN = { kind: "run", id: null } as const;

/** Judges a run by a definition and its scores: open, then by a person's review, then bad, unknown or good. */
export function judgeRun(run: JudgedRun, scores: readonly JudgedScore[], definition: Definition): Judgement {
  const asked = askedNames(run.metadata);
  const findings = definition.bad.map((condition) => checkCondition(condition, run, scores, asked));
  const reasons = definition.bad.flatMap((condition, index): JudgedReason[] =>
    (findings[index]?.reasons ?? []).map((reason) => ({ condition: index, kind: condition.kind, ...reason })),
  );
  const missing = [...new Set(findings.flatMap((finding) => finding.missing ?? []))];
  const review = reviewOf(scores);
  const isAnswered = review !== undefined || findings.some((finding) => finding.isAnswered);
  const isDisputed = review?.isDisputed || findings.some((finding) => finding.isDisputed);
  const known = (isAnswered ? OUTCOME_FLAGS.answered : 0) | (asked.length > 0 ? OUTCOME_FLAGS.asked : 0);
  const sourceFlags = findings.reduce(
    (all, finding) => all | (finding.sourceFlags ?? 0),
    reviewFlags(review),
  );
  const flags = known | (isDisputed ? OUTCOME_FLAGS.disputed : 0) | sourceFlags;
  if (run.status === "RUNNING") return { outcome: "open", flags, reasons: [], missing };
  if (review && !review.isTrue) return { outcome: "good", flags, reasons: [], missing };
  if (review) {
    const text = review.isDisputed ? "Reviewers disagree" : "A reviewer said that the run is bad";
    const reviewed = {
      condition: REVIEW,
      kind: REVIEW,
      text,
      place: RUN,
      scoreId: review.score?.id ?? null,
      fingerprint: scoreFingerprint({ name: REVIEW, label: null }),
    } as const;
    return {
      outcome: "bad",
      flags: flags | OUTCOME_FLAGS.badByScores | badBy(reasons),
      reasons: [reviewed, ...reasons],
      missing,
    };
  }
  if (reasons.length > 0) return { outcome: "bad", flags: flags | badBy(reasons), reasons, missing };
  return { outcome: missing.length > 0 ? "unknown" : "good", flags, reasons, missing };
}

function reviewFlags(review: Resolved | undefined): number {
  if (!review) return 0;
  const { answered, bad } = SOURCE_FLAGS.person;
  return answered | (review.isTrue ? bad : 0);
}

const SCORE_CONDITIONS: ReadonlySet<string> = new Set(["feedback", "evaluator", "score"]);

const badBy = (reasons: readonly OutcomeReason[]) =>
  reasons.reduce(
    (flags, { kind }) =>
      flags | (SCORE_CONDITIONS.has(kind) ? OUTCOME_FLAGS.badByScores : OUTCOME_FLAGS.badByObserved),
    0,
  );

const IS_FALSE: ScoreTest = { of: ({ kind, number }) => kind === "boolean" && number === 0 };
/** Whether a score says that something failed. */
export const FAILS: ScoreTest = {
  of: (score) => IS_FALSE.of(score) || (score.label !== null && isFailingLabel(score.label)),
};

/** What people say in reviews of the run; true: it is bad. */
function reviewOf(scores: readonly JudgedScore[]): Resolved | undefined {
  const reviews = scores.filter(
    ({ name, source, kind, spanId, decisionId }) =>
      name === REVIEW && source === "person" && kind === "boolean" && spanId === null && decisionId === null,
  );
  return reviews.length === 0 ? undefined : resolveScores(reviews, IS_FALSE);
}

function checkCondition(
  condition: Condition,
  run: JudgedRun,
  scores: readonly JudgedScore[],
  asked: readonly string[],
): Finding {
  switch (condition.kind) {
    case "status":
      return onRun(run.status === "ERROR", "The run ended in ERROR", null);
    case "feedback":
      return checkSources(scores, ["user"], IS_FALSE);
    case "evaluator":
      return checkSources(scores, ["judge", "code"], FAILS);
    case "score":
      return checkScore(condition, scores, asked);
    case "tag":
      return onRun(
        run.tags.includes(condition.is),
        `The run has the tag ${condition.is}`,
        `tag ${condition.is}`,
      );
    case "metadata":
      return checkMetadata(condition, run, asked);
    case "cost":
      if (run.totalCost === null) return absent("cost", condition.missing, asked);
      return onRun(
        run.totalCost > condition.above,
        `The run cost more than ${condition.above} US dollars`,
        "cost",
      );
    case "duration":
      return onRun(
        (run.totalDuration ?? 0) > condition.aboveMs,
        `The run took more than ${condition.aboveMs} ms`,
        "duration",
      );
    case "event": {
      const { type, name } = condition;
      const found = run.events.filter((event) => isWanted(type, event.type) && isWanted(name, event.name));
      // A run may be bad by each of 100,000 events, most of them of a few names.
      const names = new Set(found.map((event) => event.name));
      const prints = new Map([...names].map((one) => [one, conditionFingerprint(`event ${one}`)]));
      return {
        reasons: found.map((event) => ({
          text: `The event ${event.name} came`,
          place: { kind: "event", id: event.id },
          scoreId: null,
          fingerprint: prints.get(event.name) ?? null,
        })),
      };
    }
    case "decision": {
      const found = run.decisions.filter(
        (decision) => isWanted(condition.type, decision.type) && isOption(condition.option, decision.option),
      );
      return {
        reasons: found.map((decision) => ({
          text: `The run decided ${decision.option ?? decision.type}`,
          place: { kind: "decision", id: decision.id },
          scoreId: null,
          fingerprint: conditionFingerprint(`decision ${decision.option ?? decision.type}`),
        })),
      };
    }
  }
}

/** `words` name the condition; null for the status. */
const onRun = (isTrue: boolean, text: string, words: string | null): Finding => ({
  reasons: isTrue
    ? [{ text, place: RUN, scoreId: null, fingerprint: words === null ? null : conditionFingerprint(words) }]
    : [],
});

const isWanted = (wanted: string | undefined, found: string) => wanted === undefined || wanted === found;

/** Options are known by their masked names, too. */
const isOption = (wanted: string | undefined, option: string | null) =>
  wanted === undefined || (option !== null && (wanted === option || maskText(wanted) === maskText(option)));

function absent(
  name: string,
  rule: "good" | "asked" | "unknown" | undefined,
  asked: readonly string[],
): Finding {
  const isUnknown = rule === "unknown" || (rule === "asked" && !asked.includes(name));
  return { reasons: [], missing: isUnknown ? name : undefined };
}

type ScoreCondition = Extract<Condition, { kind: "score" }>;
type MetadataCondition = Extract<Condition, { kind: "metadata" }>;

/** Each source for itself: what another one says about the same does not matter. */
function checkSources(
  scores: readonly JudgedScore[],
  sources: readonly JudgedScore["source"][],
  test: ScoreTest,
): Finding {
  const own = scores.filter(({ source }) => sources.includes(source));
  if (own.length === 0) return { reasons: [] };
  const groups = Map.groupBy(own, (score) => JSON.stringify([placeKey(score), score.name, score.source]));
  const resolved = [...groups.values()].map((group) => resolveScores(group, test));
  return toFinding(own, resolved);
}

function checkScore(
  { name, source, at, missing, ...compared }: ScoreCondition,
  scores: readonly JudgedScore[],
  asked: readonly string[],
): Finding {
  const own = scores.filter(
    (score) =>
      score.name === name &&
      isWanted(source, score.source) &&
      (at === undefined || placeOf(score).kind === at),
  );
  if (own.length === 0) return absent(name, missing, asked);
  const test = testOf(compared);
  const resolved = [...Map.groupBy(own, placeKey).values()].map((group) => resolveScores(group, test));
  const finding = toFinding(own, resolved);
  const isUndecided = finding.reasons.length === 0 && resolved.some(({ isTrue }) => isTrue === undefined);
  return isUndecided ? { ...finding, ...absent(name, missing, asked) } : finding;
}

function toFinding(scores: readonly JudgedScore[], resolved: readonly Resolved[]): Finding {
  let sourceFlags = 0;
  for (const { source } of scores) sourceFlags |= SOURCE_FLAGS[source].answered;
  for (const { isTrue, score } of resolved)
    if (isTrue && score) sourceFlags |= SOURCE_FLAGS[score.source].bad;
  return {
    sourceFlags,
    reasons: resolved.flatMap(({ isTrue, score }) =>
      isTrue && score
        ? [
            {
              text: describe(score),
              place: placeOf(score),
              scoreId: score.id,
              fingerprint: scoreFingerprint(score),
            },
          ]
        : [],
    ),
    isAnswered: true,
    isDisputed: resolved.some(({ isDisputed }) => isDisputed),
  };
}

const WHO = { user: "A user", judge: "A judge", code: "A check", person: "A person" };

const describe = ({ source, name, kind, number, label }: JudgedScore) => {
  const value = kind === "boolean" ? String(number === 1) : (label ?? String(number));
  return `${WHO[source]} said ${value} for ${name}`;
};

function placeOf({ spanId, decisionId }: JudgedScore): OutcomeReason["place"] {
  if (spanId !== null) return { kind: "span", id: spanId };
  return decisionId === null ? RUN : { kind: "decision", id: decisionId };
}

function placeKey(score: JudgedScore): string {
  const { kind, id } = placeOf(score);
  return `${kind} ${id ?? ""}`;
}

type Comparison = Pick<ScoreCondition, "op" | "value">;

/** Compares the value of a score, or its label. */
export function testOf({ op, value }: Comparison): ScoreTest {
  if (op === "below" || op === "above") {
    const limit = Number(value);
    const compare = (number: number) => (op === "below" ? number < limit : number > limit);
    return {
      of: ({ kind, number }) => kind === "number" && number !== null && compare(number),
      ofMean: compare,
    };
  }
  const wanted = Array.isArray(value) ? value : [value];
  return { of: (score) => wanted.some((one) => equals(score, one)) };
}

function equals({ kind, number, label }: JudgedScore, value: ConditionValue): boolean {
  if (typeof value === "boolean") return kind === "boolean" && number === Number(value);
  if (typeof value === "number") return kind === "number" && number === value;
  return label === value;
}

function checkMetadata(
  { key, op, value, missing }: MetadataCondition,
  { metadata }: JudgedRun,
  asked: readonly string[],
): Finding {
  const found = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (found === undefined || found === null) return absent(key, missing, asked);
  if (typeof found === "object") return { reasons: [] };
  const text = `The run's metadata has ${key} ${String(found).slice(0, 100)}`;
  // Values of attributes of OpenTelemetry are stored as texts.
  const number = typeof found === "string" && found.trim() === "" ? Number.NaN : Number(found);
  const words = `metadata ${key}`;
  if (op === "below") return onRun(number < Number(value), text, words);
  if (op === "above") return onRun(number > Number(value), text, words);
  const wanted = Array.isArray(value) ? value : [value];
  return onRun(
    wanted.some((one) => one === found || (typeof found === "string" && String(one) === found)),
    text,
    `${words} ${String(found).slice(0, 100)}`,
  );
}
