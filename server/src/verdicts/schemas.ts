import {
  DECISION_POINT_TYPES,
  MAX_VERDICT_NOTE_LENGTH,
  MAX_VERDICT_OPTION_LENGTH,
  VERDICTS,
} from "@whytrace/contract";
import { z } from "zod";
import { plainText } from "../http/plain-text.ts";
import { fieldErrors } from "../http/route-schema.ts";

const VERDICT = `must be one of: ${VERDICTS.join(", ")}`;
const ONLY_WRONG = "is allowed only together with the verdict wrong";
const NOTE = "must not contain control characters other than line breaks";
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
    shouldHaveBeen: plainText(MAX_VERDICT_OPTION_LENGTH)
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

export const verdict = z.object({
  traceId: z.string(),
  decisionPointId: z.string(),
  verdict: z.enum(VERDICTS),
  shouldHaveBeen: z.string().nullable(),
  note: z.string().nullable(),
  suspectRank: z.number().int().nullable(),
  createdAt: z.iso.datetime().describe("When it was given or last changed"),
});

export const listedVerdict = verdict.extend({
  type: z.enum(DECISION_POINT_TYPES),
  option: z.string().describe("The option that the agent chose"),
  signature: z.string().describe("Identifies the decision: a type and a set of options"),
  step: z.string().describe("Identifies the option of this decision"),
  agent: z.string().describe("The name of the trace, with changing parts masked as #"),
});

export const verdictCounts = z.object({
  counts: z.array(
    z.object({
      step: z.string(),
      right: z.number().int(),
      wrong: z.number().int(),
      shouldHaveBeen: z.array(z.object({ option: z.string(), verdicts: z.number().int() })),
    }),
  ),
  lastNote: listedVerdict.nullable().describe("The newest verdict with a note"),
});
