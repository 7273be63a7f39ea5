import type { Outline, WholeTrace } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { decision, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { connectMcp } from "@whytrace/testing/server/mcp-client.ts";
import { expect, it } from "vitest";
import { buildTree } from "../../../dashboard/src/trace/model/build-tree.ts";
import { flattenRows } from "../../../dashboard/src/trace/model/flatten-rows.ts";
import { call } from "../../test/call.ts";
import { bootSignedIn } from "../../test/signed-in.ts";
import { Output } from "./output.ts";
import { renderTrace } from "./render-trace.ts";

/* Dashboard, command line and MCP draw a trace alike. Each drawing has a line for each span and decision: depth and id. */

const { env, signIn } = await bootSignedIn();
const user = await signIn();
const mcp = await connectMcp(user, "read");

const row = (depth: number, id: string) => `${" ".repeat(depth)}${id}`;

/** The rows of the trace's page. */
const drawnByDashboard = (outline: Outline) =>
  flattenRows(buildTree(outline), new Set()).flatMap(({ item, level }) => {
    if (item.kind === "group") throw new Error("a group hides spans");
    return row(level - 1, (item.kind === "span" ? item.span : item.decision).id);
  });

/** Names and options are ids. */
const readLines = (text: string) =>
  text.split("\n").flatMap((line) => {
    const [, indent = "", id = ""] = /^((?:│ {2}| {3})*)[├└]─ (?:◆ Tool selection: )?(\w+)/.exec(line) ?? [];
    return id === "" ? [] : row(indent.length / 3, id);
  });

async function drawnByMcp(traceId: string) {
  const { data } = await mcp.call("get_trace", { traceId });
  return data
    .slice(1)
    .map(({ depth, span: spanId, decision: decisionId }) => row(depth, spanId ?? decisionId));
}

const startedAt = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
const newSpan = (id: string, parentSpanId: string | null, startMs: number) =>
  span({ id, name: id, parentSpanId, startedAt: startedAt(startMs) });
const newDecision = (id: string, parentSpanId: string | null, atMs: number) =>
  decision({ id, chosen: { tool: id }, parentSpanId, timestamp: startedAt(atMs) });

async function draw(fields: Record<string, unknown>): Promise<string[]> {
  const sent = trace(fields);
  expect((await user.send([sent])).status).toBe(200);
  const { stdout } = await call(["trace", sent.id], env);
  const drawn = readLines(stdout);
  expect(drawnByDashboard((await user.get(`/api/traces/${sent.id}/outline`)).json)).toEqual(drawn);
  expect(await drawnByMcp(sent.id)).toEqual(drawn);
  return drawn;
}

it("says of an option that was drawn with which probability it was", async () => {
  const sent = trace({ decisionPoints: [decision({ probability: 0.25 }), decision()] });
  expect((await user.send([sent])).status).toBe(200);
  const { stdout } = await call(["trace", sent.id], env);
  expect(stdout.match(/Drawn at random, with a probability of 25 %: an experiment\./g)).toHaveLength(1);
});

it("draws a cycle from the span that started first, and a span without its parent as a root", async () => {
  const drawn = await draw({
    spans: [
      newSpan("below", "late", 0),
      newSpan("late", "early", 3),
      newSpan("early", "later", 2),
      newSpan("later", "late", 4),
      newSpan("tied", "also", 5),
      newSpan("also", "tied", 5),
      newSpan("self", "self", 6),
      newSpan("orphan", "gone", 7),
    ],
    decisionPoints: [newDecision("inside", "late", 9), newDecision("loose", null, 8)],
  });
  expect(drawn).toEqual([
    "early",
    " late",
    "  below",
    "  later",
    "  inside",
    "tied",
    " also",
    "self",
    "orphan",
    "loose",
  ]);
});

it("draws random parents and equal times as the dashboard and MCP do", async () => {
  const random = new Random(11);
  for (let round = 0; round < 20; round++) {
    const count = random.between(2, 20);
    const parent = () => (random.chance(0.1) ? null : `s${random.between(0, count)}`);
    const drawn = await draw({
      spans: Array.from({ length: count }, (_, n) => newSpan(`s${n}`, parent(), random.between(0, 4))),
      decisionPoints: Array.from({ length: 5 }, (_, n) =>
        newDecision(`d${n}`, parent(), random.between(0, 4)),
      ),
    });
    expect(drawn).toHaveLength(count + 5);
  }
});

it("draws spans with the same id as the dashboard does: the last one contains the others' children", async () => {
  const sent = trace({ spans: [newSpan("a", null, 0), newSpan("b", "a", 1), newSpan("c", "b", 2)] });
  expect((await user.send([sent])).status).toBe(200);
  const whole: WholeTrace = (await user.get(`/api/traces/${sent.id}`)).json;
  const again = whole.spans.flatMap((one) =>
    one.id === "b" ? { ...one, parentSpanId: "c", startedAt: startedAt(3) } : [],
  );
  const repeated = { ...whole, spans: [...whole.spans, ...again] };
  let stdout = "";
  const sink = { write: (text: string) => (stdout += text) };
  const judged = (await user.get(`/api/traces/${sent.id}/outcome`)).json;
  renderTrace(
    repeated,
    judged,
    new Output({ stdout: sink, stderr: sink, isJson: false, isColourDisabled: true }),
  );
  expect(readLines(stdout)).toEqual(["a", " b", "c", " b"]);
  expect(drawnByDashboard(repeated)).toEqual(readLines(stdout));
});
