import { decision, event, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { bootSignedIn } from "../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();
let sender: Sender;
beforeAll(async () => {
  sender = await signIn();
});

async function printed(given: Record<string, unknown>): Promise<string[]> {
  const whole = trace(given);
  expect((await sender.send([whole])).status).toBe(200);
  const { code, stdout } = await call(["trace", whole.id], env);
  expect(code).toBe(0);
  return stdout.trimEnd().split("\n");
}

describe("trace", () => {
  it("prints no control character of the trace: not of its ids, names, tags, reasons or payloads", async () => {
    const hostile = (text: string) => `${text}\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e`;
    const lines = await printed({
      id: hostile("trace-id"),
      name: hostile("name"),
      sessionId: hostile("session"),
      tags: [hostile("tag")],
      spans: [
        span({
          type: "TOOL_CALL",
          name: hostile("span"),
          status: "ERROR",
          statusMessage: hostile("message\n"),
          input: { argument: hostile("x") },
          metadata: { model: hostile("model") },
        }),
      ],
      decisionPoints: [
        decision({
          chosen: hostile("chosen"),
          alternatives: [hostile("alternative")],
          reasoning: hostile("reasoning"),
        }),
      ],
      events: [event({ name: hostile("event"), metadata: { text: hostile("x") } })],
    });
    expect(lines.join("")).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    for (const word of ["trace-id", "session", "tag", "span", "message", "chosen", "reasoning", "event"])
      expect(lines.join("\n")).toContain(word);
  });

  it("shows the model of a model call, the arguments of a tool, and events", async () => {
    const lines = await printed({
      spans: [
        span({ id: "root", name: "agent", type: "AGENT", input: "not shown" }),
        span({ name: "plan", parentSpanId: "root", metadata: { model: "model-a" } }),
        span({ name: "answer", parentSpanId: "root", input: { model: "model-b", messages: ["not shown"] } }),
        span({ name: "refund", type: "TOOL_CALL", parentSpanId: "root", input: { order: 7, eur: 240 } }),
        span({ name: "write", type: "TOOL_CALL", parentSpanId: "root", input: "x".repeat(5_000) }),
      ],
      events: [
        event({ spanId: "root", type: "ERROR", name: "tests failed", metadata: { attempt: 1 } }),
        event({ spanId: null, type: "USER_FEEDBACK", name: "rated" }),
      ],
    });
    const text = lines.join("\n");
    expect(text).toMatch(/plan LLM_CALL · model-a/);
    expect(text).toMatch(/answer LLM_CALL · model-b/);
    expect(text).toMatch(/refund \{"order":7,"eur":240\} TOOL_CALL/);
    expect(text).toMatch(/write "x{50,100}… TOOL_CALL/);
    expect(text).toMatch(/│ {2}└─ • Error: tests failed \{"attempt":1\}/);
    expect(text).toMatch(/^└─ • User feedback: rated$/m);
    expect(text).not.toContain("not shown");
  });

  it("orders spans, decisions and events by time; a decision comes before a tool of the same millisecond", async () => {
    const at = (ms: number) => `2026-01-02T03:04:05.${String(ms).padStart(3, "0")}Z`;
    const lines = await printed({
      spans: [
        span({ name: "third", startedAt: at(300) }),
        span({ name: "tool", startedAt: at(200) }),
        span({ name: "first", startedAt: at(100) }),
      ],
      decisionPoints: [decision({ chosen: "choose tool", alternatives: [], timestamp: at(200) })],
      events: [event({ name: "after tool", timestamp: at(250) })],
    });
    const order = lines.slice(2).map((line) => /first|choose tool|after tool|tool|third/.exec(line)?.[0]);
    expect(order).toEqual(["first", "choose tool", "tool", "after tool", "third"]);
  });

  it("prints each span once, even if its parent is missing or its parents form a circle", async () => {
    const lines = await printed({
      spans: [
        span({ id: "a", name: "circle a", parentSpanId: "b" }),
        span({ id: "b", name: "circle b", parentSpanId: "a" }),
        span({ id: "c", name: "below b", parentSpanId: "b" }),
        span({ id: "d", name: "own parent", parentSpanId: "d" }),
        span({ id: "e", name: "orphan", parentSpanId: "not sent" }),
      ],
    });
    for (const name of ["circle a", "circle b", "below b", "own parent", "orphan"])
      expect(lines.filter((line) => line.includes(`─ ${name}`))).toHaveLength(1);
  });

  it("prints the latest trace with --last, and needs either an id or --last", async () => {
    sender = await signIn();
    expect(await call(["trace", "--last"], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("No traces yet"),
    });
    await sender.send([
      trace({ name: "older", startedAt: "2026-01-01T00:00:00Z" }),
      trace({ name: "newer" }),
    ]);
    expect((await call(["trace", "--last"], env)).stdout).toContain("newer");
    expect(JSON.parse((await call(["trace", "--last", "--json"], env)).stdout)).toMatchObject({
      name: "newer",
      spans: [],
    });
    for (const args of [["trace"], ["trace", "id", "--last"]]) expect((await call(args, env)).code).toBe(2);
  });
});
