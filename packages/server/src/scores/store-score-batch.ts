import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { HttpError } from "../http/http-error.ts";
import type { IngestOutcome, JobContext, ScoresJob } from "../ingest/ingest-job.ts";
import { JsonLimitError, JsonSyntaxError } from "../ingest/json-errors.ts";
import { PLAIN, RAW, type Shape } from "../ingest/json-shape.ts";
import { scanSteps } from "../ingest/scan-json.ts";
import { parseScores } from "./parse-scores.ts";

const FIELDS = [
  "id",
  "traceId",
  "spanId",
  "decisionId",
  "name",
  "value",
  "label",
  "source",
  "author",
  "comment",
  "timestamp",
];
/** What the scan of a request body returns: metadata as the bytes that were sent. */
const SCORES_SHAPE: Shape = {
  record: new Map([
    [
      "scores",
      {
        list: {
          record: new Map<string, Shape>([
            ...FIELDS.map((name) => [name, PLAIN] as const),
            ["metadata", RAW],
          ]),
        },
      },
    ],
  ]),
};

/** What a score costs at least, however short it is, in bytes of a usual body. */
const MIN_SCORE_BYTES = 1024;

/** Stores the body of POST /api/scores. */
export async function storeScoreBatch(
  { personId }: ScoresJob,
  body: Buffer,
  { scores: store, sender, onParsed }: JobContext,
): Promise<IngestOutcome> {
  const person = personId === undefined ? undefined : { userId: personId };
  const scores = parseScores(await scan(body), person);
  onParsed(Math.max(body.length, scores.length * MIN_SCORE_BYTES));
  await store.store(sender, scores, body.length);
  return { count: scores.length, ids: scores.map(({ id }) => id), rejected: 0, reason: "" };
}

async function scan(body: Buffer): Promise<unknown> {
  try {
    return await runInTimeSlices(scanSteps(body, SCORES_SHAPE));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, "Invalid JSON in request body");
    if (error instanceof JsonLimitError) throw new HttpError(400, error.message);
    throw error;
  }
}
