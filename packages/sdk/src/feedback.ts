import {
  FEEDBACK_TOKEN_SECONDS,
  feedbackSecret,
  isLonger,
  isStorable,
  MAX_FEEDBACK_AUTHOR_BYTES,
  MAX_FEEDBACK_VALUE,
  MAX_ID_BYTES,
  MAX_SCORE_NAME_BYTES,
  mintFeedbackToken,
  sha256,
} from "@whytrace/contract";
import { activeClient, currentContext } from "./global-state.ts";
import { isSampled } from "./is-sampled.ts";
import type { Recording } from "./recording.ts";

export interface FeedbackTokenOptions {
  /** Whom the score is from, for example a user's id, at most 64 bytes. The holder of the token cannot change it. */
  author?: string | undefined;
  /** The holder sets a number from 0 to this, at most 100. Default: true or false. */
  max?: number | undefined;
  /** Default: 7 days. At most 30 days. */
  expiresInSeconds?: number | undefined;
  /** Default: the trace that the calling code runs in. */
  traceId?: string | undefined;
}

/** A list in the metadata of a trace: for which scores a user was asked. */
const ASKED = "whytrace.feedback";

/**
 * Mints a token with which a web page can set one score of this name on the trace, and nothing else, without an API key:
 * POST /api/feedback { token, value, comment }. Makes no request. Returns undefined if the trace is not recorded.
 */
export function feedbackToken(name: string, options: FeedbackTokenOptions = {}): string | undefined {
  const active = activeClient();
  return active.reportErrors(() => {
    const current = currentContext()?.trace;
    const {
      traceId = current?.id,
      author = "",
      max = 0,
      expiresInSeconds = FEEDBACK_TOKEN_SECONDS.default,
    } = options;
    const isCurrent = traceId === current?.id;
    const client = current && isCurrent ? current.client : active;
    const { apiKey, sampleRate } = client.settings;
    // A trace that is not recorded has the id "".
    if (apiKey === undefined || !client.isRecording || traceId === "") return undefined;
    const fault = findFault(traceId, name, author, max, expiresInSeconds);
    if (traceId === undefined || fault) {
      client.report("misuse", `feedback token "${name}" was not minted: ${fault}`, traceId);
      return undefined;
    }
    if (!isSampled(traceId, sampleRate)) return undefined;
    if (isCurrent && current?.recording) recordAsked(current.recording, name);
    const secret = feedbackSecret(sha256(new TextEncoder().encode(apiKey)));
    const expiresAtSeconds = Math.floor(Date.now() / 1_000) + expiresInSeconds;
    return mintFeedbackToken(secret, { traceId, name, max, author, expiresAtSeconds });
  });
}

/** The server would not accept a token with such fields. */
function findFault(
  traceId: string | undefined,
  name: string,
  author: string,
  max: number,
  expiresInSeconds: number,
): string | undefined {
  if (traceId === undefined) return "it is outside any trace";
  if (!fits(traceId, MAX_ID_BYTES)) return `traceId must be a text of 1 to ${MAX_ID_BYTES} bytes`;
  if (!fits(name, MAX_SCORE_NAME_BYTES)) return `its name must have 1 to ${MAX_SCORE_NAME_BYTES} bytes`;
  if (author !== "" && !fits(author, MAX_FEEDBACK_AUTHOR_BYTES))
    return `author must be a text of at most ${MAX_FEEDBACK_AUTHOR_BYTES} bytes`;
  if (!isWithin(max, 0, MAX_FEEDBACK_VALUE)) return `max must be an integer from 1 to ${MAX_FEEDBACK_VALUE}`;
  if (!isWithin(expiresInSeconds, 1, FEEDBACK_TOKEN_SECONDS.max))
    return `expiresInSeconds must be an integer from 1 to ${FEEDBACK_TOKEN_SECONDS.max}`;
  return undefined;
}

const fits = (text: unknown, maxBytes: number) =>
  typeof text === "string" && text !== "" && isStorable(text) && !isLonger(text, maxBytes);
const isWithin = (value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max;

/** So that a run without a vote can be told from a run for which nobody was asked. */
function recordAsked(recording: Recording, name: string): void {
  const { metadata } = recording.trace;
  const known: unknown = typeof metadata === "object" && metadata !== null && Reflect.get(metadata, ASKED);
  const asked = Array.isArray(known) ? known : [];
  if (!asked.includes(name)) recording.setTrace({ metadata: { [ASKED]: [...asked, name] } });
}
