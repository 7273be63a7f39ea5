import { MAX_NAME_BYTES } from "@whytrace/contract";
import { otlpEvent, otlpSpan, SPAN_START, storedPayload } from "@whytrace/testing/otlp/otlp-span.ts";
import { describe, expect, it } from "vitest";
import type { OtlpSpan, OtlpValue } from "../decode/otlp-span.ts";
import { mapSpan } from "./map-span.ts";

type Values = Record<string, OtlpValue>;
const mapped = (attributes: Values = {}, fields: Partial<OtlpSpan> = {}) =>
  mapSpan(otlpSpan(attributes, fields));
const typeOf = (attributes: Values, fields: Partial<OtlpSpan> = {}) => mapped(attributes, fields).span.type;
const metadataOf = (attributes: Values, fields: Partial<OtlpSpan> = {}) =>
  storedPayload(mapped(attributes, fields).span.metadata);

describe("the type of a span", () => {
  it.each<[Values, string]>([
    [{ "openinference.span.kind": "RETRIEVER" }, "MEMORY_OP"],
    [{ "gen_ai.operation.name": "Chat" }, "LLM_CALL"],
    [{ "gen_ai.operation.name": "execute_tool" }, "TOOL_CALL"],
    [{ "gen_ai.operation.name": "invoke_agent" }, "AGENT"],
    [{ "gen_ai.operation.name": "agent_step" }, "CHAIN"],
    [{ "langfuse.observation.type": "generation" }, "LLM_CALL"],
    [{ "langsmith.span.kind": "chain" }, "CHAIN"],
    [{ "traceloop.span.kind": "workflow" }, "CHAIN"],
    [{ "ai.operationId": "ai.streamText" }, "AGENT"],
    [{ "ai.operationId": "ai.streamText.doStream" }, "LLM_CALL"],
    [{ "ai.operationId": "ai.embed" }, "CHAIN"],
    [{ "genkit:metadata:subtype": "model", "genkit:type": "action" }, "LLM_CALL"],
    [{ "genkit:type": "util" }, "CHAIN"],
    [{ "span.type": "memory", "entity.type": "agent" }, "MEMORY_OP"],
    [{ "entity.type": "agent" }, "AGENT"],
    [{ "span.type": "interaction" }, "AGENT"],
    [{ "mcp.method.name": "tools/call" }, "TOOL_CALL"],
    [{ "mcp.method.name": "tools/list" }, "CUSTOM"],
    [{ "tool.name": "lookup" }, "TOOL_CALL"],
    [{ "gen_ai.request.model": "gpt-5.4-mini" }, "LLM_CALL"],
    [{ "db.system.name": "postgresql" }, "MEMORY_OP"],
    [{ "agent_loop.cycle_id": "1" }, "CHAIN"],
    [{ model: "T" }, "CUSTOM"],
    [{}, "CUSTOM"],
  ])("of %j is %s", (attributes, type) => {
    expect(typeOf(attributes)).toBe(type);
  });

  it("is what the application wrote, if it is one of the six", () => {
    const kind = { "openinference.span.kind": "LLM", "gen_ai.operation.name": "chat" };
    expect(typeOf({ ...kind, "whytrace.span.type": "CUSTOM" })).toBe("CUSTOM");
    expect(typeOf({ ...kind, "whytrace.span.type": "NONSENSE" })).toBe("LLM_CALL");
  });

  it("is the first known: an unknown kind leaves it to the next attribute", () => {
    expect(typeOf({ "openinference.span.kind": "UNKNOWN", "gen_ai.operation.name": "chat" })).toBe(
      "LLM_CALL",
    );
    expect(typeOf({ "gen_ai.operation.name": "model_chunk" })).toBe("CUSTOM");
  });

  it("of a span without attributes follows from its name or its events", () => {
    expect(typeOf({}, { name: "execute_tool lookup" })).toBe("TOOL_CALL");
    expect(typeOf({}, { name: "invoke_agent support" })).toBe("AGENT");
    expect(typeOf({}, { name: "call_llm" })).toBe("LLM_CALL");
    expect(typeOf({}, { events: [otlpEvent("db.query.result")] })).toBe("MEMORY_OP");
  });
});

describe("the usage of a span", () => {
  const CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "asked",
    "gen_ai.response.model": "answered",
  };
  const COUNTS = {
    "gen_ai.usage.input_tokens": 420,
    "gen_ai.usage.output_tokens": 58,
    "gen_ai.usage.cache_read.input_tokens": 256,
  };

  it("has the model that answered, and counts of which the input includes what was cached", () => {
    const { usage, tokenCount } = mapped({ ...CHAT, ...COUNTS, "gen_ai.usage.reasoning_tokens": 24 }).span;
    expect(tokenCount).toBe(478);
    expect(usage).toEqual({
      model: "answered",
      inputTokens: 420,
      cacheReadTokens: 256,
      cacheWriteTokens: null,
      outputTokens: 58,
      reasoningTokens: 24,
    });
  });

  it.each<[string, Values, Partial<OtlpSpan>]>([
    [
      "by OpenLLMetry for Anthropic",
      { ...CHAT, ...COUNTS },
      { scope: { name: "@traceloop/instrumentation-anthropic", version: "" } },
    ],
    [
      "by Claude Code",
      { "span.type": "llm_request", input_tokens: 420, output_tokens: 58, cache_read_tokens: 256 },
      {},
    ],
    [
      "by Langfuse",
      {
        "langfuse.observation.type": "generation",
        "langfuse.observation.usage_details":
          '{"input":420,"output":50,"input_cached_tokens":256,"output_reasoning_tokens":8}',
      },
      {},
    ],
  ])("is made inclusive if it was sent without what was cached, %s", (_, attributes, fields) => {
    const { usage, tokenCount } = mapped(attributes, fields).span;
    expect(usage).toMatchObject({ inputTokens: 676, cacheReadTokens: 256, outputTokens: 58 });
    expect(tokenCount).toBe(734);
  });

  it("is made inclusive if more was cached than the input has", () => {
    const { usage } = mapped({ ...CHAT, ...COUNTS, "gen_ai.usage.input_tokens": 100 }).span;
    expect(usage).toMatchObject({ inputTokens: 356, cacheReadTokens: 256 });
  });

  it("is read from text, from JSON details and from a total alone", () => {
    expect(
      mapped({ ...CHAT, "gen_ai.usage.input_tokens": "7", "gen_ai.usage.output_tokens": "x" }).span
        .tokenCount,
    ).toBe(7);
    expect(
      mapped({
        ...CHAT,
        ...COUNTS,
        "gen_ai.usage.cache_read.input_tokens": null,
        "gen_ai.usage.input_token_details": '{"cache_read":9}',
      }).span.usage,
    ).toMatchObject({ cacheReadTokens: 9 });
    expect(mapped({ ...CHAT, "gen_ai.usage.total_tokens": 11 }).span.tokenCount).toBe(11);
  });

  it("is inside the response of Genkit", () => {
    const output = JSON.stringify({
      usage: { inputTokens: 5, outputTokens: 2 },
      raw: { model: "gemini-3.5-flash-001" },
    });
    const genkit = { "genkit:metadata:subtype": "model", "genkit:output": output };
    expect(mapped(genkit, { name: "googleai/gemini" }).span).toMatchObject({
      tokenCount: 7,
      usage: { model: "gemini-3.5-flash-001" },
    });
    expect(
      mapped({ ...genkit, "genkit:output": "{}" }, { name: "googleai/gemini" }).span.usage,
    ).toMatchObject({ model: "gemini" });
  });

  it("has the thoughts in the output, whether or not Genkit's plugin counts them there", () => {
    const usageOf = (totalTokens: number) => {
      const usage = { inputTokens: 1_000, outputTokens: 150, thoughtsTokens: 50, totalTokens };
      const output = JSON.stringify({ usage });
      return mapped({ "genkit:metadata:subtype": "model", "genkit:output": output }).span;
    };
    expect(usageOf(1_200)).toMatchObject({
      usage: { outputTokens: 200, reasoningTokens: 50 },
      tokenCount: 1_200,
    });
    expect(usageOf(1_150)).toMatchObject({
      usage: { outputTokens: 150, reasoningTokens: 50 },
      tokenCount: 1_150,
    });
  });

  it("is only that of calls of models: an agent repeats the calls below it", () => {
    const { usage, tokenCount } = mapped({
      ...CHAT,
      ...COUNTS,
      "gen_ai.operation.name": "invoke_agent",
    }).span;
    expect([usage, tokenCount]).toEqual([null, 478]);
  });

  it("has a cost that was sent, unless it is 0 for tokens: then the sender does not know it", () => {
    expect(mapped({ "llm.cost.total": 0.5, "llm.token_count.prompt": 1 }).span.costUsd).toBe(0.5);
    expect(mapped({ "langfuse.observation.cost_details": '{"total":0.25}' }).span.costUsd).toBe(0.25);
    expect(mapped({ "gen_ai.usage.cost": 0, "gen_ai.usage.input_tokens": 1 }).span.costUsd).toBeNull();
    expect(mapped({ "gen_ai.usage.cost": 0 }).span.costUsd).toBe(0);
  });
});

describe("the status of a span", () => {
  it.each<[string, Values, Partial<OtlpSpan>]>([
    ["a status code", {}, { statusCode: 2 }],
    ["an error's type", { "error.type": "timeout" }, {}],
    ["Langfuse's level", { "langfuse.observation.level": "ERROR" }, {}],
    ["Genkit's state", { "genkit:state": "error" }, {}],
    ["a tool's status", { "gen_ai.tool.status": "error" }, {}],
    ["success", { success: false }, {}],
    [
      "LangSmith's exception",
      {},
      { statusCode: 1, scope: { name: "langsmith", version: "" }, events: [otlpEvent("exception")] },
    ],
  ])("is ERROR by %s", (_, attributes, fields) => {
    expect(mapped(attributes, fields).span.status).toBe("ERROR");
  });

  it("is COMPLETED otherwise, also with an exception that was handled", () => {
    expect(mapped().span).toMatchObject({ status: "COMPLETED", statusMessage: null });
    expect(
      mapped({ "langfuse.observation.level": "WARNING", "gen_ai.tool.status": "success" }).span.status,
    ).toBe("COMPLETED");
    expect(mapped({}, { statusCode: 1, events: [otlpEvent("exception")] }).span.status).toBe("COMPLETED");
  });

  it("has the first line of the message, from the best source", () => {
    const events = [otlpEvent("exception", { "exception.message": "thrown\n at x" })];
    const failed = { statusCode: 2, events };
    expect(
      mapped({ "error.type": "E" }, { ...failed, statusMessage: "sent\n at y" }).span.statusMessage,
    ).toBe("sent");
    expect(mapped({ "error.type": "E", "error.message": "said" }, failed).span.statusMessage).toBe("said");
    expect(mapped({ "error.type": "E" }, failed).span.statusMessage).toBe("thrown");
    expect(mapped({ "error.type": "E" }).span.statusMessage).toBe("E");
  });
});

describe("the input and output of a span", () => {
  it("are JSON where the text of an attribute holds it, byte by byte", () => {
    const { input, output } = mapped({
      "input.value": '{"id": 12345678901234567890}',
      "output.value": "plain",
    }).span;
    expect(String(Buffer.from(Object(input).bytes))).toBe('{"id": 12345678901234567890}');
    expect(output).toBe("plain");
  });

  it("stay text where the JSON is truncated or too deep to store", () => {
    const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
    expect(mapped({ "input.value": '[{"role":"us' }).span.input).toBe('[{"role":"us');
    expect(mapped({ "input.value": deep }).span.input).toBe(deep);
  });

  it("of a tool are its arguments and its result", () => {
    const { input, output } = mapped({
      "gen_ai.tool.name": "lookup",
      tool_arguments: '{"id":7}',
      tool_response: "shipped",
    }).span;
    expect([storedPayload(input), output]).toEqual([{ id: 7 }, "shipped"]);
  });

  it("are values of attributes as they are", () => {
    expect(mapped({ "gen_ai.input.messages": [{ role: "user" }] }).span.input).toEqual([{ role: "user" }]);
  });

  it("have the instructions beside the messages", () => {
    const { input } = mapped({
      "gen_ai.system_instructions": '[{"type":"text"}]',
      "gen_ai.input.messages": "[]",
    }).span;
    expect(storedPayload(input)).toEqual({ system: [{ type: "text" }], messages: [] });
    expect(mapped({ "gen_ai.system_instructions": "Be brief." }).span.input).toBeNull();
  });

  it("of the AI SDK are put together from its attributes", () => {
    const { output } = mapped({
      "ai.response.text": "Hm.",
      "ai.response.reasoning": "Why",
      "ai.response.toolCalls": '[{"toolName":"t"}]',
    }).span;
    expect(storedPayload(output)).toEqual({ text: "Hm.", reasoning: "Why", toolCalls: [{ toolName: "t" }] });
    expect(mapped({ "ai.response.text": "Only text." }).span.output).toBe("Only text.");
  });

  it("are built from messages that were flattened into attributes", () => {
    const { input, output, metadata } = mapped({
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Hello",
      "gen_ai.completion.0.content": "Hi",
    }).span;
    expect(input).toEqual([{ role: "user", content: "Hello" }]);
    expect(output).toEqual([{ content: "Hi" }]);
    expect(metadata).toBeNull();
  });

  it("come from events where attributes have none", () => {
    const events = [
      otlpEvent("gen_ai.system.message", { content: "Be brief." }),
      otlpEvent("gen_ai.user.message", { content: '[{"text":"Hello"}]' }),
      otlpEvent("gen_ai.choice", { message: '[{"text":"Hi"}]', finish_reason: "stop" }),
    ];
    const { span, events: rows } = mapped({ "gen_ai.operation.name": "chat" }, { events });
    expect(span.input).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ text: "Hello" }] },
    ]);
    expect(span.output).toEqual({ role: "assistant", content: [{ text: "Hi" }], finish_reason: "stop" });
    expect(rows).toEqual([]);
  });

  it("come from JSON in events, as Azure sends them", () => {
    const events = [
      otlpEvent("gen_ai.user.message", {
        "gen_ai.system": "azure",
        "gen_ai.event.content": '{"content":"Hello"}',
      }),
    ];
    expect(mapped({}, { events }).span.input).toEqual([{ role: "user", content: "Hello" }]);
  });

  it("of a tool come from its events without the message around them", () => {
    const events = [
      otlpEvent("gen_ai.tool.message", { role: "tool", content: '{"id":7}', id: "1" }),
      otlpEvent("gen_ai.choice", { message: '[{"json":{}}]', id: "1" }),
    ];
    const { input, output } = mapped({ "gen_ai.operation.name": "execute_tool" }, { events }).span;
    expect([storedPayload(input), storedPayload(output)]).toEqual([{ id: 7 }, [{ json: {} }]]);
  });

  it("come from attributes before events", () => {
    const events = [
      otlpEvent("gen_ai.choice", { message: "of the event" }),
      otlpEvent("tool.output", { output: "too" }),
    ];
    expect(mapped({ output: "of the attribute" }, { events }).span.output).toBe("of the attribute");
  });

  it("come from the details of an operation, and from a tool's output", () => {
    const details = otlpEvent("gen_ai.client.inference.operation.details", {
      "gen_ai.input.messages": "[1]",
      "gen_ai.output.messages": "[2]",
    });
    const { input, output } = mapped({ "gen_ai.input.messages": "[0]" }, { events: [details] }).span;
    expect([storedPayload(input), storedPayload(output)]).toEqual([[0], [2]]);
    expect(mapped({}, { events: [otlpEvent("tool.output", { output: "done" })] }).span.output).toBe("done");
  });
});

describe("the metadata of a span", () => {
  it("has all attributes under their own names but those in input and output", () => {
    expect(
      metadataOf({
        "gen_ai.operation.name": "chat",
        "acme.region": "north-7",
        "acme.json": '{"a":1}',
        "acme.cut": '{"a":',
        "input.value": "in",
        "gen_ai.output.messages": "[]",
        "output.value": "out",
        scope: "mine",
      }),
    ).toEqual({
      "gen_ai.operation.name": "chat",
      "acme.region": "north-7",
      "acme.json": { a: 1 },
      "acme.cut": '{"a":',
      "gen_ai.output.messages": [],
      "attributes.scope": "mine",
    });
  });

  it("does not repeat messages that the JSON of the request has", () => {
    const flattened = { "llm.input_messages.0.message.content": "Hello" };
    expect(metadataOf({ "input.value": '{"messages":[]}', ...flattened })).toBeNull();
    expect(metadataOf({ "input.value": "__REDACTED__", ...flattened })).toEqual({
      "llm.input_messages": [{ content: "Hello" }],
    });
  });

  it("does not repeat content that two conventions have in the same words", () => {
    expect(metadataOf({ "input.value": "[1]", "gen_ai.input.messages": "[1]" })).toBeNull();
  });

  it("says who sent the span, what it links to, and how many attributes are missing", () => {
    const fields = {
      scope: { name: "library", version: "1.2" },
      resource: new Map([
        ["service.name", "shop"],
        ["process.pid", "1"],
      ]),
      links: [{ traceId: "3".repeat(32), spanId: "4".repeat(16), attributes: new Map([["why", "retry"]]) }],
      droppedAttributes: 28,
    };
    expect(metadataOf({}, fields)).toEqual({
      scope: { name: "library", version: "1.2" },
      resource: { "service.name": "shop" },
      links: [{ traceId: "3".repeat(32), spanId: "4".repeat(16), attributes: { why: "retry" } }],
      droppedAttributes: 28,
    });
  });

  it("repeats no more than 16 KiB of a process and 1 KiB of a library, and counts what it leaves out", () => {
    const long = "x".repeat(1_000_000);
    const fields = {
      scope: { name: long, version: long },
      resource: new Map([
        ["service.name", "shop"],
        ["long", long],
        ["service.version", "1.2"],
      ]),
    };
    expect(metadataOf({}, fields)).toEqual({
      scope: { name: "x".repeat(1_024), version: "x".repeat(1_024) },
      resource: { "service.name": "shop", "service.version": "1.2" },
      droppedResourceAttributes: 1,
    });
    const many = new Map(Array.from({ length: 20_000 }, (_, n) => [`key.${n}`, "value"]));
    const json = JSON.stringify(metadataOf({}, { resource: many }));
    expect(json.length).toBeGreaterThan(16_000);
    expect(json.length).toBeLessThan(17_500);
    const kept = json.match(/"key\.\d+"/g)?.length ?? 0;
    expect(json).toContain(`"droppedResourceAttributes":${20_000 - kept}`);
  });
});

describe("a span that makes no sense", () => {
  it("has a name that can be stored", () => {
    expect(mapped({}, { name: "" }).span.name).toBe("span");
    expect(mapped({}, { name: "nul \0, half \ud800" }).span.name).toBe("nul \uFFFD, half \uFFFD");
    expect(Buffer.byteLength(mapped({}, { name: "ä".repeat(MAX_NAME_BYTES) }).span.name)).toBe(
      MAX_NAME_BYTES,
    );
  });

  it("has times that can be stored, the end not before the start", () => {
    const timesOf = (startMs: number, endMs: number) => {
      const { startedAt, endedAt, durationMs } = mapped({}, { startMs, endMs }).span;
      return [startedAt, endedAt, durationMs];
    };
    expect(timesOf(1_000.4, 1_002.9)).toEqual([1_000, 1_002, 2.5]);
    expect(timesOf(50, 20)).toEqual([50, 50, 0]);
    expect(timesOf(0, 0)).toEqual([0, 0, 0]);
    expect(timesOf(0, 20)).toEqual([20, 20, 0]);
    expect(timesOf(20, 0)).toEqual([20, 20, 0]);
    const [, far] = timesOf(20, Number.MAX_VALUE);
    expect(new Date(far ?? 0).getUTCFullYear()).toBe(9999);
  });

  it("has a session and tags that can be stored, or none", () => {
    const { facts } = mapped({ "session.id": "nul \0", "tag.tags": ["nul \0", ` ${"x".repeat(5_000)}`, ""] });
    expect(facts.session).toBeUndefined();
    expect(facts.tags).toEqual(["nul \uFFFD", "x".repeat(1_024)]);
  });

  it("may have keys that JavaScript gives a meaning", () => {
    const { span, facts } = mapped({
      __proto__x: "1",
      "llm.input_messages.0.message.__proto__": "2",
      [`llm.tools.0.${"a.".repeat(10_000)}`]: "deep",
      "gen_ai.operation.name": "chat",
    });
    expect(JSON.stringify(span.input)).toBe('[{"__proto__":"2"}]');
    expect(facts.type).toBe("LLM_CALL");
  });
});

describe("the facts of a span", () => {
  it("are small for a plain span", () => {
    const { facts } = mapped({ "http.route": "/orders" }, { parentSpanId: "3".repeat(16) });
    expect(facts).toEqual({
      id: "2".repeat(16),
      parentId: "3".repeat(16),
      name: "work",
      type: "CUSTOM",
      status: "COMPLETED",
      startMs: SPAN_START,
      endMs: SPAN_START + 100,
    });
  });

  it("leave out the messages", () => {
    const prompt = "x".repeat(100_000);
    const { facts } = mapped({
      "gen_ai.operation.name": "chat",
      "input.value": prompt,
      "output.value": prompt,
      "gen_ai.system_instructions": prompt,
    });
    expect(JSON.stringify(facts).length).toBeLessThan(250);
  });

  it("have the offered tools where the model called some, or where log records may say that it did", () => {
    const chat = { "gen_ai.operation.name": "chat", "gen_ai.tool.definitions": '[{"name":"a"}]' };
    const offered = (attributes: Values) => mapped({ ...chat, ...attributes }).facts.offered;
    expect(offered({})).toEqual(["a"]);
    expect(offered({ "gen_ai.output.messages": '[{"parts":[{"type":"tool_call","name":"a"}]}]' })).toEqual([
      "a",
    ]);
    expect(
      offered({ "gen_ai.output.messages": "cut", "gen_ai.response.finish_reasons": ["tool_calls"] }),
    ).toEqual(["a"]);
    expect(offered({ "gen_ai.output.messages": "Hello" })).toBeUndefined();
  });

  it("name the trace by what was given to it, then by its agent, then by its workflow", () => {
    const names = {
      "gen_ai.workflow.name": "workflow",
      "gen_ai.agent.name": "agent",
      "ai.telemetry.functionId": "function",
      "langfuse.trace.name": "trace",
    };
    expect(mapped(names).facts.label).toBe("trace");
    expect(mapped({ ...names, "langfuse.trace.name": "" }).facts.label).toBe("function");
    expect(mapped({ "gen_ai.workflow.name": "workflow", "gen_ai.agent.name": "agent" }).facts.label).toBe(
      "agent",
    );
    expect(mapped({ "traceloop.entity.name": "entity" }).facts.label).toBe("entity");
  });

  it.each<[string, OtlpValue]>([
    ["tag.tags", '["a","b"]'],
    ["langfuse.trace.tags", ["a", "b"]],
    ["langsmith.span.tags", "a, b"],
  ])("have tags from %s", (key, value) => {
    expect(mapped({ [key]: value }).facts.tags).toEqual(["a", "b"]);
  });

  it("have the session of the first attribute that names one", () => {
    expect(
      mapped({ "conversation.id": "3", "gen_ai.conversation.id": "2", "session.id": "1" }).facts.session,
    ).toBe("1");
    expect(
      mapped({ "conversation.id": "3", "gen_ai.conversation.id": "2", "session.id": "" }).facts.session,
    ).toBe("2");
  });

  it("have the tool that ran, with its arguments unless they are long", () => {
    const tool = { "traceloop.span.kind": "tool", "traceloop.entity.name": "lookup" };
    expect(mapped({ ...tool, "traceloop.entity.input": '{"args":[],"kwargs":{"id":7}}' }).facts.tool).toEqual(
      { name: "lookup", arguments: { id: 7 } },
    );
    expect(mapped({ ...tool, "traceloop.entity.input": "x".repeat(20_000) }).facts.tool).toEqual({
      name: "lookup",
    });
    expect(mapped({}, { name: "execute_tool lookup" }).facts.tool).toEqual({ name: "lookup" });
  });

  it("say what was retrieved, not what was written or queried", () => {
    const isRetrieval = (attributes: Values) => mapped(attributes).facts.isRetrieval ?? false;
    expect(isRetrieval({ "langfuse.observation.type": "retriever" })).toBe(true);
    expect(isRetrieval({ "span.type": "memory", "memory.operation": "read" })).toBe(true);
    expect(isRetrieval({ "span.type": "memory", "memory.operation": "write" })).toBe(false);
    expect(isRetrieval({ "db.system": "postgresql" })).toBe(false);
  });
});
