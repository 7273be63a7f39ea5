import { z } from "zod";
import { MIN_REVIEWED_RUNS } from "../../insights/rate.ts";
import { count } from "../values.ts";
import { interval } from "./rate.ts";

/** In which order runs are judged. */
export const JUDGE_SAMPLES = ["newest", "random"] as const;
/** So many runs that wait for a judge are looked at, the newest. */
export const MAX_WAITING_RUNS = 20_000;
export const MAX_QUEUED_RUNS = 5_000;
/** So many judgements are compared with people, the newest. */
export const MAX_COMPARED_JUDGEMENTS = 20_000;

export const judgeQueue = z.object({
  traces: z.array(z.string()).describe("Ids of ended runs without a score of this name by this author"),
  left: count
    .max(MAX_WAITING_RUNS)
    .describe(`How many such runs there are, these included; ${MAX_WAITING_RUNS} also stands for more`),
});

export const judgeAgreement = z.object({
  name: z.string(),
  author: z.string().nullable().describe("Null: all judges of this name together"),
  against: z.string().describe("The name of the scores that people gave"),
  judged: count.describe(
    `Judged runs that can be compared; of the newest ${MAX_COMPARED_JUDGEMENTS} judgements`,
  ),
  leftOut: count.describe(
    "Judged runs that cannot be compared: numbers that no condition of the definition cuts, judges that contradict each other, and " +
      "labels that are too rare",
  ),
  reviewed: count.describe("Judged runs that people judged, too"),
  agreement: interval
    .nullable()
    .describe(
      "In which share of all judged runs judge and people agree. Each review counts for all runs with the same judgement. Null " +
        `below ${MIN_REVIEWED_RUNS} reviewed runs, and if nobody reviewed any run of a label that more than 5 % of the runs have`,
    ),
  kappa: interval
    .nullable()
    .describe("Cohen's κ: 0 as often as by chance, 1 always. Null where agreement is"),
  asCounted: z
    .object({ agreement: z.number(), kappa: z.number().nullable() })
    .nullable()
    .describe("The same of the reviewed runs alone, without weights"),
  confusion: z
    .array(z.object({ judge: z.string(), person: z.string(), runs: count }))
    .describe("Reviewed runs by what the judge and people said"),
  byLabel: z
    .array(z.object({ label: z.string(), judged: count, reviewed: count, agreed: count }))
    .describe(
      "By what the judge said: how many runs, how many of them were reviewed, and in how many people agreed",
    ),
});

export type JudgeSample = (typeof JUDGE_SAMPLES)[number];
export type JudgeQueue = z.infer<typeof judgeQueue>;
export type JudgeAgreement = z.infer<typeof judgeAgreement>;
