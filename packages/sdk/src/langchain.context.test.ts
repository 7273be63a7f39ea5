import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { describe, expect, it } from "vitest";
import { recordTraces } from "../test/record-traces.ts";
import { decide, event, span, trace } from "./index.ts";
import { whytraceCallbacks } from "./langchain.ts";

/* Code inside a run records in the run's span, and code around it does not. */

const schema = { type: "object", properties: { city: { type: "string" } } } as const;
const pause = () => new Promise((resolve) => setTimeout(resolve, 2));
const getWeather = tool(
  async (input) => {
    const { city } = input as { city: string };
    event(`asked for ${city}`);
    await pause();
    await span(`fetch ${city}`, pause);
    return `${city}: 22 degrees`;
  },
  { name: "get_weather", description: "Weather", schema },
);
const config = () => ({ callbacks: [whytraceCallbacks()] });

/** Returns each span and event with the name of its parent span. */
async function recordTree(work: () => Promise<unknown>) {
  const traces = await recordTraces(work);
  return traces.map(({ name, spans, events, decisionPoints }) => {
    const nameOf = (id: string | undefined) => spans.find((one) => one.id === id)?.name;
    return {
      name,
      parents: Object.fromEntries([
        ...spans.map((one) => [one.name, nameOf(one.parentSpanId)]),
        ...events.map((one) => [one.name, nameOf(one.spanId)]),
        ...decisionPoints.map((one) => [String(one.chosen), nameOf(one.parentSpanId)]),
      ]),
    };
  });
}

describe("inside a LangChain run, code of the user records in the run's span", () => {
  const agent = RunnableLambda.from(async (city: string, config) => {
    await span("plan", pause);
    await decide("ROUTING", { options: ["weather", "news"], chosen: "weather" });
    const answer = await getWeather.invoke({ city }, config);
    await span("write", pause);
    return answer;
  }).withConfig({ runName: "agent loop" });
  const TREE = {
    "agent loop": undefined,
    plan: "agent loop",
    weather: "agent loop",
    get_weather: "agent loop",
    "asked for Oslo": "get_weather",
    "fetch Oslo": "get_weather",
    write: "agent loop",
  };

  it("and after the run in its own", async () => {
    const [sent] = await recordTree(() =>
      trace("agent", async () => {
        await span("before", pause);
        await agent.invoke("Oslo", config());
        await span("after", pause);
      }),
    );
    expect(sent?.parents).toEqual({ ...TREE, before: undefined, after: undefined });
  });

  it("also outside any trace, where each run has its own trace", async () => {
    const sent = await recordTree(async () => {
      await agent.invoke("Oslo", config());
      await getWeather.invoke({ city: "Rome" }, config());
      await trace("next", () => span("step", pause));
    });
    expect(sent).toEqual([
      { name: "agent loop", parents: TREE },
      {
        name: "get_weather",
        parents: { get_weather: undefined, "asked for Rome": "get_weather", "fetch Rome": "get_weather" },
      },
      { name: "next", parents: { step: undefined } },
    ]);
  });

  it("when runs are parallel", async () => {
    const named = (city: string) => tool(async () => span(`fetch ${city}`, pause), { name: city, schema });
    const both = RunnableLambda.from(async (_: string, config) => {
      await Promise.all([
        named("Oslo").invoke({}, config),
        span("own", pause),
        named("Rome").invoke({}, config),
      ]);
      await Promise.all(
        ["Bonn", "Bern"].map(async (city) => {
          await named(city).invoke({}, config);
          await span(`after ${city}`, pause);
        }),
      );
    }).withConfig({ runName: "both" });
    const [sent] = await recordTree(() => trace("agent", () => both.invoke("", config())));
    expect(sent?.parents).toEqual({
      both: undefined,
      own: "both",
      ...Object.fromEntries(
        ["Oslo", "Rome", "Bonn", "Bern"].flatMap((city) => [
          [city, "both"],
          [`fetch ${city}`, city],
        ]),
      ),
      "after Bonn": "both",
      "after Bern": "both",
    });
  });

  it("when a run fails, and what follows it is recorded outside", async () => {
    const failing = tool(
      async () => {
        await span("inner", pause);
        throw new Error("no");
      },
      { name: "failing", schema },
    );
    const [sent] = await recordTree(() =>
      trace("agent", async () => {
        await failing.invoke({}, config()).catch(() => {});
        await span("after", pause);
      }),
    );
    expect(sent?.parents).toEqual({ failing: undefined, inner: "failing", after: undefined });
  });

  it("in a long loop, whose contexts do not pile up", async () => {
    const quick = tool(async () => "", { name: "quick", schema });
    const [sent] = await recordTree(() =>
      trace("agent", async () => {
        for (let count = 0; count < 3_000; count++) await quick.invoke({}, config());
        await span("after", pause);
      }),
    );
    expect(sent?.parents).toEqual({ quick: undefined, after: undefined });
  });

  it("in the tools of a streamed run, whose reader records outside", async () => {
    const [sent] = await recordTree(() =>
      trace("agent", async () => {
        for await (const _ of await agent.stream("Oslo", config())) await span("read", pause);
        await span("after", pause);
      }),
    );
    // LangChain does not run the code of a streamed function in the context of its callbacks.
    const [plan, weather, write] = [undefined, undefined, undefined];
    expect(sent?.parents).toEqual({ ...TREE, plan, weather, write, read: undefined, after: undefined });
  });
});
