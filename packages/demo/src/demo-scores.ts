import { optionName, type Score } from "@whytrace/contract";
import type { DemoTrace } from "./demo-trace.ts";
import { Random } from "./random.ts";

/** A score as it is sent. */
export type DemoScore = Pick<
  Score,
  "traceId" | "name" | "value" | "source" | "author" | "comment" | "timestamp"
>;

/** The key of the metadata under which a trace says for which scores its user was asked. */
const ASKED_KEY = "whytrace.feedback";
/** Only the runs of this agent have users. */
const SUPPORT = /^support-agent\b/;
const ASKED_SHARE = 0.75;
/** Separates who is asked from the numbers of the simulation. */
const ASK_SEED = 0x2c1b3c6d;

/**
 * How often users are unhappy. Beside errors, one decision makes them so: the small model answers in one line. It never fails, so
 * only scores show it. Some are unhappy with the other model, too: a last step after which hardly any run is bad is not compared.
 */
const UNHAPPY = { afterError: 0.5, afterShortReply: 0.55, otherwise: 0.12 } as const;
const SHORT_REPLY = "reply: haiku";
/** Those who are unhappy vote more often. */
const VOTES = { unhappy: 0.65, happy: 0.45 } as const;
const STARS_SHARE = 0.08;
/** Complaints come on their own, asked or not, and nobody writes to say that all is well. */
const COMPLAINT_SHARE = 0.16;

const JUDGE = "correct.ts@3f1a9c02";
const JUDGED_SHARE = 0.5;
const JUDGE_ERROR = 0.1;
/** People look above all at what the judge complains about. */
const REVIEWED_SHARES = { calledBad: 0.35, calledGood: 0.07 } as const;
const REVIEWER = "jana@northwind.example";

const COMMENTS = {
  afterError: ["Still waiting.", "It told me to wait for a colleague. Nobody wrote.", null, null],
  afterShortReply: ["One line, and not what I asked.", "That is no answer.", "Copied and pasted?", null],
  otherwise: ["Too slow.", null, null],
} as const;

/** The metadata with which a trace records that its user is asked for a thumb. */
export function askForThumb(name: string, seed: number): { [ASKED_KEY]?: string[] } {
  const isAsked = SUPPORT.test(name) && new Random(seed ^ ASK_SEED).chance(ASKED_SHARE);
  return isAsked ? { [ASKED_KEY]: ["helpful"] } : {};
}

/** What users, a judge that is wrong in a tenth, and a reviewer say about a run. The same for the same id. */
export function demoScores(trace: DemoTrace): DemoScore[] {
  const { id, name, status, endedAt, metadata, decisionPoints } = trace;
  if (!SUPPORT.test(name) || status === "RUNNING" || endedAt === null) return [];
  const random = new Random(Number.parseInt(id.slice(0, 8), 16));
  const isShort = decisionPoints.some(({ chosen }) => optionName(chosen) === SHORT_REPLY);
  const cause = status === "ERROR" ? "afterError" : isShort ? "afterShortReply" : "otherwise";
  const isUnhappy = random.chance(UNHAPPY[cause]);
  const user = `customer-${random.hex(6)}`;
  const later = (seconds: number) => new Date(Date.parse(endedAt) + seconds * 1_000).toISOString();
  const scores: DemoScore[] = [];
  const give = (score: Omit<DemoScore, "traceId" | "comment"> & { comment?: string | null }) =>
    scores.push({ traceId: id, comment: null, ...score });
  const comment = isUnhappy ? random.pick(COMMENTS[cause]) : null;
  const isAsked = typeof metadata === "object" && metadata !== null && ASKED_KEY in metadata;
  const votes = random.chance(isUnhappy ? VOTES.unhappy : VOTES.happy);
  const bySource = { source: "user", author: user, timestamp: later(random.between(2, 20)) } as const;
  if (isAsked && votes) give({ name: "helpful", value: !isUnhappy, comment, ...bySource });
  if (random.chance(STARS_SHARE))
    give({ name: "stars", value: isUnhappy ? random.between(1, 2) : random.between(3, 5), ...bySource });
  if (isUnhappy && random.chance(COMPLAINT_SHARE))
    give({ name: "complaint", value: false, comment, ...bySource });
  if (!random.chance(JUDGED_SHARE)) return scores;
  const isGood = !isUnhappy && status === "COMPLETED";
  const isCalledGood = random.chance(JUDGE_ERROR) ? !isGood : isGood;
  give({
    ...{ name: "correct", value: isCalledGood, source: "judge", author: JUDGE, timestamp: later(25) },
    comment: isCalledGood ? null : "The reply does not settle what the customer asked for.",
  });
  if (random.chance(isCalledGood ? REVIEWED_SHARES.calledGood : REVIEWED_SHARES.calledBad))
    give({ name: "review", value: isGood, source: "person", author: REVIEWER, timestamp: later(30) });
  return scores;
}
