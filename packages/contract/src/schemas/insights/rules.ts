import { z } from "zod";
import { hash32FromHex, signatureFromHex } from "../../insights/hash-id.ts";
import { MASKED_MAX_LENGTH, maskText } from "../../insights/mask-text.ts";
import { stepOf } from "../../insights/sign-decision.ts";
import { fieldErrors } from "../field-errors.ts";
import { plainText } from "../plain-text.ts";
import { decisionType, instant } from "../values.ts";
import { createdBy } from "../workspaces/workspaces.ts";

const MAX_NOTE_LENGTH = 500;
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

const ruleKind = z
  .enum(["never", "share"])
  .describe(
    "never: the option must not be chosen; share: it must be chosen in a share between minShare and maxShare",
  );

const fields = {
  agent: "The agent: the name of its traces, with changing parts masked as #",
  signature: "The decision, 14 hexadecimal digits",
  step: "The option of this decision, 8 hexadecimal digits",
};

/** A rule as a user sends it. */
export const newDecisionRule = z
  .object({
    agent: plainText(MASKED_MAX_LENGTH)
      .transform(maskText)
      .meta({ type: "string", description: fields.agent, examples: ["support-agent"] }),
    signature: z
      .string()
      .refine((text) => signatureFromHex(text) !== undefined, { error: SIGNATURE })
      .describe(fields.signature)
      .register(fieldErrors, { texts: [SIGNATURE] }),
    type: decisionType,
    step: z
      .string()
      .refine((text) => hash32FromHex(text), { error: STEP })
      .describe(fields.step)
      .register(fieldErrors, { texts: [STEP, OTHER_STEP] }),
    option: plainText(MASKED_MAX_LENGTH).meta({ description: "The name of the option" }),
    kind: ruleKind,
    minShare: share
      .describe("From 0 to 1; null: no lower limit")
      .register(fieldErrors, { texts: [NO_LIMITS, UNUSED] }),
    maxShare: share
      .describe("From 0 to 1; null: no upper limit")
      .register(fieldErrors, { texts: [ORDER, UNUSED] }),
    note: plainText(MAX_NOTE_LENGTH).nullish().meta({ description: "Why there is this rule" }),
  })
  .superRefine(({ signature, step, option, kind, minShare = null, maxShare = null }, context) => {
    const fail = (field: string, message: string) =>
      context.addIssue({ code: "custom", path: [field], message });
    if (stepOf(signatureFromHex(signature) ?? 0, option) !== hash32FromHex(step)) fail("step", OTHER_STEP);
    if (kind === "share" && minShare === null && maxShare === null) fail("minShare", NO_LIMITS);
    if (kind === "share" && (minShare ?? 0) > (maxShare ?? 1)) fail("maxShare", ORDER);
    if (kind === "never" && minShare !== null) fail("minShare", UNUSED);
    if (kind === "never" && maxShare !== null) fail("maxShare", UNUSED);
  });

/** A decision contract. */
export const decisionRule = z.object({
  id: z.string(),
  agent: z.string().describe(fields.agent),
  signature: z.string().describe(fields.signature),
  type: decisionType,
  step: z.string().describe(fields.step),
  option: z.string(),
  kind: ruleKind,
  minShare: z.number().nullable(),
  maxShare: z.number().nullable(),
  note: z.string().nullable(),
  createdAt: instant,
  createdBy,
});
export const decisionRuleList = z.object({ rules: z.array(decisionRule) });

export type DecisionRule = z.infer<typeof decisionRule>;
