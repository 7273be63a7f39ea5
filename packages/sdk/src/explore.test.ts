import type { WholeTrace } from "@whytrace/contract";
import { describe, expect, it } from "vitest";
import { respondJson, startFakeServer } from "../test/fake-server.ts";
import { useTestClient } from "../test/use-test-client.ts";
import { decide } from "./explore.ts";
import { flush, trace } from "./index.ts";

type Sent = Pick<WholeTrace, "id" | "decisionPoints">;

const TOOLS = ["search", "lookup", "ask", "delete"];
const NEVER = ["delete"];

async function recordRuns(count: number, share: number | undefined, settings = {}) {
  const sent: Sent[] = [];
  const server = await startFakeServer((_request, response, body) => {
    const { traces } = JSON.parse(body);
    sent.push(...traces);
    respondJson(response, 200, { success: true, count: traces.length });
  });
  useTestClient({ apiKey: "k", url: server.url, ...settings });
  const returned: string[] = [];
  const asked: string[] = [];
  for (let index = 0; index < count; index += 1) {
    await trace("agent", { id: `run ${index}` }, async ({ id }) => {
      for (let turn = 0; turn < 2; turn += 1)
        returned.push(
          await decide("TOOL_SELECTION", {
            options: TOOLS,
            choose: () => {
              asked.push(id);
              return { chosen: "search", reasoning: "usual" };
            },
            contextSnapshot: { turn },
            explore: share === undefined ? undefined : { share, never: NEVER },
          }),
        );
    });
    // The queue holds 1,000 traces.
    if (index % 500 === 499) await flush();
  }
  await flush();
  await server.close();
  const decisions = sent.flatMap(({ decisionPoints }) => decisionPoints);
  return { returned, asked, decisions, drawn: decisions.filter(({ probability }) => probability) };
}

describe("a decision that explores", () => {
  it("draws one of the allowed options in the share of traces, uniformly, and records its probability", async () => {
    const { returned, asked, decisions, drawn } = await recordRuns(2_000, 0.3);
    expect(drawn.length / 2_000).toBeGreaterThan(0.26);
    expect(drawn.length / 2_000).toBeLessThan(0.34);
    expect(asked.length + drawn.length).toBe(4_000);
    expect(decisions.map(({ chosen }) => chosen)).toEqual(returned);
    const counts = Map.groupBy(drawn, ({ chosen }) => chosen);
    expect([...counts.keys()].sort()).toEqual(["ask", "lookup", "search"]);
    for (const { length } of counts.values()) expect(length / drawn.length).toBeCloseTo(1 / 3, 1);
    for (const { probability, contextSnapshot, reasoning, alternatives } of drawn) {
      expect(probability).toBeCloseTo(1 / 3, 12);
      expect(contextSnapshot).toBeDefined();
      expect(reasoning).toBeUndefined();
      expect(alternatives).toHaveLength(3);
    }
  });

  it("draws the same in every process, at most one decision of a type in a trace", async () => {
    const [one, other] = [await recordRuns(200, 0.5), await recordRuns(200, 0.5)];
    expect(other.returned).toEqual(one.returned);
    // Of each run the first decision is drawn, or none.
    expect(one.drawn.every(({ contextSnapshot }) => Object.values(contextSnapshot ?? {})[0] === 0)).toBe(
      true,
    );
  });

  it("draws as often in a sample of the traces as in all of them", async () => {
    const { drawn, decisions } = await recordRuns(2_000, 0.3, { sampleRate: 0.3 });
    expect(drawn.length / (decisions.length / 2)).toBeGreaterThan(0.24);
    expect(drawn.length / (decisions.length / 2)).toBeLessThan(0.36);
  });

  it("draws nothing without consent, without two options, or if the trace is not recorded", async () => {
    expect((await recordRuns(50, undefined)).drawn).toEqual([]);
    const off = await recordRuns(50, 1, { enabled: false });
    expect(off.asked).toHaveLength(100);
    useTestClient({ apiKey: "k", url: "http://127.0.0.1:9" });
    const alone = await trace("agent", () =>
      decide("ROUTING", {
        options: ["a", "b"],
        choose: () => "b",
        explore: { share: 1, never: ["a"] },
      }),
    );
    expect(alone).toBe("b");
    expect(await decide("ROUTING", { options: ["a", "b"], choose: () => "b", explore: { share: 1 } })).toBe(
      "b",
    );
  });
});
