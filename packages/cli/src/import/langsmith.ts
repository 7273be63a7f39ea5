import { attributesOf, Fields, isObject, toMs } from "./fields.ts";
import { spanIdOf, traceIdOf } from "./ids.ts";
import type { Imported, ImportedScore, ImportedSpan, ImportReport } from "./imported.ts";
import { optional } from "./langfuse.ts";
import { withStartTimes } from "./start-times.ts";

const NO_PLACE = new Set(
  "app_path manifest_id manifest_s3_id child_run_ids child_runs direct_child_run_ids parent_run_ids dotted_order execution_order inputs_preview outputs_preview inputs_s3_urls outputs_s3_urls s3_urls trace_min_start_time trace_max_start_time trace_tier ttl_seconds trace_first_received_at trace_upgrade last_queued_at share_token in_dataset price_model_id serialized feedback_stats feedback_group_id feedback_thread_id comparative_experiment_id modified_at run_name".split(
    " ",
  ),
);
const TYPES: Readonly<Record<string, string>> = {
  llm: "generation",
  embedding: "embedding",
  tool: "tool",
  retriever: "retriever",
  chain: "chain",
  prompt: "chain",
  parser: "chain",
};
const SOURCES: Readonly<Record<string, ImportedScore["source"]>> = {
  app: "person",
  model: "judge",
  auto_eval: "judge",
  api: "code",
};

/** Runs and feedback of LangSmith, in any order. */
export function fromLangsmith(records: Record<string, unknown>[], report: ImportReport): Imported {
  const runs = records.filter((one) => "run_type" in one);
  const traceOf = new Map(runs.map((run) => [String(run.id), String(run.trace_id ?? run.id)]));
  const timed = withStartTimes(runs, {
    kind: "runs",
    start: "start_time",
    end: "end_time",
    idOf: ({ id }) => id,
    parentOf: ({ parent_run_id }) => parent_run_id,
    traceOf: ({ id, trace_id }) => trace_id ?? id,
    report,
  });
  return {
    spans: timed.map((run) => convertRun(run, report)),
    scores: records
      .filter((one) => !("run_type" in one))
      .flatMap((one) => convertFeedback(one, traceOf, report)),
  };
}

function convertRun(run: Record<string, unknown>, report: ImportReport): ImportedSpan {
  const fields = new Fields(run, { kind: "runs", report, without: NO_PLACE });
  const id = fields.text("id") ?? "";
  const traceId = fields.text("trace_id") ?? id;
  const parent = fields.text("parent_run_id");
  const extra = fields.record("extra");
  const metadata = isObject(extra.metadata) ? extra.metadata : {};
  const invocation = isObject(extra.invocation_params) ? extra.invocation_params : {};
  const startMs = fields.startMs("start_time");
  const error = fields.text("error");
  const type = fields.text("run_type") ?? "chain";
  const events = fields.list("events");
  const thread = fields.text("thread_id");
  const isRoot = parent === undefined;
  const usage = {
    input: fields.number("prompt_tokens"),
    output: fields.number("completion_tokens"),
    total: fields.number("total_tokens"),
  };
  const cost = fields.number("total_cost");
  fields.take("prompt_cost", "completion_cost", "status");
  const name = fields.text("name") ?? type;
  return {
    traceId: traceIdOf(traceId),
    spanId: spanIdOf(id),
    ...(!isRoot && { parentSpanId: spanIdOf(parent) }),
    name,
    startMs,
    endMs: fields.timeMs("end_time") ?? startMs,
    ...(error !== undefined && { error }),
    attributes: {
      "langfuse.observation.type": TYPES[type] ?? "span",
      "import.runId": id,
      ...(isRoot && { "langfuse.trace.name": name }),
      ...optional("langfuse.observation.input", fields.text("inputs")),
      ...optional("langfuse.observation.output", fields.text("outputs")),
      ...optional(
        "langfuse.observation.model.name",
        metadata.ls_model_name ?? invocation.model ?? invocation.model_name,
      ),
      ...optional(
        "langfuse.observation.metadata.tools",
        invocation.tools && JSON.stringify(invocation.tools),
      ),
      // Only model calls have tokens of their own: others repeat the sum of those below them.
      ...(type === "llm" &&
        usage.total !== undefined && { "langfuse.observation.usage_details": JSON.stringify(usage) }),
      ...(type === "llm" &&
        cost !== undefined && { "langfuse.observation.cost_details": JSON.stringify({ total: cost }) }),
      ...optional(
        "session.id",
        metadata.session_id ?? metadata.thread_id ?? thread ?? metadata.conversation_id,
      ),
      ...optional("service.version", metadata.revision_id),
      ...optional("langsmith.span.tags", fields.list("tags").map(String)),
      ...attributesOf(metadata, "langsmith.metadata."),
      ...attributesOf(invocation, "langsmith.invocation."),
      ...fields.rest("langsmith."),
    },
    events: events.filter(isObject).map(({ name: event, time, ...rest }) => ({
      name: String(event ?? "event"),
      timeMs: toMs(time) ?? startMs,
      attributes: attributesOf(rest, ""),
    })),
  };
}

function convertFeedback(
  record: Record<string, unknown>,
  traceOf: Map<string, string>,
  report: ImportReport,
): ImportedScore[] {
  const fields = new Fields(record, { kind: "feedback", report, without: NO_PLACE });
  const run = fields.text("run_id");
  const traceId = fields.text("trace_id") ?? (run === undefined ? undefined : traceOf.get(run));
  const score = fields.take("score");
  const text = fields.take("value");
  const value = score ?? (isObject(text) ? JSON.stringify(text) : text);
  if (run === undefined || traceId === undefined) {
    report.leaveOut("run", "feedback");
    return [];
  }
  if (typeof value !== "number" && typeof value !== "boolean" && typeof value !== "string") {
    report.leaveOut("score", "feedback");
    return [];
  }
  const source = fields.record("feedback_source");
  return [
    {
      id: `langsmith-${fields.text("id") ?? ""}`,
      traceId: traceIdOf(traceId),
      // Feedback on the root run judges the run.
      ...(run !== traceId && { spanId: spanIdOf(run) }),
      name: fields.text("key") ?? "feedback",
      value,
      ...(typeof score === "number" && typeof text === "string" && { label: text }),
      source: SOURCES[String(source.type)] ?? "code",
      comment: fields.text("comment"),
      timestamp: fields.isoTime("created_at"),
      metadata: { ...(isObject(source.metadata) && source.metadata), ...fields.rest("") },
    },
  ];
}
