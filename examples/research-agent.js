// @ts-check
import { decide, event, flush, span, stats, trace } from "@whytrace/sdk";

/*
 * Researches a question: reads its memory, splits the question, lets sub-agents search in parallel, and writes a report.
 * Runs offline, because a script replaces the model:  node examples/research-agent.js
 */

const question = "Did the pilot in Oslo lower the cost of support?";

const MEMORY = [
  { id: "note-3", about: "oslo pilot", score: 0.91, text: "Pilot ran January to March." },
  { id: "note-8", about: "bergen office", score: 0.34, text: "Bergen opened in May." },
];
/** @type {Record<string, string[]>} */
const SOURCES = {
  "cost before": ["Q4: 14.20 EUR a ticket"],
  "cost after": ["Q2: 9.80 EUR a ticket"],
  "other causes": [],
};

/** @param {string} name @param {number} tokenCount */
const model = (name, tokenCount) =>
  span(name, { type: "LLM_CALL", input: { question } }, (s) => {
    s.set({ tokenCount, costUsd: tokenCount * 0.000_003, metadata: { model: "scripted" } });
  });

/**
 * A trace inside a trace becomes an AGENT span of the outer trace.
 * @param {string} topic
 */
const subAgent = (topic) =>
  trace(`researcher: ${topic}`, async () => {
    await model("choose sources", 300);
    const found = await span(
      "web_search",
      { type: "TOOL_CALL", input: { topic } },
      () => SOURCES[topic] ?? [],
    );
    if (found.length === 0) event("no source", { type: "FALLBACK", metadata: { topic } });
    return found;
  });

const report = await trace(
  "research-agent",
  { tags: ["research", "example"], metadata: { question } },
  async () => {
    const memories = await span("recall", { type: "MEMORY_OP", input: question }, () => MEMORY);
    const memory = await decide("MEMORY_RETRIEVAL", {
      options: memories.map(({ id, about, score }) => ({ id, about, score })),
      choose: ([best, other]) => ({
        chosen:
          best && other && best.score > other.score ? best : (other ?? { id: "none", about: "", score: 0 }),
        reasoning: "It names the pilot and has by far the highest score.",
      }),
    });

    const plan = await decide("PLANNING", {
      options: ["one broad search", "three narrow searches"],
      choose: async () => {
        await model("plan", 700);
        return {
          chosen: "three narrow searches",
          reasoning: "Before, after and other causes are separate questions; one search would mix them.",
        };
      },
      contextSnapshot: { memory },
    });

    const topics = plan === "three narrow searches" ? Object.keys(SOURCES) : [question];
    const findings = await Promise.all(topics.map(subAgent));
    await model("write report", 1_600);
    return `Yes: ${findings.flat().join(", then ")}.`;
  },
);

await flush();
console.log(report, "\nsent:", stats().sent);
