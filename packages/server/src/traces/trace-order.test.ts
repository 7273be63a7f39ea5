import {
  type Outline,
  type OutlineDecision,
  type OutlineEvent,
  type OutlineSpan,
  type TraceNode,
  traceNodes,
} from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import { decision, event, newSender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { volume } from "@whytrace/testing/volume.ts";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { TraceOrder } from "./trace-order.ts";

const { client, db, databaseUrl } = await boot();
const user = await newSender(client, db);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
afterAll(() => pool.end());

async function orderOf(traceId: string): Promise<TraceOrder> {
  const connection = await pool.connect();
  try {
    return await TraceOrder.read(connection, user.workspaceId, traceId);
  } finally {
    connection.release();
  }
}

/** The order as it follows from the whole trace. */
function expectedOrder(outline: Outline) {
  const listed: { kind: string; position: number; depth: number }[] = [];
  const add = (nodes: TraceNode<OutlineSpan, OutlineDecision, OutlineEvent>[], depth: number) => {
    for (const node of nodes) {
      if (node.kind === "span") {
        listed.push({ kind: "span", position: outline.spans.indexOf(node.span), depth });
        add(node.children, depth + 1);
      } else if (node.kind === "decision")
        listed.push({ kind: "decision", position: outline.decisionPoints.indexOf(node.decision), depth });
      else listed.push({ kind: "event", position: outline.events.indexOf(node.event), depth });
    }
  };
  add(traceNodes(outline), 0);
  return listed;
}

it("lists all records in causal order, whatever their parents and times", async () => {
  const random = new Random(7);
  const at = () => new Date(Date.UTC(2026, 0, 1) + random.between(0, 5)).toISOString();
  for (let round = 0; round < 12; round += 1) {
    const count = random.between(1, 30);
    // Some parents do not exist, and some spans contain each other.
    const parent = () => (random.next() < 0.3 ? null : `s${random.between(0, count + 2)}`);
    const one = trace({
      spans: Array.from({ length: count }, (_, n) =>
        span({ id: `s${n}`, parentSpanId: parent(), startedAt: at() }),
      ),
      decisionPoints: Array.from({ length: 8 }, () => decision({ parentSpanId: parent(), timestamp: at() })),
      events: Array.from({ length: 8 }, () => event({ spanId: parent(), timestamp: at() })),
    });
    expectStatus(await user.send([one]), 200);
    const expected = expectedOrder((await user.get(`/api/traces/${one.id}/outline`)).json);
    expect(expected).toHaveLength(count + 16);
    const order = await orderOf(one.id);
    expect([...order.nodes(0)]).toEqual(expected);
    expect([...order.nodes(7)]).toEqual(expected.slice(7));
    expect(order.length).toBe(expected.length);
  }
});

it("is empty for an empty trace, and another user's", async () => {
  const other = await newSender(client, db);
  const [own, foreign] = [trace({ spans: [], decisionPoints: [], events: [] }), trace({ spans: [span()] })];
  expectStatus(await user.send([own]), 200);
  expectStatus(await other.send([foreign]), 200);
  expect([...(await orderOf(own.id)).nodes(0)]).toEqual([]);
  expect([...(await orderOf(foreign.id)).nodes(0)]).toEqual([]);
});

it("of very many spans in each other is as deep", async () => {
  // More than a stack has room for.
  const depth = volume(20_000, 12_000);
  const spans = Array.from({ length: depth }, (_, n) =>
    span({ id: `s${n}`, parentSpanId: n > 0 ? `s${n - 1}` : null }),
  );
  const deep = trace({ spans });
  expectStatus(await user.send([deep]), 200);
  const [last] = (await orderOf(deep.id)).nodes(depth - 1);
  expect(last).toEqual({ kind: "span", position: depth - 1, depth: depth - 1 });
});
