import { attributesOf, Fields, isEmpty, isObject, toAttribute, toMs } from "./fields.ts";
import { spanIdOf, traceIdOf } from "./ids.ts";
import type { Attribute, Imported, ImportedScore, ImportedSpan, ImportReport } from "./imported.ts";
import { withStartTimes } from "./start-times.ts";

const NO_PLACE = new Set(
  "htmlPath projectId createdAt updatedAt bookmarked public externalId unit latency modelId inputPrice outputPrice totalPrice calculatedInputCost calculatedOutputCost calculatedTotalCost totalCost timeToFirstToken promptId configId queueId executionTraceId authorUserId datasetRunId observationId".split(
    " ",
  ),
);
const TYPES = /^(span|generation|event|embedding|tool|retriever|agent|chain|guardrail|evaluator)$/i;
const SOURCES: Readonly<Record<string, ImportedScore["source"]>> = {
  ANNOTATION: "person",
  EVAL: "judge",
  API: "code",
};

/** Fields of a trace that newer exports repeat in each of its observations, instead of a list of traces. */
const OF_TRACE = [
  "traceName",
  "sessionId",
  "userId",
  "tags",
  "release",
  "environment",
  "bookmarked",
  "public",
];

/** Traces, observations and scores of Langfuse's public API or exports, in any order. */
export function fromLangfuse(records: Record<string, unknown>[], report: ImportReport): Imported {
  const all = records.map(camelCase).flatMap(unnest);
  const scores = all.filter(isScore);
  const traces = new Map(
    all.filter((one) => !isObservation(one) && !isScore(one)).map((one) => [String(one.id), one]),
  );
  const observations = withStartTimes(all.filter(isObservation), {
    kind: "observations",
    start: "startTime",
    end: "endTime",
    idOf: ({ id }) => id,
    parentOf: ({ parentObservationId }) => parentObservationId,
    traceOf: ({ traceId }) => traceId,
    traceTimes: timesOf(traces),
    report,
  });
  const byTrace = Map.groupBy(observations, ({ traceId }) => String(traceId));
  const ids = new Set([...traces.keys(), ...byTrace.keys()]);
  return {
    spans: [...ids].flatMap((id) => {
      const own = byTrace.get(id) ?? [];
      const context = contextOf(own);
      const bare = own.map((one) => without(one, OF_TRACE));
      const record = traces.get(id);
      return record
        ? convertTrace(id, { ...context, ...withoutEmpty(record) }, bare, report)
        : convertObservations(id, context, bare, report);
    }),
    scores: scores.flatMap((score) => convertScore(score, report)),
  };
}

const timesOf = (traces: Map<string, Record<string, unknown>>): Map<string, number> =>
  new Map(
    [...traces].flatMap(([id, { timestamp }]) => {
      const ms = toMs(timestamp);
      return ms === undefined ? [] : [[id, ms] satisfies [string, number]];
    }),
  );

const isObservation = ({ type, traceId }: Record<string, unknown>) =>
  typeof traceId === "string" && typeof type === "string" && TYPES.test(type);
const isScore = (one: Record<string, unknown>) =>
  !isObservation(one) &&
  "name" in one &&
  ("value" in one || "stringValue" in one) &&
  !("timestamp" in one && "tags" in one);

/** A single trace has its observations and scores inside; a list has only their ids. */
function unnest({ observations, scores, ...record }: Record<string, unknown>): Record<string, unknown>[] {
  const inside = [observations, scores].flatMap((list) => (Array.isArray(list) ? list.filter(isObject) : []));
  return [record, ...inside.map(camelCase)];
}

const without = (record: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
const withoutEmpty = (record: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => !isEmpty(value)));

/** What the observations of a trace say about it: of each field the first value. */
function contextOf(observations: Record<string, unknown>[]): Record<string, unknown> {
  const values = OF_TRACE.map((name) => [
    name === "traceName" ? "name" : name,
    observations.map((one) => one[name]).find((value) => !isEmpty(value)),
  ]);
  return withoutEmpty(Object.fromEntries(values));
}

/** A trace without a record of its own. Its only observation at the top is its root; of several, a root is made. */
function convertObservations(
  id: string,
  context: Record<string, unknown>,
  observations: Record<string, unknown>[],
  report: ImportReport,
): ImportedSpan[] {
  const ids = new Set(observations.map((one) => one.id));
  const [top, ...others] = observations.filter((one) => !ids.has(one.parentObservationId));
  if (!top || others.length > 0 || isEvent(top)) return convertTrace(id, context, observations, report);
  const fields = new Fields(context, { kind: "traces", report, without: NO_PLACE });
  const name = fields.text("name") ?? String(top.name ?? "trace");
  const root = convertObservation({ ...top, parentObservationId: undefined }, undefined, report);
  root.attributes = { ...root.attributes, ...traceAttributes(id, name, fields) };
  const spans = [
    root,
    ...observations
      .filter((one) => one !== top && !isEvent(one))
      .map((one) => convertObservation(one, root.spanId, report)),
  ];
  addEvents(observations, spans, root, report);
  return spans;
}

const isEvent = ({ type }: Record<string, unknown>) => String(type).toUpperCase() === "EVENT";

function convertTrace(
  id: string,
  record: Record<string, unknown>,
  observations: Record<string, unknown>[],
  report: ImportReport,
): ImportedSpan[] {
  const fields = new Fields(record, { kind: "traces", report, without: NO_PLACE });
  fields.take("id");
  const rootId = spanIdOf(`trace ${id}`);
  const spans = observations
    .filter((one) => !isEvent(one))
    .map((one) => convertObservation(one, rootId, report));
  const startMs = fields.timeMs("timestamp") ?? Math.min(...spans.map((span) => span.startMs));
  if (!Number.isFinite(startMs)) {
    report.leaveOut("records without a time", "traces");
    return [];
  }
  const seconds = Number(record.latency);
  const endMs = Math.max(
    startMs + (Number.isFinite(seconds) ? seconds * 1_000 : 0),
    ...spans.map((span) => span.endMs),
  );
  const name = fields.text("name") ?? "trace";
  const root: ImportedSpan = {
    traceId: traceIdOf(id),
    spanId: rootId,
    name,
    startMs: Math.min(startMs, ...spans.map((span) => span.startMs)),
    endMs,
    attributes: {
      "langfuse.observation.type": "agent",
      ...optional("langfuse.observation.input", fields.text("input")),
      ...optional("langfuse.observation.output", fields.text("output")),
      ...traceAttributes(id, name, fields),
    },
    events: [],
  };
  addEvents(observations, [root, ...spans], root, report);
  // A failed observation at the top is what the run ended with.
  const failed = spans.find(({ parentSpanId, error }) => parentSpanId === rootId && error !== undefined);
  if (failed) root.error = failed.error;
  return [root, ...spans];
}

/** What the root span says about its trace. */
const traceAttributes = (id: string, name: string, fields: Fields): Record<string, Attribute> => ({
  "langfuse.trace.name": name,
  "import.traceId": id,
  ...optional("session.id", fields.text("sessionId")),
  ...optional("user.id", fields.text("userId")),
  ...optional("service.version", fields.text("release", "version")),
  ...optional("langfuse.trace.tags", fields.list("tags").map(String)),
  ...attributesOf(fields.record("metadata"), "langfuse.trace.metadata."),
  ...fields.rest("langfuse.trace."),
});

function convertObservation(
  record: Record<string, unknown>,
  /** Of the root span, if there is one above. */
  rootId: string | undefined,
  report: ImportReport,
): ImportedSpan {
  const fields = new Fields(record, { kind: "observations", report, without: NO_PLACE });
  const id = fields.text("id") ?? "";
  const parent = fields.text("parentObservationId");
  const startMs = fields.startMs("startTime");
  const level = fields.text("level");
  const message = fields.text("statusMessage");
  const type = (fields.text("type") ?? "span").toLowerCase();
  const usage = fields.record("usageDetails", "usage");
  const costs = fields.record("costDetails");
  return {
    traceId: traceIdOf(fields.text("traceId") ?? ""),
    spanId: spanIdOf(id),
    parentSpanId: parent === undefined ? rootId : spanIdOf(parent),
    name: fields.text("name") ?? type,
    startMs,
    endMs: fields.timeMs("endTime") ?? startMs,
    ...(level === "ERROR" && { error: message ?? "ERROR" }),
    attributes: {
      "langfuse.observation.type": type,
      "import.spanId": id,
      ...(level !== "ERROR" && optional("langfuse.observation.status_message", message)),
      ...(level !== undefined && level !== "DEFAULT" && { "langfuse.observation.level": level }),
      ...optional("langfuse.observation.input", fields.text("input")),
      ...optional("langfuse.observation.output", fields.text("output")),
      ...optional("langfuse.observation.model.name", fields.text("model", "providedModelName")),
      ...(Object.keys(usage).length > 0 && { "langfuse.observation.usage_details": JSON.stringify(usage) }),
      ...(Object.keys(costs).length > 0 && { "langfuse.observation.cost_details": JSON.stringify(costs) }),
      ...optional("langfuse.observation.metadata.tools", toolsOf(fields.record("toolDefinitions"))),
      ...attributesOf(fields.record("metadata"), "langfuse.observation.metadata."),
      ...fields.rest("langfuse.observation."),
    },
    events: [],
  };
}

/** Exports have an object with a definition for each name of a tool, the definition as JSON. */
function toolsOf(definitions: Record<string, unknown>): string | undefined {
  const tools = Object.entries(definitions).map(([name, value]) => ({
    type: "function",
    function: { ...(isObject(value) && value), ...(typeof value === "string" && parsed(value)), name },
  }));
  return tools.length > 0 ? JSON.stringify(tools) : undefined;
}

function parsed(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return { description: json };
  }
}

function addEvents(
  observations: Record<string, unknown>[],
  spans: ImportedSpan[],
  root: ImportedSpan,
  report: ImportReport,
) {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  for (const event of observations.filter(isEvent)) addEvent(event, byId, root, report);
}

function addEvent(
  record: Record<string, unknown>,
  spans: Map<string, ImportedSpan>,
  root: ImportedSpan,
  report: ImportReport,
) {
  const fields = new Fields(record, { kind: "events", report, without: NO_PLACE });
  fields.take("id", "traceId", "type");
  const parent = fields.text("parentObservationId");
  const span = (parent !== undefined && spans.get(spanIdOf(parent))) || root;
  span.events.push({
    name: fields.text("name") ?? "event",
    timeMs: fields.timeMs("startTime") ?? span.startMs,
    attributes: { ...attributesOf(fields.record("metadata"), ""), ...fields.rest("") },
  });
}

function convertScore(record: Record<string, unknown>, report: ImportReport): ImportedScore[] {
  const span = record.observationId;
  const fields = new Fields(record, { kind: "scores", report, without: NO_PLACE });
  const traceId = fields.text("traceId");
  if (traceId === undefined) {
    report.leaveOut("scores", "sessions or datasets");
    return [];
  }
  fields.take("observationId");
  const kind = fields.text("dataType");
  const text = fields.text("stringValue");
  const number = fields.take("value");
  const source = SOURCES[fields.text("source") ?? ""] ?? "code";
  const value =
    kind === "BOOLEAN"
      ? Number(number) === 1 || text === "True"
      : kind === "CATEGORICAL" || kind === "TEXT"
        ? text
        : (number ?? text);
  if (typeof value !== "number" && typeof value !== "boolean" && typeof value !== "string") {
    report.leaveOut("value", "scores");
    return [];
  }
  return [
    {
      id: `langfuse-${fields.text("id") ?? ""}`,
      traceId: traceIdOf(traceId),
      ...(typeof span === "string" && { spanId: spanIdOf(span) }),
      name: fields.text("name") ?? "score",
      value,
      source,
      comment: fields.text("comment"),
      timestamp: fields.isoTime("timestamp", "createdAt"),
      metadata: { ...fields.record("metadata"), ...fields.rest("") },
    },
  ];
}

/** Exports to files and buckets have names with underscores. */
const camelCase = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

export function optional(name: string, value: unknown): Record<string, Attribute> {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return {};
  return { [name]: toAttribute(value) };
}
