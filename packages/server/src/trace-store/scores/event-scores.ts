import type { ParsedEvent, ParsedTrace } from "@whytrace/contract";
import { MAX_SCORES_PER_TRACE } from "@whytrace/contract/schemas/scores";
import { payloadBytes } from "../../payloads/payload-bytes.ts";
import { MAX_METADATA_BYTES } from "../rows/metadata-pairs.ts";
import { type CarriedScore, carriedScores } from "./carried-score.ts";
import type { ParsedScore } from "./parsed-score.ts";
import { type Feedback, readFeedback } from "./read-feedback.ts";

/** The scores that the events of a posted trace are: what its users say, as a value. */
export function eventScores({ id, events }: Pick<ParsedTrace, "id" | "events">): ParsedScore[] {
  const carried: CarriedScore[] = [];
  for (const event of events) {
    const feedback = event.type === "USER_FEEDBACK" ? feedbackOf(event) : undefined;
    if (!feedback) continue;
    carried.push({
      ...feedback,
      key: event.id,
      spanId: event.spanId,
      label: null,
      source: "user",
      author: null,
      timestamp: event.timestamp,
      metadata: null,
    });
    if (carried.length === MAX_SCORES_PER_TRACE) break;
  }
  return carried.length === 0 ? [] : carriedScores(id, "event", carried);
}

function feedbackOf({ name, metadata }: ParsedEvent): Feedback | undefined {
  const bytes = payloadBytes(metadata);
  if (bytes === null || bytes.length > MAX_METADATA_BYTES) return undefined;
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!json.includes('"value"')) return undefined;
  const parsed: unknown = JSON.parse(json.toString());
  return typeof parsed === "object" && parsed !== null
    ? readFeedback(name, Object.fromEntries(Object.entries(parsed)))
    : undefined;
}
