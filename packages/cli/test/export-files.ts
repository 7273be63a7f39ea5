/** Export files of other tools, made by hand as their documentation describes them, each with sessions, scores and failed runs. */

const TOOLS = ["search_docs", "ask_human"].map((name) => ({
  type: "function",
  function: { name, description: name, parameters: { type: "object", properties: {} } },
}));
const QUESTION = [{ role: "user", content: "Where is my refund?" }];
const ANSWER = {
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "call-1", type: "function", function: { name: "search_docs", arguments: '{"q":"refund"}' } },
  ],
};
const START = Date.parse("2026-11-01T00:00:00Z");
const at = (run: number, ms: number) => new Date(START + run * 60_000 + ms).toISOString();
const uuid = (kind: string, run: number) =>
  `${kind.padEnd(8, "0")}-0000-4000-8000-${String(run).padStart(12, "0")}`;
const isFailed = (run: number) => run % 10 === 0;
const runs = (count: number) => Array.from({ length: count }, (_, run) => run);
const lines = (records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");

/** As exports write times: without a zone. */
const plainTime = (iso: string) => iso.replace("T", " ").replace("Z", "000");

/** Langfuse's exports to a bucket and its newer API: observations that repeat the fields of their trace, texts for payloads. */
export function langfuseExport(count: number): Record<string, string> {
  const observations = runs(count).flatMap((run) => {
    const common = {
      trace_id: `lfe-trace-${run}`,
      project_id: "p",
      environment: "default",
      user_id: `user-${run % 20}`,
      session_id: `session-${run % 50}`,
      trace_name: "support-agent",
      tags: ["production"],
      release: "2.3.0",
      bookmarked: true,
      public: false,
      metadata: {},
      version: "",
      status_message: "",
      level: "DEFAULT",
      created_at: plainTime(at(run, 0)),
    };
    return [
      {
        ...common,
        id: `lfe-root-${run}`,
        type: "AGENT",
        name: "answer",
        parent_observation_id: "",
        start_time: plainTime(at(run, 0)),
        end_time: plainTime(at(run, 2_500)),
        input: JSON.stringify({ question: "Where is my refund?" }),
        output: isFailed(run) ? "" : JSON.stringify({ answer: "Thirty days." }),
        ...(isFailed(run) && { level: "ERROR", status_message: "policy not found" }),
      },
      {
        ...common,
        id: `lfe-gen-${run}`,
        type: "GENERATION",
        name: "plan",
        parent_observation_id: `lfe-root-${run}`,
        start_time: plainTime(at(run, 100)),
        end_time: plainTime(at(run, 900)),
        provided_model_name: "gpt-4o-mini",
        model_parameters: '{"temperature":0}',
        input: JSON.stringify({ messages: QUESTION }),
        output: JSON.stringify(ANSWER),
        usage_details: { input: 100, output: 20, total: 120 },
        cost_details: { input: 0.001, output: 0.001, total: 0.002 },
        tool_definitions: Object.fromEntries(
          TOOLS.map((tool) => [
            tool.function.name,
            JSON.stringify({ description: tool.function.description }),
          ]),
        ),
        tool_call_names: ["search_docs"],
        prompt_name: "plan",
        prompt_version: 3,
      },
      {
        ...common,
        id: `lfe-tool-${run}`,
        type: "TOOL",
        name: "search_docs",
        parent_observation_id: `lfe-root-${run}`,
        start_time: plainTime(at(run, 1_000)),
        end_time: plainTime(at(run, 2_000)),
        input: JSON.stringify({ q: "refund" }),
        output: isFailed(run) ? "" : JSON.stringify(["policy.md"]),
        ...(isFailed(run) && { level: "ERROR", status_message: "policy not found" }),
      },
      {
        ...common,
        id: `lfe-event-${run}`,
        type: "EVENT",
        name: "cache miss",
        parent_observation_id: `lfe-tool-${run}`,
        start_time: plainTime(at(run, 1_100)),
        end_time: null,
        metadata: { key: "policy" },
      },
    ];
  });
  const scores = runs(count).map((run) => ({
    id: `lfe-score-${run}`,
    timestamp: plainTime(at(run, 3_000)),
    project_id: "p",
    environment: "default",
    trace_id: `lfe-trace-${run}`,
    observation_id: run % 2 === 1 ? `lfe-gen-${run}` : null,
    session_id: null,
    dataset_run_id: null,
    name: "helpful",
    value: isFailed(run) ? 0 : 1,
    string_value: null,
    data_type: "BOOLEAN",
    source: "EVAL",
    comment: "judged",
    created_at: plainTime(at(run, 3_000)),
    updated_at: plainTime(at(run, 3_000)),
  }));
  const ofSession = { ...scores[0], id: "s", trace_id: null, observation_id: null, session_id: "session-1" };
  return { "observations.jsonl": lines(observations), "scores.jsonl": lines([...scores, ofSession]) };
}

/** Traces as a page of the API, observations as JSON Lines, scores as a list. */
export function langfuseFiles(count: number): Record<string, string> {
  const traces = runs(count).map((run) => ({
    id: `lf-trace-${run}`,
    timestamp: at(run, 0),
    name: "support-agent",
    input: { question: "Where is my refund?" },
    output: isFailed(run) ? null : { answer: "Thirty days." },
    sessionId: `session-${run % 50}`,
    userId: `user-${run % 20}`,
    release: "2.3.0",
    version: null,
    metadata: { channel: "web" },
    tags: ["production"],
    public: false,
    bookmarked: true,
    environment: "default",
    htmlPath: `/project/p/traces/lf-trace-${run}`,
    latency: 2.5,
    totalCost: 0.002,
    observations: [`lf-gen-${run}`],
    scores: [`lf-score-${run}`],
  }));
  const observations = runs(count).flatMap((run) => [
    {
      id: `lf-gen-${run}`,
      traceId: `lf-trace-${run}`,
      type: "GENERATION",
      name: "plan",
      startTime: at(run, 100),
      endTime: at(run, 900),
      completionStartTime: at(run, 300),
      model: "gpt-4o-mini",
      modelParameters: { temperature: 0 },
      input: { messages: QUESTION, tools: TOOLS },
      output: ANSWER,
      usageDetails: { input: 100, output: 20, total: 120 },
      costDetails: { input: 0.001, output: 0.001, total: 0.002 },
      level: "DEFAULT",
      promptName: "plan",
      promptVersion: 3,
      metadata: { step: 1 },
      parentObservationId: null,
    },
    {
      id: `lf-tool-${run}`,
      traceId: `lf-trace-${run}`,
      type: "TOOL",
      name: "search_docs",
      startTime: at(run, 1_000),
      endTime: at(run, 2_000),
      input: { q: "refund" },
      output: isFailed(run) ? null : ["policy.md"],
      level: isFailed(run) ? "ERROR" : "DEFAULT",
      statusMessage: isFailed(run) ? "policy not found" : null,
      parentObservationId: null,
    },
    {
      id: `lf-event-${run}`,
      traceId: `lf-trace-${run}`,
      type: "EVENT",
      name: "cache miss",
      startTime: at(run, 1_100),
      parentObservationId: `lf-tool-${run}`,
      metadata: { key: "policy" },
    },
  ]);
  const scores = runs(count).map((run) => ({
    id: `lf-score-${run}`,
    traceId: `lf-trace-${run}`,
    ...(run % 2 === 1 && { observationId: `lf-gen-${run}` }),
    name: "helpful",
    value: isFailed(run) ? 0 : 1,
    dataType: "BOOLEAN",
    source: "EVAL",
    comment: "judged",
    timestamp: at(run, 3_000),
  }));
  const ofSession = {
    id: "s",
    sessionId: "session-1",
    name: "overall",
    value: 4,
    dataType: "NUMERIC",
    source: "API",
  };
  return {
    "traces.json": JSON.stringify({ data: traces, meta: { page: 1 } }),
    "observations.jsonl": lines(observations),
    "scores.json": JSON.stringify([...scores, ofSession]),
  };
}

/** Runs and feedback as JSON Lines. */
export function langsmithFiles(count: number): Record<string, string> {
  const all = runs(count).flatMap((run) => {
    const root = { id: uuid("a", run), trace_id: uuid("a", run), session_id: "project", status: "success" };
    const child = (kind: string) => ({
      id: uuid(kind, run),
      trace_id: uuid("a", run),
      parent_run_id: uuid("a", run),
      session_id: "project",
    });
    return [
      {
        ...root,
        name: "support-agent",
        run_type: "chain",
        start_time: at(run, 0).replace("Z", ""),
        end_time: at(run, 2_500).replace("Z", ""),
        inputs: { question: "Where is my refund?" },
        outputs: isFailed(run) ? null : { answer: "Thirty days." },
        error: isFailed(run) ? "policy not found" : null,
        tags: ["production"],
        extra: { metadata: { session_id: `session-${run % 50}`, revision_id: "2.3.0" } },
        app_path: "/o/p",
        dotted_order: "x",
        total_tokens: 120,
      },
      {
        ...child("b"),
        name: "ChatOpenAI",
        run_type: "llm",
        start_time: at(run, 100),
        end_time: at(run, 900),
        inputs: { messages: QUESTION },
        outputs: ANSWER,
        extra: {
          invocation_params: { model: "gpt-4o-mini", tools: TOOLS },
          metadata: { ls_model_name: "gpt-4o-mini", ls_provider: "openai" },
        },
        events: [{ name: "new_token", time: at(run, 300) }],
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        total_cost: 0.002,
      },
      {
        ...child("c"),
        name: "search_docs",
        run_type: "tool",
        start_time: at(run, 1_000),
        end_time: at(run, 2_000),
        inputs: { input: "refund" },
        outputs: { output: "policy.md" },
        error: isFailed(run) ? "policy not found" : null,
      },
    ];
  });
  const feedback = runs(count).map((run) => ({
    id: uuid("f", run),
    run_id: run % 2 === 1 ? uuid("b", run) : uuid("a", run),
    key: "helpful",
    score: isFailed(run) ? 0 : 1,
    value: null,
    comment: "judged",
    created_at: at(run, 3_000),
    feedback_source: { type: "model" },
  }));
  return { "runs.jsonl": lines(all), "feedback.jsonl": lines(feedback) };
}

/** Spans as the API answers with them, annotations as a list. */
export function phoenixFiles(count: number): Record<string, string> {
  const hex = (kind: string, run: number, length: number) =>
    kind + run.toString(16).padStart(length - kind.length, "0");
  const span = (run: number, kind: string, fields: object) => ({
    id: `U3Bhbjo${kind}${run}`,
    context: { trace_id: hex("a", run, 32), span_id: hex(kind, run, 16) },
    status_code: "OK",
    status_message: "",
    ...fields,
  });
  const spans = runs(count).flatMap((run) => [
    span(run, "b", {
      name: "support-agent",
      span_kind: "AGENT",
      parent_id: null,
      start_time: at(run, 0),
      end_time: at(run, 2_500),
      ...(isFailed(run) && { status_code: "ERROR", status_message: "policy not found" }),
      attributes: {
        "openinference.span.kind": "AGENT",
        "input.value": "Where is my refund?",
        "session.id": `session-${run % 50}`,
        "user.id": "user-1",
        "tag.tags": ["production"],
        metadata: { release: "2.3.0" },
      },
      events: [],
    }),
    span(run, "c", {
      name: "ChatCompletion",
      span_kind: "LLM",
      parent_id: hex("b", run, 16),
      start_time: at(run, 100),
      end_time: at(run, 900),
      attributes: {
        llm: {
          model_name: "gpt-4o-mini",
          token_count: { prompt: 100, completion: 20, total: 120 },
          cost: { total: 0.002 },
          input_messages: [{ message: { role: "user", content: "Where is my refund?" } }],
          output_messages: [
            {
              message: {
                role: "assistant",
                tool_calls: [
                  {
                    tool_call: {
                      id: "call-1",
                      function: { name: "search_docs", arguments: '{"q":"refund"}' },
                    },
                  },
                ],
              },
            },
          ],
          tools: TOOLS.map((tool) => ({ tool: { json_schema: JSON.stringify(tool) } })),
        },
      },
    }),
    span(run, "d", {
      name: "search_docs",
      span_kind: "TOOL",
      parent_id: hex("b", run, 16),
      start_time: at(run, 1_000),
      end_time: at(run, 2_000),
      attributes: {
        tool: { name: "search_docs" },
        input: { value: '{"q":"refund"}' },
        output: { value: "policy.md" },
      },
      events: [{ name: "cache miss", timestamp: at(run, 1_100), attributes: { key: "policy" } }],
    }),
  ]);
  const annotations = runs(count).map((run) => ({
    id: `U3BhbkFubm90YXRpb24${run}`,
    span_id: hex(run % 2 === 1 ? "c" : "b", run, 16),
    name: "helpful",
    annotator_kind: "LLM",
    result: { label: isFailed(run) ? "no" : "yes", score: isFailed(run) ? 0 : 1, explanation: "judged" },
    metadata: {},
    created_at: at(run, 3_000),
    updated_at: at(run, 3_000),
    source: "API",
    user_id: null,
  }));
  return {
    "spans.json": JSON.stringify({ data: spans, next_cursor: null }),
    "annotations.json": JSON.stringify({ data: annotations, next_cursor: null }),
  };
}

/** Data frames of Phoenix's client, as pandas writes them as JSON Lines: a column for each attribute and part of a result. */
export function phoenixFrames(count: number): Record<string, string> {
  const { data: spans } = JSON.parse(phoenixFiles(count)["spans.json"] ?? "");
  const { data: annotations } = JSON.parse(phoenixFiles(count)["annotations.json"] ?? "");
  return {
    "spans.jsonl": lines(spans.map(toFrameRow)),
    "annotations.jsonl": lines(
      annotations.map(({ name, result, created_at, ...row }: Record<string, unknown>) => ({
        ...row,
        annotation_name: name,
        created_at: String(created_at).replace("Z", "+00:00"),
        ...prefixed("result.", result),
      })),
    ),
  };
}

const prefixed = (prefix: string, values: unknown) =>
  Object.fromEntries(Object.entries(Object(values)).map(([name, value]) => [prefix + name, value]));

/** Objects of attributes become columns with dotted names; lists stay values. Times are milliseconds. */
function toFrameRow({ id: _, context, attributes, start_time, end_time, ...row }: Record<string, unknown>) {
  const columns = (values: unknown, prefix: string): [string, unknown][] =>
    Object.entries(Object(values)).flatMap(([name, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? columns(value, `${prefix}${name}.`)
        : [[`${prefix}${name}`, value] satisfies [string, unknown]],
    );
  return {
    ...row,
    start_time: Date.parse(String(start_time)),
    end_time: Date.parse(String(end_time)),
    ...prefixed("context.", context),
    // Another trace than that of the API's files.
    "context.trace_id": String(Object(context).trace_id).replace("a", "f"),
    ...Object.fromEntries(columns(attributes, "attributes.")),
  };
}
