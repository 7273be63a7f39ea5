import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { bootSignedIn } from "../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();
const HEADERS = (key: string) => `Authorization=Bearer%20${key}`;

interface Finding {
  check: string;
  status: string;
  text: string;
  advice?: string;
  name?: string;
  traces?: number;
  features?: Record<string, { found: number; of: number }>;
}

async function doctor(variables: Record<string, string>, ...args: string[]) {
  const { code, stdout } = await call(["doctor", "--otlp", "--json", ...args], { ...env, ...variables });
  const lines = stdout.trim().split("\n");
  return { code, findings: lines.map((line) => JSON.parse(line) as Finding) };
}

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: value } : { stringValue: value },
  }));

/** A call that asks for a tool, as an instrumentation sends it. */
const toolCall = (given: Record<string, string | number>, id = crypto.randomUUID().replaceAll("-", "")) => ({
  traceId: id,
  spanId: id.slice(0, 16),
  name: "chat",
  startTimeUnixNano: `${Date.now()}000000`,
  endTimeUnixNano: `${Date.now() + 5}000000`,
  attributes: attributes({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-5.4-mini",
    "gen_ai.output.messages": JSON.stringify([
      { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "lookup", arguments: {} }] },
    ]),
    ...given,
  }),
});

async function send(key: string, scope: { name?: string; version?: string }, ...spans: object[]) {
  const response = await fetch(`${env.WHYTRACE_URL}/v1/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ scope, spans }] }] }),
  });
  expect(response.status).toBe(200);
}

describe("doctor --otlp", () => {
  it("passes with the right variables, and says that nothing has arrived", async () => {
    const sender = await signIn();
    const { code, findings } = await doctor({
      OTEL_EXPORTER_OTLP_ENDPOINT: env.WHYTRACE_URL,
      OTEL_EXPORTER_OTLP_HEADERS: HEADERS(sender.key),
    });
    expect(code).toBe(0);
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ["Variables", "ok"],
      ["Endpoint", "ok"],
      ["Arrived", "warn"],
    ]);
  });

  it("exits with 1 for a wrong variable or a refused key, with advice", async () => {
    const sender = await signIn();
    const right = {
      OTEL_EXPORTER_OTLP_ENDPOINT: env.WHYTRACE_URL,
      OTEL_EXPORTER_OTLP_HEADERS: HEADERS(sender.key),
    };
    const wrong = [
      { ...right, OTEL_EXPORTER_OTLP_ENDPOINT: `${env.WHYTRACE_URL}/v1/traces` },
      { ...right, OTEL_EXPORTER_OTLP_HEADERS: HEADERS("wt_wrong") },
    ];
    for (const variables of wrong) {
      const { code, findings } = await doctor(variables);
      expect(code).toBe(1);
      const failed = findings.filter(({ status }) => status === "fail");
      expect(failed.length).toBeGreaterThan(0);
      for (const { advice } of failed) expect(advice).toMatch(/\.$/);
    }
  });

  it("without variables says which to set, and checks the chosen server and key", async () => {
    const sender = await signIn();
    const { code, findings } = await doctor({}, "--key", sender.key);
    expect(code).toBe(0);
    expect(findings[0]).toMatchObject({
      status: "warn",
      advice: expect.stringContaining(`OTEL_EXPORTER_OTLP_ENDPOINT=${env.WHYTRACE_URL}`),
    });
    expect(findings[0]?.advice).toContain(`Bearer%20${sender.key}`);
    expect(findings[1]).toMatchObject({ check: "Endpoint", status: "ok" });
  });

  it("says for each library what was there, what was missing, and what turns it on", async () => {
    const sender = await signIn();
    await send(
      sender.key,
      { name: "com.anthropic.sdk.typescript", version: "1.8.0" },
      toolCall({ "gen_ai.usage.input_tokens": 5 }),
      toolCall({ "gen_ai.usage.input_tokens": 5, "gen_ai.conversation.id": "conv-1" }),
    );
    const tools = JSON.stringify([{ name: "lookup" }, { name: "refund" }]);
    await send(sender.key, { name: "gen_ai" }, toolCall({ "gen_ai.tool.definitions": tools }));
    const { code, findings } = await doctor({}, "--key", sender.key);
    expect(code).toBe(0);
    const [anthropic, aiSdk] = findings.filter(({ check }) => check === "Arrived");
    expect(anthropic).toMatchObject({
      status: "warn",
      name: "com.anthropic.sdk.typescript",
      version: "1.8.0",
      traces: 2,
      spans: 2,
      modelCalls: 2,
      features: {
        "tool calls": { found: 2, of: 2 },
        "tools offered": { found: 0, of: 2 },
        tokens: { found: 2, of: 2 },
        session: { found: 1, of: 2 },
      },
    });
    expect(anthropic?.advice).toContain("session: 1 of 2. Pass openTelemetry: { conversationId }");
    expect(anthropic?.advice).toContain("See docs/opentelemetry/anthropic.md.");
    expect(aiSdk).toMatchObject({
      name: "gen_ai",
      features: { "tools offered": { found: 1, of: 1 }, tokens: { found: 0, of: 1 } },
    });
    expect(aiSdk?.advice).toContain("docs/opentelemetry/ai-sdk.md");
  });

  it("counts spans that name no library as arrived", async () => {
    const sender = await signIn();
    await send(sender.key, {}, { ...toolCall({}), attributes: [] });
    const { findings } = await doctor({}, "--key", sender.key);
    const arrived = findings.filter(({ check }) => check === "Arrived");
    expect(arrived).toMatchObject([{ name: "", traces: 1 }]);
    expect(arrived[0]?.text).toBe("spans without a scope name: 1 trace, 1 span, 0 model calls");
  });

  it("with --decisions passes only once the newest run has arrived with one", async () => {
    const sender = await signIn();
    const check = async () => {
      const { code, findings } = await doctor({}, "--key", sender.key, "--decisions");
      return [code, findings.find((one) => one.check === "Decisions")?.text];
    };
    expect(await check()).toEqual([1, "no run has arrived in the last 10 minutes"]);
    const bare = { ...toolCall({}), attributes: [] };
    await send(sender.key, { name: "mine" }, bare);
    expect(await check()).toEqual([1, `the newest run, chat (${bare.traceId}), has no decision`]);
    const decided = toolCall({});
    await send(sender.key, { name: "mine" }, decided);
    expect(await check()).toEqual([0, `1 decision and 1 span in the newest run, chat (${decided.traceId})`]);
    const { code } = await doctor({ XDG_CONFIG_HOME: "/nowhere" }, "--key", sender.key, "--decisions");
    expect(code).toBe(1);
  });

  it("skips what has arrived if nobody is signed in to that server", async () => {
    const sender = await signIn();
    const { code, findings } = await doctor(
      { XDG_CONFIG_HOME: "/nonexistent", WHYTRACE_DATA: "/nonexistent" },
      "--key",
      sender.key,
    );
    expect(code).toBe(0);
    expect(findings.at(-1)).toMatchObject({ check: "Arrived", status: "skipped" });
  });
});
