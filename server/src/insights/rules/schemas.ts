import {
  DECISION_POINT_TYPES,
  hash32,
  hash32FromHex,
  MASKED_MAX_LENGTH,
  MAX_RULE_NOTE_LENGTH,
  maskText,
  RULE_KINDS,
  signatureFromHex,
} from "@whytrace/contract";
import { z } from "zod";
import { plainText } from "../../http/plain-text.ts";
import { fieldErrors } from "../../http/route-schema.ts";

const SIGNATURE = "must be 14 hexadecimal digits";
const STEP = "must be 8 hexadecimal digits";
const OTHER_STEP = "is not the step of this option";
const SHARE = "must be between 0 and 1";
const NO_LIMITS = "must be given, or maxShare, for a rule of the kind share";
const ORDER = "must not be less than minShare";
const UNUSED = "is only for rules of the kind share";

const share = z
  .number()
  .refine((value) => value >= 0 && value <= 1, { error: SHARE })
  .nullish()
  .register(fieldErrors, { texts: [SHARE] });

const fields = {
  agent: "The agent: the name of its traces, with changing parts masked as #",
  signature: "The decision, 14 hexadecimal digits",
  step: "The option of this decision, 8 hexadecimal digits",
  kind: "never: the option must not be chosen; share: it must be chosen in a share between minShare and maxShare",
};

/** A rule as a user sends it. */
export const savedRule = z
  .object({
    agent: plainText(MASKED_MAX_LENGTH)
      .transform(maskText)
      .meta({ type: "string", description: fields.agent, examples: ["support-agent"] }),
    signature: z
      .string()
      .refine((text) => signatureFromHex(text) !== undefined, { error: SIGNATURE })
      .describe(fields.signature)
      .register(fieldErrors, { texts: [SIGNATURE] }),
    type: z.enum(DECISION_POINT_TYPES),
    step: z
      .string()
      .refine((text) => hash32FromHex(text), { error: STEP })
      .describe(fields.step)
      .register(fieldErrors, { texts: [STEP, OTHER_STEP] }),
    option: plainText(MASKED_MAX_LENGTH).meta({ description: "The name of the option" }),
    kind: z.enum(RULE_KINDS).describe(fields.kind),
    minShare: share
      .describe("From 0 to 1; null: no lower limit")
      .register(fieldErrors, { texts: [NO_LIMITS, UNUSED] }),
    maxShare: share
      .describe("From 0 to 1; null: no upper limit")
      .register(fieldErrors, { texts: [ORDER, UNUSED] }),
    note: plainText(MAX_RULE_NOTE_LENGTH).nullish().meta({ description: "Why there is this rule" }),
  })
  .superRefine(({ signature, step, option, kind, minShare = null, maxShare = null }, context) => {
    const fail = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (hash32(`${signatureFromHex(signature)}\n${option}`) !== hash32FromHex(step)) fail("step", OTHER_STEP);
    if (kind === "share" && minShare === null && maxShare === null) fail("minShare", NO_LIMITS);
    if (kind === "share" && (minShare ?? 0) > (maxShare ?? 1)) fail("maxShare", ORDER);
    if (kind === "never" && minShare !== null) fail("minShare", UNUSED);
    if (kind === "never" && maxShare !== null) fail("maxShare", UNUSED);
  });

export const decisionRule = z.object({
  id: z.string(),
  agent: z.string().describe(fields.agent),
  signature: z.string().describe(fields.signature),
  type: z.enum(DECISION_POINT_TYPES),
  step: z.string().describe(fields.step),
  option: z.string(),
  kind: z.enum(RULE_KINDS).describe(fields.kind),
  minShare: z.number().nullable(),
  maxShare: z.number().nullable(),
  note: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
