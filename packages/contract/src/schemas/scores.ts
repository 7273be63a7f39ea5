import { z } from "zod";
import { pageInfo } from "./page.ts";
import { successSchema } from "./success.ts";
import { count, instant } from "./values.ts";

/** Who judges, in the order of the numbers that are stored. */
export const SCORE_SOURCES = ["user", "judge", "code", "person"] as const;
/** The kinds of values, in the order of the numbers that are stored. */
export const SCORE_KINDS = ["number", "boolean", "label"] as const;

export const MAX_SCORES_PER_REQUEST = 1_000;
export const MAX_SCORES_PER_TRACE = 1_000;
export const MAX_WAITING_SCORES = 100_000;
/** In bytes: names, authors, labels and texts that are values. */
export const MAX_SCORE_TEXT_BYTES = 200;
export const MAX_SCORE_COMMENT_BYTES = 4_000;
export const MAX_SCORE_METADATA_BYTES = 16_384;
const MAX_ID_BYTES = 1_024;
const MAX_LISTED_NAMES = 500;

const source = z
  .enum(SCORE_SOURCES)
  .describe(
    "Who judged: user, for whom the agent works; judge, a model or program that estimates quality; code, a check that is " +
      "right by construction; person, a member of the workspace",
  );
const value = z.union([z.number(), z.boolean(), z.string()]);

/** Only for the API reference: the server reads scores by hand, because each error has its text and its turn. */
const sentScore = z.object({
  id: z
    .string()
    .min(1)
    .max(MAX_ID_BYTES)
    .nullish()
    .describe(
      "Unique in your workspace. A later score with the same id replaces it. Without one, the id follows from place, name, " +
        "source and author",
    ),
  traceId: z.string().min(1).max(MAX_ID_BYTES).describe("The trace need not be stored yet"),
  spanId: z
    .string()
    .max(MAX_ID_BYTES)
    .nullish()
    .describe("The span that is judged. Not together with decisionId; without both, the run is judged"),
  decisionId: z.string().max(MAX_ID_BYTES).nullish().describe("The decision point that is judged"),
  name: z.string().min(1).max(MAX_SCORE_TEXT_BYTES).describe("What is judged, such as helpful"),
  value: value.describe("A finite number, true or false, or a text of at most 200 bytes"),
  label: z
    .string()
    .max(MAX_SCORE_TEXT_BYTES)
    .nullish()
    .describe("Together with a number: what the number means in words"),
  source: source
    .nullish()
    .describe("Default: code. For a signed-in member always person. One of user, judge, code and person"),
  author: z
    .string()
    .max(MAX_SCORE_TEXT_BYTES)
    .nullish()
    .describe(
      "Who exactly judged: a user's id, or a judge with its version. For a signed-in member the user's id",
    ),
  comment: z.string().max(MAX_SCORE_COMMENT_BYTES).nullish().describe("At most 4,000 bytes"),
  timestamp: z
    .string()
    .nullish()
    .describe(
      "When it was given, an ISO 8601 date. Default, and if it is more than a day ahead: when it arrived",
    ),
  metadata: z.record(z.string(), z.unknown()).nullish().describe("At most 16 KiB of JSON"),
});

export const scoreBatch = z.object({ scores: z.array(sentScore).min(1).max(MAX_SCORES_PER_REQUEST) }).meta({
  examples: [
    {
      scores: [
        { traceId: "5b2c7f0e-6a4d-4f0b-9d3e-0c1a2b3c4d5e", name: "helpful", value: false, source: "user" },
      ],
    },
  ],
});

export const storedScores = successSchema.extend({
  count: count.describe("Scores in the request"),
  ids: z.array(z.string()).describe("Their ids, in the order sent"),
});

export const score = z.object({
  id: z.string(),
  traceId: z.string(),
  spanId: z.string().nullable(),
  decisionId: z.string().nullable(),
  name: z.string(),
  kind: z.enum(SCORE_KINDS),
  value,
  label: z.string().nullable().describe("What a number means in words"),
  source,
  author: z.string().nullable(),
  comment: z.string().nullable(),
  timestamp: instant.describe("When it was given"),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  isWaiting: z.boolean().describe("Whether its trace is not stored yet"),
  createdAt: instant.describe("When it arrived"),
});

export const scoreList = z.object({ scores: z.array(score), ...pageInfo.shape });

export const scoreNames = z.object({
  names: z
    .array(
      z.object({
        name: z.string(),
        kinds: z.array(z.enum(SCORE_KINDS)),
        sources: z.array(z.enum(SCORE_SOURCES)),
        scores: count,
        runs: count.describe("Traces with such a score"),
        lastAt: instant,
        isOneSided: z
          .boolean()
          .describe(
            "At least 20 scores say good or bad, and 95 % of them or more say bad: only complaints come",
          ),
      }),
    )
    .max(MAX_LISTED_NAMES),
  isTruncated: z.boolean().describe(`Whether there are more than ${MAX_LISTED_NAMES} names`),
});

export const scoreSeries = z.object({
  days: z.array(
    z.object({
      day: z.string().describe("UTC, YYYY-MM-DD"),
      runs: count.describe("Ended runs that started on the day"),
      answered: count.describe("Runs with such a score"),
      asked: count.describe("Runs whose metadata says that a user was asked for it"),
      silent: count.describe("Runs that were asked and have no such score"),
      mean: z.number().nullable().describe("Of numbers and booleans (0 and 1), each run once"),
      low: z.number().nullable().describe("Lower end of its 95 % interval"),
      high: z.number().nullable(),
      bad: count.describe("Runs with a score that is false or whose label says fail"),
    }),
  ),
});

const kinds = z.array(z.enum(SCORE_KINDS));
const sources = z.array(z.enum(SCORE_SOURCES));
const runsSayingBad = count.describe("Runs with a score that is false or whose label says fail");

export const scoreSummary = z.object({
  from: instant,
  to: instant,
  runs: count.describe("Ended runs that started in the time range"),
  scoredRuns: count.describe("Those of them that have a score"),
  names: z.array(
    z.object({
      name: z.string(),
      kinds,
      sources,
      runs: count.describe("Runs with such a score"),
      said: count.describe("Runs with such a score that says good or bad: true or false, or a label"),
      bad: runsSayingBad,
      mean: z.number().nullable().describe("Of numbers and booleans (0 and 1), each run once"),
      low: z.number().nullable().describe("Lower end of its 95 % interval"),
      high: z.number().nullable(),
      min: z.number().nullable().describe("Of numbers"),
      max: z.number().nullable(),
      lastAt: instant,
      isOneSided: z.boolean().describe("As in the list of names, in the time range"),
      days: z.array(
        z.object({ day: z.string(), runs: count, bad: runsSayingBad, mean: z.number().nullable() }),
      ),
    }),
  ),
  isTruncated: z.boolean().describe("Whether there are names that are left out"),
  judgesAndUsers: z
    .object({
      runs: count.describe("Runs that both judges and users called good or bad, by scores of any name"),
      differ: count.describe("Those of them in which they contradict each other"),
      examples: z.array(z.object({ traceId: z.string(), name: z.string() })).describe("The newest of these"),
    })
    .describe("Where judges and users contradict each other"),
});

export const scoreValues = z.object({
  runs: count.describe("Runs with such a score"),
  values: z
    .array(z.object({ value: z.string(), runs: count, isBad: z.boolean() }))
    .describe(
      "What was said in how many runs, the most frequent first: true, false, labels, and numbers if they are few",
    ),
  numbers: z
    .object({
      min: z.number(),
      max: z.number(),
      cuts: z
        .array(z.object({ below: z.number(), runs: count }))
        .describe("How many runs have a number below each of up to three round numbers of the scale"),
    })
    .nullable(),
  judges: z
    .array(z.object({ author: z.string().nullable(), runs: count, lastAt: instant }))
    .describe("Judges and checks that gave such scores to runs, the most diligent first"),
});

export { MAX_LISTED_NAMES };

export type ScoreSource = (typeof SCORE_SOURCES)[number];
export type ScoreKind = (typeof SCORE_KINDS)[number];
export type Score = z.infer<typeof score>;
export type ScoreList = z.infer<typeof scoreList>;
export type ScoreSeries = z.infer<typeof scoreSeries>;
export type ScoreNames = z.infer<typeof scoreNames>;
export type ScoreSummary = z.infer<typeof scoreSummary>;
export type ScoreValues = z.infer<typeof scoreValues>;
