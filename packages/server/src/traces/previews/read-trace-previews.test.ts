import type { TracePreview } from "@whytrace/contract";
import { event, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { beforeAll, expect, it } from "vitest";

const { client, db } = await boot();
const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, "0")}.000Z`;

let user: Sender;
beforeAll(async () => {
  user = await newSender(client, db);
});

const previews = async (
  ids: string[],
  fields = "error,input,output",
  sender = user,
): Promise<TracePreview[]> =>
  expectStatus(await sender.get(`/api/trace-previews?ids=${ids.join(",")}&fields=${fields}`), 200).json
    .previews;

const messages = (...texts: [role: string, content: string][]) => ({
  messages: texts.map(([role, content]) => ({ role, content })),
});

it("are what a trace was asked, what it answered, and the error that came from inside", async () => {
  const root = span({
    id: "root",
    type: "AGENT",
    name: "invoke_agent support",
    startedAt: at(1),
    status: "ERROR",
    statusMessage: "The agent failed",
    input: messages(["system", "Be brief."], ["user", "Where is\nmy order?"]),
    output: messages(["user", "Where?"], ["assistant", "Sorry, that did not work."]),
  });
  const tool = span({
    id: "tool",
    parentSpanId: "root",
    type: "TOOL_CALL",
    name: "track_shipment",
    startedAt: at(2),
    status: "ERROR",
    statusMessage: `503 ${"x".repeat(300)}`,
    input: { id: 7 },
  });
  const failed = trace({ status: "ERROR", spans: [root, tool] });
  const fine = trace({
    spans: [
      span({ startedAt: at(1), output: "Second" }),
      span({ startedAt: at(0), input: "Hi", output: "First" }),
    ],
  });
  const events = trace({ events: [event({ type: "ERROR", name: "card declined" })] });
  await user.send([failed, fine, events]);
  expect(await previews([fine.id, failed.id, "unknown", events.id])).toEqual([
    { id: fine.id, error: null, input: "Hi", output: "Second" },
    {
      id: failed.id,
      error: { name: "track_shipment", message: `503 ${"x".repeat(196)}` },
      input: "Where is my order?",
      output: "Sorry, that did not work.",
    },
    { id: events.id, error: { name: "card declined", message: null }, input: null, output: null },
  ]);
  expect(await previews([failed.id], "input")).toEqual([
    { id: failed.id, error: null, input: "Where is my order?", output: null },
  ]);
});

it("show nothing of another workspace, and refuse unknown fields and over 100 ids", async () => {
  const secret = trace({ spans: [span({ input: "secret", status: "ERROR", statusMessage: "secret" })] });
  await user.send([secret]);
  const other = await newSender(client, db);
  expect(await previews([secret.id], "error,input,output", other)).toEqual([]);
  const refused = async (query: string) =>
    expectStatus(await user.get(`/api/trace-previews?${query}`), 400).json.error;
  expect(await refused("ids=a&fields=metadata")).toBe("Invalid fields. Must be one of: error, input, output");
  expect(await refused(`ids=${Array.from({ length: 101 }, (_, i) => i).join(",")}`)).toMatch(
    /at most 100 ids/,
  );
  expect(await previews([])).toEqual([]);
});

it("are not read of a trace with very many spans, whose errors are", async () => {
  const many = trace({
    spans: [
      ...Array.from({ length: 2_000 }, (_, i) => span({ id: `s${i}`, input: "Hi" })),
      span({ status: "ERROR", name: "last", statusMessage: "boom" }),
    ],
  });
  await user.send([many]);
  expect(await previews([many.id])).toEqual([
    { id: many.id, error: { name: "last", message: "boom" }, input: null, output: null },
  ]);
});
