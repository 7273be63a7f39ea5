import {
  MASKING_FIELDS,
  MAX_TESTED_BYTES,
  type MaskingField,
  type MaskingLevel,
  type MaskingRule,
} from "@whytrace/contract/schemas/masking/settings";
import { HttpError } from "../http/http-error.ts";
import { compileRules } from "../masking/compile-rules.ts";
import { PatternTimeout } from "../masking/find/pattern-budget.ts";
import { TooManyMatches } from "../masking/find/text-not-checked.ts";
import { MaskedFields } from "../masking/masked-fields.ts";
import { countsByType, Masker, type MaskingCounts } from "../masking/masker.ts";
import type { MaskingConfig } from "../masking/masking-config.ts";
import { MaskingTally } from "../masking/masking-tally.ts";
import type { StoredMasking } from "../masking/stored-masking.ts";
import { maskComment } from "../masking/structure-only.ts";
import { tokenKey } from "../masking/token-key.ts";
import { TokensTooLong } from "../masking/token-room.ts";

export interface Trial {
  text?: unknown;
  json?: unknown;
  source?: unknown;
  level: MaskingLevel;
  rules: MaskingRule[];
}

const SLOW_HERE = 'The pattern of the rule "<name>" takes too long for this text';
const LONG_HERE = 'The tokens of the rule "<name>" make this text too long';
const OFTEN_HERE = 'The pattern of the rule "<name>" matches too often in this text';
const REASONS: Readonly<Record<string, string>> = {
  [PatternTimeout.name]: SLOW_HERE,
  [TokensTooLong.name]: LONG_HERE,
  [TooManyMatches.name]: OFTEN_HERE,
};
export const TRY_ERRORS = [
  "Send a text or json",
  `A text to try must have at most ${MAX_TESTED_BYTES} bytes`,
  "Invalid source",
  SLOW_HERE,
  LONG_HERE,
  OFTEN_HERE,
];
const [NOTHING = "", TOO_LONG = "", INVALID_SOURCE = ""] = TRY_ERRORS;

/**
 * Masks a text or JSON as it would be masked when it is stored, with the workspace's key. Stores and logs nothing. Fails with the rule
 * that cannot be applied to it: when it is stored, it would be replaced as a whole.
 */
export function tryMasking(
  { text, json, source = "input", level, rules }: Trial,
  stored: StoredMasking,
  { floor, secret }: MaskingConfig,
): { masked: unknown; counts: MaskingCounts } {
  const field = MASKING_FIELDS.find((known) => known === source);
  if (!field) throw new HttpError(400, INVALID_SOURCE);
  if (typeof text !== "string" && json === undefined) throw new HttpError(400, NOTHING);
  const bytes = Buffer.from(typeof text === "string" ? text : JSON.stringify(json));
  if (bytes.length > MAX_TESTED_BYTES) throw new HttpError(400, TOO_LONG);
  const key = tokenKey(stored.key, secret);
  const refused: string[] = [];
  const tally = new MaskingTally(({ rule, error }) => {
    const reason = REASONS[error];
    if (rule && reason) refused.push(reason.replace("<name>", rule.name));
  });
  const masking = compileRules({ version: stored.version, level, floor, rules, key, tally });
  const masker = new Masker(masking);
  const fields = new MaskedFields(masker, masking.level === "structure");
  const masked =
    typeof text === "string" ? maskText(text, field, fields, masker) : maskJson(bytes, field, fields, masker);
  const [reason] = refused;
  if (reason !== undefined) throw new HttpError(400, reason);
  return { masked, counts: countsByType(masker.counts) };
}

/** What would be stored of a text in a field: a payload that is a text, or a field that always is one. */
function maskText(text: string, field: MaskingField, fields: MaskedFields, masker: Masker): unknown {
  switch (field) {
    case "names":
      return fields.name(text);
    case "session":
      return fields.session(text);
    case "tags":
      return fields.tags([text])[0];
    case "errors":
      return fields.error(text);
    case "reasoning":
      return fields.reasoning(text);
    case "comments":
      return fields.isStructureOnly ? maskComment(text, "judge", masker) : masker.text(text, field);
    default:
      return fields.isStructureOnly
        ? maskJson(Buffer.from(JSON.stringify(text)), field, fields, masker)
        : masker.text(text, field);
  }
}

function maskJson(bytes: Buffer, field: MaskingField, fields: MaskedFields, masker: Masker): unknown {
  if (!fields.isStructureOnly) return JSON.parse(Buffer.from(masker.json(bytes, field)).toString());
  const masked = field === "chosen" ? fields.storedOption(bytes, false) : fields.storedPayload(bytes, field);
  return JSON.parse(Buffer.from(masked).toString());
}
