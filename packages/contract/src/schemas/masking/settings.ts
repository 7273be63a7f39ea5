import { z } from "zod";
import { pageInfo } from "../page.ts";
import { count, instant } from "../values.ts";

/** What Whytrace masks without rules, from nothing to everything. */
export const MASKING_LEVELS = ["off", "secrets", "personal", "structure"] as const;
export type MaskingLevel = (typeof MASKING_LEVELS)[number];

export const MASKING_METHODS = ["remove", "mask", "hash", "replace", "keep"] as const;
export type MaskingMethod = (typeof MASKING_METHODS)[number];

export const MASKING_TYPES = [
  "email",
  "phone",
  "card",
  "iban",
  "ip",
  "secret",
  "key",
  "pattern",
  "anything",
] as const;
export type MaskingType = (typeof MASKING_TYPES)[number];

export const MASKING_FIELDS = [
  "input",
  "output",
  "metadata",
  "reasoning",
  "context",
  "chosen",
  "events",
  "names",
  "errors",
  "tags",
  "session",
  "comments",
] as const;
export type MaskingField = (typeof MASKING_FIELDS)[number];

export const MAX_MASKING_RULES = 50;
export const MAX_RULE_NAME_LENGTH = 100;
export const MAX_RULE_TEXT_LENGTH = 100;
export const MAX_RULE_KEYS = 50;
export const MAX_RULE_KEY_LENGTH = 100;
export const MAX_PATTERN_LENGTH = 500;
export const MAX_SOURCE_LENGTH = 200;
export const MAX_SOURCE_STEPS = 20;
export const MAX_TESTED_BYTES = 64 * 1024;

const maskingRule = z
  .object({
    id: z.string().optional().describe("Given by the server"),
    name: z.string().describe("1 to 100 characters. The word in the tokens of patterns and of whole values"),
    isEnabled: z.boolean().optional().describe("Default: true"),
    method: z
      .enum(MASKING_METHODS)
      .describe(
        "remove: the match becomes the empty text. mask: eight asterisks. hash: a token that is the same for equal values. " +
          "replace: a fixed text. keep: an exception, this type is not masked at this source",
      ),
    type: z.enum(MASKING_TYPES).describe("What is looked for"),
    source: z
      .string()
      .describe(
        "Where: *, a field (input, output, metadata, reasoning, context, chosen, events, names, errors, tags, session, comments), a field " +
          "and a path (input.customer.*, metadata.**.email), or messages:ROLE",
      ),
    pattern: z.string().optional().describe("Of the type pattern: a regular expression of RE2's syntax"),
    keys: z
      .array(z.string())
      .optional()
      .describe("Of the type key: names of keys instead of the built-in ones"),
    text: z.string().optional().describe("Of the method replace: the text that stands there instead"),
  })
  .describe("What a workspace masks in addition to its level");
export type MaskingRule = z.infer<typeof maskingRule>;

const level = z
  .enum(MASKING_LEVELS)
  .describe(
    "off: nothing. secrets: keys, tokens, passwords and card numbers. personal: also addresses, telephone and account " +
      "numbers, IP addresses. structure: every payload",
  );
const version = count.describe("Goes up with each change of level or rules");

const maskingJobSchema = z.object({
  version: version.describe(
    "The version of the rules that is applied. If the rules change, the job begins again",
  ),
  status: z.enum(["running", "done", "stopped"]).describe("stopped: what was masked until then stays masked"),
  done: count.describe("Traces that were looked at"),
  total: count.describe("Traces that were stored when the job began"),
  changed: count.describe("Traces in which something was masked"),
  leftOut: count.describe(
    "Traces that could not be checked, for example because a pattern took too long: they stay as they were",
  ),
  startedAt: instant,
  endedAt: instant.nullable(),
});
export type MaskingJob = z.infer<typeof maskingJobSchema>;

export const maskingSchema = z.object({
  version,
  level,
  floor: level.describe("No workspace of this server is below this level"),
  rules: z.array(maskingRule).describe("In their order: where several match, the first one decides"),
  job: maskingJobSchema
    .nullable()
    .describe("The last time that rules were applied to what is stored; null: they never were"),
  changedAt: instant.nullable(),
  changedBy: z.string().nullable().describe("The id of the member who changed it last"),
});
export type MaskingSettings = z.infer<typeof maskingSchema>;

const patternCost = z.object({
  costMsPerMiB: z
    .number()
    .describe(
      "What the own patterns cost together, in milliseconds for 1 MiB of the newest stored traces; 0 without patterns",
    ),
  warning: z.string().optional().describe("Set if they cost more than 50 ms per MiB"),
});
export type PatternCost = z.infer<typeof patternCost>;

export const maskingAfterSaveSchema = maskingSchema.extend(patternCost.shape);
export type MaskingAfterSave = z.infer<typeof maskingAfterSaveSchema>;

/** Only for the API reference: the server checks the body by hand, because each error has its text and its turn. */
export const savedMaskingSchema = z.object({
  version: version.describe("The version that was changed. 409 if it is not the current one"),
  level,
  rules: z.array(maskingRule),
});

export const testedMaskingSchema = z.object({
  text: z.string().optional().describe("A text to mask. Either this or json"),
  json: z.unknown().optional().describe("A JSON value to mask"),
  source: z.string().optional().describe("The field that it would be in. Default: input"),
  level: level.optional().describe("Default: the workspace's"),
  rules: z.array(maskingRule).optional().describe("Default: the workspace's"),
});

export const maskingLogSchema = z.object({
  entries: z.array(
    z.object({
      version,
      at: instant,
      userId: z.string().nullable(),
      action: z
        .string()
        .describe(
          "saved: level and rules were changed. raised: the operator's floor went up, or the server matches more. " +
            "previewed: they were tried on stored traces. applied: they are applied to stored traces. stopped: that was stopped. " +
            "failed: rules cannot be applied, so nothing is stored; once a day",
        ),
      detail: z.unknown().describe("Level and rules before and after; of a job, numbers of traces"),
    }),
  ),
  ...pageInfo.shape,
});

export const MAX_PREVIEWED_TRACES = 1_000;

export const previewedMaskingSchema = z.object({
  level,
  rules: z.array(maskingRule),
  traces: z
    .number()
    .int()
    .min(1)
    .max(MAX_PREVIEWED_TRACES)
    .optional()
    .describe(`How many of the newest traces. Default: ${MAX_PREVIEWED_TRACES}`),
});

export const maskingPreviewLine = z.union([
  z.object({ kind: z.literal("progress"), traces: count }),
  z.object({
    kind: z.literal("result"),
    traces: count,
    matchedTraces: count,
    leftOut: count.describe("Records of more than 1 MiB, which are not looked at"),
    fields: z.array(
      z.object({
        place: z.string().describe("Such as span.input.messages.*.content"),
        type: z.string(),
        rule: z.string().nullable().describe("The name of the rule; null: the level"),
        count,
        traces: count.describe("In how many traces"),
      }),
    ),
    ...patternCost.shape,
  }),
]);
export type MaskingPreviewLine = z.infer<typeof maskingPreviewLine>;

const counts = z.record(z.string(), count).describe("How many values were masked, by type");
export const maskedSampleSchema = z.object({ masked: z.unknown(), counts });

export const maskedMatchesSchema = z.object({
  since: instant.describe("7 days ago; later if there are more than 100,000 traces"),
  types: z
    .record(z.string(), count)
    .describe("How many values were masked in traces that began since then, by type"),
  rules: z
    .record(z.string(), count)
    .describe("The same by the id of the rule; what the level masked has none"),
});
export type MaskedMatches = z.infer<typeof maskedMatchesSchema>;

export const appliedMaskingSchema = z.object({ job: maskingJobSchema });
export const stoppedMaskingSchema = z.object({ job: maskingJobSchema.nullable() });

export const traceMaskingSchema = z.object({
  version: count
    .nullable()
    .describe("The version by which the trace was masked; null: it is older than masking"),
  isCurrent: z.boolean().describe("Whether that is the current version"),
  counts,
});
