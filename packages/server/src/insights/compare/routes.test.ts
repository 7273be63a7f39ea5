import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { beforeAll, describe, expect, it } from "vitest";

const { client, db } = await boot();
let user: Sender;
beforeAll(async () => {
  user = await newSender(client, db);
});

const START_MS = Date.parse("2026-01-02T03:04:05.000Z");
const at = (ms: number) => new Date(START_MS + ms).toISOString();

/** "search of search, ask" chose search; each decision is made 100 ms after the one before. */
function decide(texts: string[], overrides: Record<string, unknown>[] = []) {
  return texts.map((text, index) => {
    const [chosen = "", options = ""] = text.split(" of ");
    const alternatives = options.split(", ").filter((option) => option !== chosen);
    return decision({ chosen, alternatives, timestamp: at(100 * (index + 1)), ...overrides[index] });
  });
}

const run = (texts: string[], overrides: Record<string, unknown> = {}, own: Record<string, unknown>[] = []) =>
  trace({ startedAt: at(0), decisionPoints: decide(texts, own), ...overrides });

async function send(...traces: { id: string }[]) {
  expectStatus(await user.send(traces), 200);
  return traces.map(({ id }) => id);
}

async function compare(...traces: { id: string }[]) {
  const [a, b] = await send(...traces);
  return expectStatus(await user.get(`/api/insights/compare?a=${a}&b=${b}`), 200).json;
}

describe("GET /api/insights/compare", () => {
  it("puts the decisions of both traces side by side and opens the first divergence", async () => {
    const texts = ["search of search, ask", "pay of pay, wait", "done of done, more"];
    const result = await compare(
      run(texts, { status: "ERROR", totalDuration: 900, totalCost: 0.5, totalTokens: 12, tags: ["v2.3"] }, [
        {},
        { contextSnapshot: { state: "paid", total: 84.5 }, reasoning: "Cheap." },
      ]),
      run(["search of search, ask", "wait of pay, wait", "done of done, more"], {}, [
        {},
        { contextSnapshot: { state: "paid", total: 90 }, reasoning: "It is paid already." },
      ]),
    );
    expect(result.lines.map(({ relation, a, b }: Line) => [relation, a?.option, b?.option])).toEqual([
      ["same", "search", "search"],
      ["flipped", "pay", "wait"],
      ["same", "done", "done"],
    ]);
    expect(result.divergence).toMatchObject({
      line: 1,
      context: [
        { key: "total", a: "84.5", b: "90", isEqual: false, namedIn: null },
        { key: "state", a: '"paid"', b: '"paid"', isEqual: true, namedIn: "b" },
      ],
    });
    expect(result.lines[1]).toMatchObject({
      context: { differing: 1, keys: 2 },
      a: { options: ["pay", "wait"], reasoning: "Cheap.", atMs: 200, type: "TOOL_SELECTION" },
      b: { options: ["wait", "pay"], signature: result.lines[1].a.signature },
    });
    expect(result.a).toMatchObject({
      status: "ERROR",
      release: "v2.3",
      durationMs: 900,
      costUsd: 0.5,
      tokens: 12,
      spans: 0,
      decisions: 3,
      errors: 0,
      error: null,
    });
    expect(result).toMatchObject({ contextDivergence: null, isTruncated: false });
  });

  it("says what followed both options in other runs of the agent after the same decision", async () => {
    const name = "rated agent";
    const runs = (count: number, texts: string[], status: string) =>
      Array.from({ length: count }, () => run(texts, { name, status }));
    const first = "search of search, ask";
    await send(
      ...runs(20, [first, "pay of pay, wait"], "ERROR"),
      ...runs(10, [first, "pay of pay, wait"], "COMPLETED"),
      ...runs(30, [first, "wait of pay, wait"], "COMPLETED"),
      // After another decision, so it does not count.
      ...runs(5, ["ask of search, ask", "pay of pay, wait"], "COMPLETED"),
    );
    const failing = run([first, "pay of pay, wait"], { name, status: "ERROR" });
    const result = await compare(failing, run([first, "wait of pay, wait"], { name }));
    expect(result.divergence.rates).toMatchObject({
      from: "2025-12-04T00:00:00.000Z",
      to: "2026-01-03T00:00:00.000Z",
      a: { decisions: 31, failed: 21, runs: 31 },
      b: { decisions: 31, failed: 0, runs: 31 },
      after: { step: result.lines[0].a.step, option: "search" },
    });
  });

  it("says what followed both options wherever they were chosen, if the same decision before is rare", async () => {
    const name = "seldom rated agent";
    await send(run(["ask of search, ask", "pay of pay, wait"], { name }));
    const texts = (choice: string) => ["search of search, ask", `${choice} of pay, wait`];
    const result = await compare(run(texts("pay"), { name }), run(texts("wait"), { name }));
    expect(result.divergence.rates).toMatchObject({
      a: { decisions: 2 },
      b: { decisions: 1 },
      after: null,
    });
    const elsewhere = await compare(
      run(texts("pay"), { name }),
      run(texts("wait"), { name: "someone else" }),
    );
    expect(elsewhere.divergence.rates).toBeNull();
  });

  it("names the first error, and counts failed spans as the trace page does", async () => {
    const failed = run(["a of a, b"], {
      status: "ERROR",
      spans: [
        span({ status: "ERROR", statusMessage: "second", startedAt: at(20) }),
        span({ status: "ERROR", statusMessage: "first", startedAt: at(10) }),
      ],
      events: [event({ type: "ERROR", name: "third", timestamp: at(30) })],
    });
    const result = await compare(failed, run(["a of a, b"]));
    expect(result.a).toMatchObject({ errors: 2, error: "first" });
    expect(result.b).toMatchObject({ errors: 0, error: null });
  });

  it("says where the contexts first differ if all decisions are the same", async () => {
    const texts = ["a of a, b", "c of c, d"];
    const result = await compare(
      run(texts, {}, [{ contextSnapshot: { n: 1 } }, { contextSnapshot: { age: 11 } }]),
      run(texts, {}, [{ contextSnapshot: { n: 1 } }, { contextSnapshot: { age: 2 } }]),
    );
    expect(result.divergence).toBeNull();
    expect(result.contextDivergence).toMatchObject({ line: 1, context: [{ key: "age", a: "11", b: "2" }] });
  });

  it("compares parallel branches branch by branch, whichever came first", async () => {
    const branches = (first: string, second: string) => {
      const spans = [first, second].map((name, index) =>
        span({ id: name, name, startedAt: at(index), endedAt: at(500), parentSpanId: "root" }),
      );
      return {
        spans: [span({ id: "root", name: "root", startedAt: at(0), endedAt: at(900) }), ...spans],
        decisionPoints: [first, second].map((name, index) =>
          decision({ chosen: name, parentSpanId: name, timestamp: at(100 + index) }),
        ),
      };
    };
    const result = await compare(trace(branches("x", "y")), trace(branches("y", "x")));
    expect(result.lines.map(({ relation }: Line) => relation)).toEqual(["same", "same"]);
  });

  it("compares the first decisions of huge traces, and says so", async () => {
    const many = (count: number) =>
      trace({
        startedAt: at(0),
        decisionPoints: Array.from({ length: count }, (_, index) =>
          decision({ chosen: "a", alternatives: ["b"], timestamp: at(index) }),
        ),
      });
    const result = await compare(many(5_003), many(2));
    expect(result.isTruncated).toBe(true);
    expect(result.lines).toHaveLength(5_000);
    expect(result.a.decisions).toBe(5_003);
  });

  it("compares decisions inside a chain of 16,000 spans", async () => {
    const nested = () =>
      run(["search of search, ask"], {
        spans: Array.from({ length: 16_000 }, (_, index) =>
          span({ id: `s${index}`, parentSpanId: index === 0 ? null : `s${index - 1}` }),
        ),
        decisionPoints: [decision({ parentSpanId: "s15999" })],
      });
    expect((await compare(nested(), nested())).lines).toHaveLength(1);
  });

  it("says which contexts are too large to be compared, and calls none of their keys different", async () => {
    const texts = ["search of search, ask", "pay of pay, wait", "done of done, more", "end of end, go"];
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`key${index}`, index]));
    const long = { ["k".repeat(17_000)]: { a: 1, b: 2 } };
    const contexts = (own: unknown[]) => own.map((contextSnapshot) => ({ contextSnapshot }));
    const { lines, contextDivergence } = await compare(
      run(texts, {}, contexts([{ text: "x".repeat(70_000) }, many, long, null])),
      run(texts, {}, contexts([{ state: "paid" }, many, { ...long, c: 3 }, { d: 4 }])),
    );
    expect(lines.map(({ context }: Line) => context)).toEqual([
      { differing: 0, keys: 0, isTruncated: true },
      { differing: 0, keys: 2_000, isTruncated: true },
      { differing: 1, keys: 3, isTruncated: false },
      { differing: 1, keys: 1, isTruncated: false },
    ]);
    expect(contextDivergence).toMatchObject({ line: 2, context: [{ key: "c", a: null, b: "3" }, {}, {}] });
  });

  it("compares a context whose keys are long in a moment", async () => {
    const values = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`a${100_000 + index}`, 1]),
    );
    const own = [{ contextSnapshot: { ["k".repeat(17_000)]: values } }];
    const [a, b] = await send(run(["search of search, ask"], {}, own), run(["ask of search, ask"], {}, own));
    const before = process.cpuUsage();
    expectStatus(await user.get(`/api/insights/compare?a=${a}&b=${b}`), 200);
    // With whole paths as keys of a Map it takes ten seconds.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });

  it("compares values that are too large to have a signature, and returns a part of them", async () => {
    const long = (letter: string) => [{ note: letter.repeat(40_000) }];
    const large = (letter: string) =>
      run(["a of a, b"], {}, [
        { alternatives: long(letter), contextSnapshot: long(letter), reasoning: letter.repeat(50_000) },
      ]);
    const result = await compare(large("x"), large("y"));
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
    expect(result.lines).toHaveLength(1);
  });

  it("says which of the traces is unknown, and shows nobody another user's trace", async () => {
    const [own] = await send(run(["a of a, b"]));
    const other = await newSender(client, db);
    const foreign = run(["secret of secret, b"], { name: "secret" });
    expectStatus(await other.send([foreign]), 200);
    for (const id of [foreign.id, "unknown"]) {
      const first = await user.get(`/api/insights/compare?a=${id}&b=${own}`);
      expect([first.status, first.json.error]).toEqual([404, "Trace a not found. It may have been deleted."]);
      const second = await user.get(`/api/insights/compare?a=${own}&b=${id}`);
      expect([second.status, second.json.error]).toEqual([
        404,
        "Trace b not found. It may have been deleted.",
      ]);
    }
  });

  it.each([
    ["", "a: must be the id of a trace"],
    ["?a=&b=x", "a: must be the id of a trace"],
    ["?a=x", "b: must be the id of a trace"],
  ])("%s is 400", async (query, error) => {
    const response = await user.get(`/api/insights/compare${query}`);
    expect([response.status, response.json]).toEqual([400, { error }]);
  });
});

interface Line {
  relation: string;
  a: { option: string } | null;
  b: { option: string } | null;
  context: unknown;
}
