import type { ParsedTrace } from "@whytrace/contract";
import { RUN_OUTCOMES } from "@whytrace/contract/schemas/outcomes";
import { BUILT_IN, type Definition, definitionNumber } from "../../outcomes/definition.ts";
import { judgeRun, OUTCOME_FLAGS } from "../../outcomes/judge-run.ts";
import { ASKED_KEY, askedNames, type JudgedRun } from "../../outcomes/judged-run.ts";
import { payloadBytes } from "../../payloads/payload-bytes.ts";
import { decisionSearch } from "../rows/decision-search.ts";
import { MAX_METADATA_BYTES, splitMetadataPair } from "../rows/metadata-pairs.ts";

/** How a run is judged, as it is stored in the trace's row. */
export interface OutcomeColumns {
  /** A number of `RUN_OUTCOMES`. */
  outcome: number;
  outcomeFlags: number;
  definition: number;
}

/** A trace as far as conditions look at it. What a trace of OpenTelemetry lacks here is read from its rows. */
export type OutcomeTrace = Pick<ParsedTrace, "status"> &
  Partial<Pick<ParsedTrace, "tags" | "totalCost" | "totalDuration">> & {
    metadata?: unknown;
    /** Those of a trace without metadata. */
    metadataPairs?: readonly string[] | null;
    events?: readonly Partial<ParsedTrace["events"][number]>[];
    decisionPoints?: readonly Partial<ParsedTrace["decisionPoints"][number]>[];
  };

/** Judges a trace that has no scores, from what was sent. */
export function outcomeColumns(trace: OutcomeTrace, definition: Definition = BUILT_IN): OutcomeColumns {
  const metadata = readMetadata(trace, definition);
  if (definition === BUILT_IN) return builtInColumns(trace, metadata);
  const { outcome, flags } = judgeRun(judgedRun(trace, metadata, definition), [], definition);
  return {
    outcome: RUN_OUTCOMES.indexOf(outcome),
    outcomeFlags: flags,
    definition: definitionNumber(definition),
  };
}

const [GOOD, BAD, , OPEN] = [0, 1, 2, 3];

/** The same as `judgeRun` by the definition that is built in, which almost every trace is judged by. */
function builtInColumns(
  { status }: OutcomeTrace,
  metadata: Readonly<Record<string, unknown>>,
): OutcomeColumns {
  const asked = askedNames(metadata).length > 0 ? OUTCOME_FLAGS.asked : 0;
  if (status === "RUNNING") return { outcome: OPEN, outcomeFlags: asked, definition: 0 };
  return status === "ERROR"
    ? { outcome: BAD, outcomeFlags: asked | OUTCOME_FLAGS.badByObserved, definition: 0 }
    : { outcome: GOOD, outcomeFlags: asked, definition: 0 };
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
  if (bytes === null) return looksAt(definition, "metadata") ? parseMetadata(null, metadataPairs) : {};
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
  return Object.fromEntries(known.map(({ key, value }) => [key, value]));
}
