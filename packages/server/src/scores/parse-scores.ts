import { isLonger, isStorable, MAX_ID_BYTES, parseInstant, RawJson, storable } from "@whytrace/contract";
import {
  MAX_SCORE_COMMENT_BYTES,
  MAX_SCORE_METADATA_BYTES,
  MAX_SCORE_TEXT_BYTES,
  MAX_SCORES_PER_REQUEST,
  SCORE_SOURCES,
} from "@whytrace/contract/schemas/scores";
import { HttpError } from "../http/http-error.ts";
import { automaticScoreId, type ParsedScore } from "../trace-store/scores/parsed-score.ts";

/*
 * Checks scores one by one, each in the order of the texts below. The response names the first failed check, and nothing is
 * stored then.
 */

const LIST = "Request body must contain a 'scores' array";
const EMPTY = "Scores array cannot be empty";
const MANY = `Scores array must have at most ${MAX_SCORES_PER_REQUEST} items`;
const required = (field: string, type: string) => `Each score must have a valid '${field}' (${type})`;
const STRING = "must be a string or null";
const UNSTORABLE = "must not contain NUL or a lone surrogate";
const PLACES = "must not be given together with decisionId";
const VALUE_LENGTH = `must have 1 to ${MAX_SCORE_TEXT_BYTES} bytes`;
const FINITE = "must be a finite number";
const ONLY_NUMBERS = "is allowed only together with a number";
const DATE = "must be an ISO date string or null";
const OBJECT = "must be an object or null";
const atMost = (bytes: number) => `must have at most ${bytes} bytes`;

/** Error texts for the API reference. */
export const SCORE_ERRORS = [
  LIST,
  EMPTY,
  MANY,
  required("traceId", "string"),
  required("name", "string"),
  required("value", "number, boolean or string"),
  "Invalid score source: <value>",
  `Invalid score <field>: ${STRING}`,
  "Invalid score <field>: must have at most <n> bytes",
  `Invalid score <field>: ${UNSTORABLE}`,
  "Invalid score id: must not be empty",
  `Invalid score spanId: ${PLACES}`,
  `Invalid score value: ${VALUE_LENGTH}`,
  `Invalid score value: ${FINITE}`,
  `Invalid score label: ${ONLY_NUMBERS}`,
  `Invalid score timestamp: ${DATE}`,
  `Invalid score metadata: ${OBJECT}`,
  `Invalid score metadata: ${atMost(MAX_SCORE_METADATA_BYTES)}`,
];

type Sent = Readonly<Record<string, unknown>>;

/** Whose scores they are, whatever the body says: those of a signed-in member are that person's. */
interface ScorePerson {
  userId: string;
}

/** Returns the scores of a scanned request body, in the order sent. */
export function parseScores(body: unknown, person?: ScorePerson): ParsedScore[] {
  const scores = isObject(body) ? body.scores : undefined;
  if (!Array.isArray(scores)) throw new HttpError(400, LIST);
  if (scores.length === 0) throw new HttpError(400, EMPTY);
  if (scores.length > MAX_SCORES_PER_REQUEST) throw new HttpError(400, MANY);
  return scores.map((score) => parseScore(isObject(score) ? score : {}, person));
}

function parseScore(sent: Sent, person: ScorePerson | undefined): ParsedScore {
  const { value } = sent;
  if (typeof sent.traceId !== "string" || sent.traceId === "")
    throw new HttpError(400, required("traceId", "string"));
  if (typeof sent.name !== "string" || sent.name === "") throw new HttpError(400, required("name", "string"));
  if (typeof value !== "number" && typeof value !== "boolean" && typeof value !== "string")
    throw new HttpError(400, required("value", "number, boolean or string"));
  const source = SCORE_SOURCES.find((known) => known === (sent.source ?? "code"));
  if (!source) throw new HttpError(400, `Invalid score source: ${printed(sent.source)}`);
  const id = boundedText(sent, "id", MAX_ID_BYTES);
  if (id === "") throw invalid("id", "must not be empty");
  const traceId = boundedText(sent, "traceId", MAX_ID_BYTES) ?? "";
  const spanId = boundedText(sent, "spanId", MAX_ID_BYTES);
  const decisionId = boundedText(sent, "decisionId", MAX_ID_BYTES);
  const name = boundedText(sent, "name", MAX_SCORE_TEXT_BYTES) ?? "";
  const label = boundedText(sent, "label", MAX_SCORE_TEXT_BYTES);
  const author = boundedText(sent, "author", MAX_SCORE_TEXT_BYTES);
  const comment = readText(sent, "comment", MAX_SCORE_COMMENT_BYTES);
  if (spanId !== null && decisionId !== null) throw invalid("spanId", PLACES);
  checkValue(value);
  if (label !== null && typeof value !== "number") throw invalid("label", ONLY_NUMBERS);
  const given = person ? ({ source: "person", author: person.userId } as const) : { source, author };
  const place = { traceId, spanId, decisionId, name, ...given };
  return {
    ...place,
    id: id ?? automaticScoreId(place),
    value,
    label,
    comment: comment === null ? null : storable(comment),
    timestamp: readTimestamp(sent.timestamp ?? null),
    metadata: readMetadata(sent.metadata ?? null),
  };
}

const MAX_PRINTED_LENGTH = 100;

/** `String` fails for an object with a field that is called toString. */
const printed = (value: unknown) =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_PRINTED_LENGTH);

const invalid = (field: string, problem: string) => new HttpError(400, `Invalid score ${field}: ${problem}`);

function readText(sent: Sent, field: string, maxBytes: number): string | null {
  const text = sent[field] ?? null;
  if (text === null) return null;
  if (typeof text !== "string") throw invalid(field, STRING);
  if (isLonger(text, maxBytes)) throw invalid(field, atMost(maxBytes));
  return text;
}

/** A text that is compared, and so is never changed. */
function boundedText(sent: Sent, field: string, maxBytes: number): string | null {
  const text = readText(sent, field, maxBytes);
  if (text !== null && !isStorable(text)) throw invalid(field, UNSTORABLE);
  return text;
}

function checkValue(value: number | boolean | string) {
  if (typeof value === "number" && !Number.isFinite(value)) throw invalid("value", FINITE);
  if (typeof value !== "string") return;
  if (value === "" || isLonger(value, MAX_SCORE_TEXT_BYTES)) throw invalid("value", VALUE_LENGTH);
  if (!isStorable(value)) throw invalid("value", UNSTORABLE);
}

function readTimestamp(timestamp: unknown): number | null {
  if (timestamp === null) return null;
  const parsed = typeof timestamp === "string" ? parseInstant(timestamp) : undefined;
  if (parsed === undefined) throw invalid("timestamp", DATE);
  return parsed;
}

const OPEN_OBJECT = 0x7b;

/** The scan of a body leaves metadata as the bytes that were sent. */
function readMetadata(metadata: unknown): string | null {
  if (metadata === null) return null;
  if (!(metadata instanceof RawJson) || metadata.bytes[0] !== OPEN_OBJECT) throw invalid("metadata", OBJECT);
  if (metadata.bytes.length > MAX_SCORE_METADATA_BYTES)
    throw invalid("metadata", atMost(MAX_SCORE_METADATA_BYTES));
  return Buffer.from(metadata.bytes).toString("utf8");
}

const isObject = (value: unknown): value is Sent =>
  typeof value === "object" && value !== null && !Array.isArray(value);
