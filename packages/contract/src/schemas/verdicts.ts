import { z } from "zod";
import { MAX_VERDICT_NOTE_LENGTH } from "../insights/verdicts.ts";
import { fieldErrors } from "./field-errors.ts";
import { pageInfo } from "./page.ts";
import { plainText } from "./plain-text.ts";
import { count, decisionType, instant } from "./values.ts";
import { createdBy } from "./workspaces/workspaces.ts";

const VERDICTS = ["right", "wrong"] as const;
const VERDICT = `must be one of: ${VERDICTS.join(", ")}`;
const ONLY_WRONG = "is allowed only together with the verdict wrong";
const NOTE = "must not contain control characters other than line breaks";
/** As long as the longest name of an option. */
const MAX_OPTION_LENGTH = 200;
const MAX_RANK = 10_000;

const note = z
  .string()
  .trim()
  .max(MAX_VERDICT_NOTE_LENGTH, { error: `must have at most ${MAX_VERDICT_NOTE_LENGTH} characters` })
  .refine((text) => text.isWellFormed() && !/(?![\n\t])\p{Cc}/u.test(text), { error: NOTE })
  .register(fieldErrors, { texts: [NOTE] });

export const givenVerdict = z
  .object({
    traceId: z.string(),
    decisionPointId: z.string(),
    verdict: z.enum(VERDICTS, { error: VERDICT }).register(fieldErrors, { texts: [VERDICT] }),
    shouldHaveBeen: plainText(MAX_OPTION_LENGTH)
      .nullish()
      .register(fieldErrors, { texts: [ONLY_WRONG] })
      .describe("Together with wrong: the option that should have been chosen"),
    note: note.nullish().describe("Why"),
    suspectRank: z
      .int()
      .min(1)
      .max(MAX_RANK)
      .nullish()
      .describe(
        "Its rank among the suspects of an error. The verdicts on first suspects tell how often they were right.",
      ),
  })
  .superRefine(({ verdict, shouldHaveBeen }, context) => {
    if (verdict === "right" && shouldHaveBeen)
      context.addIssue({ code: "custom", path: ["shouldHaveBeen"], message: ONLY_WRONG });
  });

/** What a person says about a decision. */
export const verdict = z.object({
  traceId: z.string(),
  decisionPointId: z.string(),
  verdict: z.enum(VERDICTS),
  /** Together with "wrong": the option that should have been chosen. */
  shouldHaveBeen: z.string().nullable(),
  note: z.string().nullable(),
  /** Its rank among the suspects when it was judged; null if it was judged elsewhere. */
  suspectRank: count.nullable(),
  createdAt: instant.describe("When it was given or last changed"),
});

export const savedVerdict = verdict.extend({ createdBy });

const listedVerdict = savedVerdict.extend({
  type: decisionType,
  option: z.string().describe("The option that the agent chose"),
  signature: z.string().describe("Identifies the decision: a type and a set of options"),
  step: z.string().describe("Identifies the option of this decision"),
  agent: z.string().describe("The name of the trace, with changing parts masked as #"),
});
export const verdictList = z.object({ verdicts: z.array(listedVerdict), ...pageInfo.shape });

/** How often the choice of an option was judged. */
const verdictCount = z.object({
  step: z.string(),
  right: count,
  wrong: count,
  /** What should have been chosen instead, where it was said; masked like the names of options. */
  shouldHaveBeen: z.array(z.object({ option: z.string(), verdicts: count })),
});
/** The verdicts on one decision, that is, on a type and a set of options. */
export const verdictCounts = z.object({
  counts: z.array(verdictCount),
  lastNote: listedVerdict.nullable().describe("The newest verdict with a note"),
});

export type GivenVerdict = z.input<typeof givenVerdict>;
export type Verdict = z.infer<typeof verdict>;
export type SavedVerdict = z.infer<typeof savedVerdict>;
export type VerdictKind = Verdict["verdict"];
export type ListedVerdict = z.infer<typeof listedVerdict>;
export type VerdictList = z.infer<typeof verdictList>;
export type VerdictCount = z.infer<typeof verdictCount>;
export type VerdictCounts = z.infer<typeof verdictCounts>;
