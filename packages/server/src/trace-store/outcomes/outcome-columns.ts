import type { ParsedTrace } from "@whytrace/contract";
import { type OutcomeReason, RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";
import { BUILT_IN, type Definition, definitionNumber } from "../../outcomes/definition.ts";
import { judgeRun, OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import type { JudgedReason } from "../../outcomes/judged-reason.ts";
import { ASKED_KEY, askedNames, type JudgedRun } from "../../outcomes/judged-run.ts";
import { isPlaced, type MarkedTrace, markDecisions, markRun } from "../../outcomes/mark-decisions.ts";
import { encodeMarks } from "../../outcomes/marks.ts";
import { payloadBytes } from "../../payloads/payload-bytes.ts";
import { decisionSearch } from "../rows/decision-search.ts";
import { MAX_METADATA_BYTES, splitMetadataPair } from "../rows/metadata-pairs.ts";
import type { ParsedScore } from "../scores/parsed-score.ts";
import { toJudgedScore } from "../scores/to-judged-score.ts";

/** How a run is judged, as it is stored in the trace's row. */
export interface OutcomeColumns {
  /** A number of `RUN_OUTCOMES`. */
  outcome: number;
  outcomeFlags: number;
  definition: number;
  marks: Uint8Array | null;
}

/** What is stored, and why the run is bad. */
interface JudgedColumns extends OutcomeColumns {
  reasons: readonly OutcomeReason[];
}

/** A trace as far as conditions look at it. What a trace of OpenTelemetry lacks here is read from its rows. */
type OutcomeTrace = Pick<ParsedTrace, "status"> &
  Partial<Pick<ParsedTrace, "tags" | "totalCost" | "totalDuration">> & {
    metadata?: unknown;
    spans?: MarkedTrace["spans"];
    /** Those of a trace without metadata. */
    metadataPairs?: readonly string[] | null;
    events?: readonly Partial<ParsedTrace["events"][number]>[];
    decisionPoints?: readonly Partial<ParsedTrace["decisionPoints"][number]>[];
  };

/** Judges a trace that has no scores but those that it carries, from what was sent. */
export function outcomeColumns(
  trace: OutcomeTrace,
  definition: Definition = BUILT_IN,
  scores: readonly ParsedScore[] = [],
): JudgedColumns {
  const metadata = readMetadata(trace, definition);
  if (definition === BUILT_IN && scores.length === 0) return builtInColumns(trace, metadata);
  const run = judgedRun(trace, metadata, definition);
  const { outcome, flags, reasons } = judgeRun(run, scores.map(toJudgedScore), definition);
  return {
    outcome: RUN_OUTCOMES.indexOf(outcome),
    outcomeFlags: flags,
    definition: definitionNumber(definition),
    marks: outcome === "bad" && trace.decisionPoints?.length ? encodeMarks(marksOf(trace, reasons)) : null,
    reasons: outcome === "bad" ? reasons : [],
  };
}

const [GOOD, BAD, , OPEN] = [0, 1, 2, 3];
const BY_STATUS = { definition: 0, marks: null, reasons: [] };
const ENDED_IN_ERROR: readonly OutcomeReason[] = [
  {
    condition: 0,
    kind: "status",
    text: "The run ended in ERROR",
    place: { kind: "run", id: null },
    scoreId: null,
  },
];

/** The same as `judgeRun` by the definition that is built in, which almost every trace is judged by. */
function builtInColumns(
  { status }: OutcomeTrace,
  metadata: Readonly<Record<string, unknown>>,
): JudgedColumns {
  const asked = askedNames(metadata).length > 0 ? OUTCOME_FLAGS.asked : 0;
  if (status === "RUNNING") return { outcome: OPEN, outcomeFlags: asked, ...BY_STATUS };
  return status === "ERROR"
    ? {
        outcome: BAD,
        outcomeFlags: asked | OUTCOME_FLAGS.badByObserved,
        ...BY_STATUS,
        reasons: ENDED_IN_ERROR,
      }
    : { outcome: GOOD, outcomeFlags: asked, ...BY_STATUS };
}

/** Conditions on the trace itself, and the scores that it carries, name only what came with it. */
function marksOf(
  { spans = [], decisionPoints = [], events = [] }: OutcomeTrace,
  reasons: readonly JudgedReason[],
) {
  const size = { spanCount: spans.length, decisionPointCount: decisionPoints.length };
  if (!isPlaced(reasons, size)) return markRun(reasons);
  return markDecisions(
    {
      spans,
      decisionPoints: decisionPoints.flatMap(({ id, parentSpanId = null, timestamp }, position) =>
        id && timestamp !== undefined ? { id, parentSpanId, timestamp, position } : [],
      ),
      events: events.flatMap(({ id, spanId = null, timestamp }) =>
        id && timestamp !== undefined ? { id, spanId, timestamp } : [],
      ),
    },
    reasons,
  );
}

function judgedRun(
  {
    status,
    tags = [],
    totalCost = null,
    totalDuration = null,
    events = [],
    decisionPoints = [],
  }: OutcomeTrace,
  metadata: Readonly<Record<string, unknown>>,
  definition: Definition,
): JudgedRun {
  return {
    status,
    tags,
    metadata,
    totalCost,
    totalDuration,
    events: looksAt(definition, "event")
      ? events.flatMap(({ id, type, name }) => (id && type && name ? { id, type, name } : []))
      : [],
    decisions: looksAt(definition, "decision")
      ? decisionPoints.flatMap(({ id, type, chosen }) =>
          id && type ? { id, type, option: decisionSearch("", { chosen, reasoning: null }).choice } : [],
        )
      : [],
  };
}

/** Whether a condition of the definition is of this kind. */
export const looksAt = ({ bad }: Definition, kind: Definition["bad"][number]["kind"]): boolean =>
  bad.some((condition) => condition.kind === kind);

/** The top level of metadata, if the definition or a recorded ask needs it. */
function readMetadata(
  { metadata, metadataPairs = null }: OutcomeTrace,
  definition: Definition,
): Readonly<Record<string, unknown>> {
  const bytes = metadata instanceof Uint8Array ? metadata : payloadBytes(metadata);
  if (bytes === null)
    return looksAt(definition, "metadata") || metadataPairs?.some((pair) => pair.startsWith(ASKED_KEY))
      ? parseMetadata(null, metadataPairs)
      : {};
  if (bytes.length > MAX_METADATA_BYTES) return {};
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!looksAt(definition, "metadata") && !json.includes(ASKED_KEY)) return {};
  return parseMetadata(json.toString(), null);
}

/** The top level of stored metadata; without any, the pairs by which a trace of OpenTelemetry is found. */
export function parseMetadata(
  json: string | null,
  pairs: readonly string[] | null,
): Readonly<Record<string, unknown>> {
  if (json !== null) {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return Object.fromEntries(Object.entries(parsed));
  }
  const known = (pairs ?? []).map(splitMetadataPair);
  const asked = known.filter(({ key }) => key === ASKED_KEY).map(({ value }) => value);
  return {
    ...Object.fromEntries(known.map(({ key, value }) => [key, value])),
    ...(asked.length > 0 && { [ASKED_KEY]: asked }),
  };
}
