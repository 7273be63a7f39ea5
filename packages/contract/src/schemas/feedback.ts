import { z } from "zod";
import {
  FEEDBACK_TOKEN_SECONDS,
  MAX_FEEDBACK_AUTHOR_BYTES,
  MAX_FEEDBACK_VALUE,
  MAX_SCORE_NAME_BYTES,
} from "../feedback/feedback-token.ts";
import { isLonger, MAX_ID_BYTES } from "../traces/parse-field.ts";
import { fieldErrors } from "./field-errors.ts";
import { instant } from "./values.ts";

/** In characters: what a person writes beside a vote. */
export const MAX_FEEDBACK_COMMENT_LENGTH = 2_000;

const boundedText = (minLength: number, maxBytes: number) => {
  const tooLong = `must have at most ${maxBytes} bytes`;
  return z
    .string()
    .min(minLength, { error: "must not be empty" })
    .refine((text) => !isLonger(text, maxBytes), { error: tooLong })
    .register(fieldErrors, { texts: [tooLong] });
};

export const newFeedbackToken = z.object({
  traceId: boundedText(1, MAX_ID_BYTES).describe("The trace need not be stored yet"),
  name: boundedText(1, MAX_SCORE_NAME_BYTES)
    .describe("Of the score that the token sets")
    .meta({ examples: ["helpful"] }),
  max: z
    .int()
    .min(1)
    .max(MAX_FEEDBACK_VALUE)
    .optional()
    .describe("The score is a number from 0 to this. Default: true or false"),
  author: boundedText(0, MAX_FEEDBACK_AUTHOR_BYTES)
    .optional()
    .describe("Whom the score is from. The holder of the token cannot change it"),
  expiresInSeconds: z
    .int()
    .min(1)
    .max(FEEDBACK_TOKEN_SECONDS.max)
    .default(FEEDBACK_TOKEN_SECONDS.default)
    .describe("Default: 7 days"),
});

export const createdFeedbackToken = z.object({ token: z.string(), expiresAt: instant });

/** Only for the API reference: the server reads a vote by hand, because each error has its text and its turn. */
export const feedback = z.object({
  token: z.string(),
  value: z
    .union([z.boolean(), z.number(), z.null()])
    .describe("What the token allows: true or false, or a number up to its bound. Null takes the vote back"),
  comment: z.string().max(MAX_FEEDBACK_COMMENT_LENGTH).nullish(),
});
