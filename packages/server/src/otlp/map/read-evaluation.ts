import { storable } from "@whytrace/contract";
import {
  MAX_SCORE_COMMENT_BYTES,
  MAX_SCORE_METADATA_BYTES,
  MAX_SCORE_TEXT_BYTES,
  SCORE_SOURCES,
} from "@whytrace/contract/schemas/scores";
import { storableText } from "../../trace-store/rows/storable-text.ts";
import { asText } from "../decode/attribute-value.ts";
import type { OtlpScope } from "../decode/otlp-span.ts";
import { textKey } from "../decode/text-key.ts";
import { fieldsJson } from "./attributes-json.ts";
import type { ScoreFacts } from "./span-facts.ts";

/** The judgement of an evaluator, as an event of a span or as a log record. */
export const EVALUATION_RESULT = "gen_ai.evaluation.result";

export const EVALUATION_NAME = "gen_ai.evaluation.name";
const VALUE = "gen_ai.evaluation.score.value";
const LABEL = "gen_ai.evaluation.score.label";
export const EXPLANATION = "gen_ai.evaluation.explanation";
const SOURCE = "whytrace.score.source";
const USED: ReadonlySet<string> = new Set([EVALUATION_NAME, VALUE, LABEL, EXPLANATION, SOURCE, "event.name"]);

/** Labels that say yes or no. */
const BOOLEANS = new Map([
  ...["pass", "passed", "true"].map((word) => [word, true] as const),
  ...["fail", "failed", "false"].map((word) => [word, false] as const),
]);

/** Who told a score, and when. */
interface ScoreTeller {
  scope: OtlpScope;
  timeMs: number;
}

/**
 * Reads the result of an evaluation. Returns undefined if it has no name or says neither a value nor a label, and if the evaluator
 * failed: that says nothing about the run.
 */
export function readEvaluation(
  fields: Readonly<Record<string, unknown>>,
  teller: ScoreTeller,
): ScoreFacts | undefined {
  const name = storableText(asText(fields[EVALUATION_NAME]) ?? "", MAX_SCORE_TEXT_BYTES);
  const judged = readValue(fields[VALUE], asText(fields[LABEL]));
  if (name === "" || !judged || asText(fields["error.type"]) !== undefined) return undefined;
  const comment = asText(fields[EXPLANATION]);
  const metadata = metadataOf(fields);
  const responseId = asText(fields["gen_ai.response.id"]);
  return {
    name,
    ...judged,
    ...(comment !== undefined && { comment: storableText(comment, MAX_SCORE_COMMENT_BYTES) }),
    ...scoreTeller(fields[SOURCE], teller),
    ...(metadata !== undefined && { metadata }),
    ...(responseId !== undefined && { responseId: textKey(responseId) }),
  };
}

/** Who told a score, as it is stored. An evaluation without a source is that of a judge. */
export function scoreTeller(
  source: unknown,
  { scope, timeMs }: ScoreTeller,
): Pick<ScoreFacts, "source" | "author" | "timeMs"> {
  const author = storableText(scope.name, MAX_SCORE_TEXT_BYTES);
  return {
    source: SCORE_SOURCES.find((known) => known === source) ?? "judge",
    ...(author !== "" && { author }),
    timeMs,
  };
}

function readValue(
  value: unknown,
  label: string | undefined,
): Pick<ScoreFacts, "value" | "label"> | undefined {
  const number = asScore(value);
  const said = label === undefined ? undefined : BOOLEANS.get(label.toLowerCase());
  if (said !== undefined && (number === undefined || number === Number(said))) return { value: said };
  if (typeof value === "boolean" && label === undefined) return { value };
  const words = label === undefined ? undefined : storableText(label, MAX_SCORE_TEXT_BYTES);
  if (number !== undefined) return { value: number, ...(words !== undefined && { label: words }) };
  return words === undefined ? undefined : { value: words };
}

/** A finite number of either sign. Some senders write numbers as text. */
function asScore(value: unknown): number | undefined {
  if (typeof value === "boolean") return Number(value);
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** What else the sender says, as far as a score has room for it. */
function metadataOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  let json = "";
  for (const [key, value] of Object.entries(fields)) {
    if (USED.has(key)) continue;
    const field = storable(fieldsJson([[key, value]]));
    const longer = json === "" ? field : `${json},${field}`;
    if (Buffer.byteLength(longer) + 2 <= MAX_SCORE_METADATA_BYTES) json = longer;
  }
  return json === "" ? undefined : `{${json}}`;
}
