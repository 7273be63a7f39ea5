// @ts-check
import { decide, event, flush, span, stats, trace } from "@whytrace/sdk";

/*
 * Answers a customer's question: routes it, searches the documents, and asks a human if it may not decide alone.
 * Runs offline, because a script replaces the model:  node examples/support-agent.js "Where is my refund?"
 */

const question = process.argv[2] ?? "I was charged twice in March. Can I have 240 EUR back?";

const DOCUMENTS = [
  { title: "Refunds", text: "A double charge is refunded in full. Above 100 EUR a person approves it." },
  { title: "Deliveries", text: "A parcel takes three working days." },
];

/** Replaces a model: the option that it would choose for each prompt, and why. */
const MODEL = {
  topic: { chosen: "billing", reasoning: "The customer mentions a charge and wants money back." },
  tool: {
    chosen: "search_docs",
    reasoning: "The documents describe the rules for refunds, so a human is not needed yet.",
  },
  approve: {
    chosen: "ask_human",
    reasoning: "240 EUR is above the limit of 100 EUR for refunds without approval.",
  },
};

/** @param {keyof typeof MODEL} prompt */
async function think(prompt) {
  return span(`think: ${prompt}`, { type: "LLM_CALL", input: { prompt, question } }, (s) => {
    s.set({ tokenCount: 420, costUsd: 0.0011, metadata: { model: "scripted" } });
    return MODEL[prompt];
  });
}

/** @param {string} query */
async function searchDocs(query) {
  return span("search_docs", { type: "TOOL_CALL", input: { query } }, () =>
    DOCUMENTS.filter(({ title }) => query.includes(title.toLowerCase().slice(0, 6))),
  );
}

const answer = await trace(
  "support-agent",
  { sessionId: "customer-1871", tags: ["support", "example"], metadata: { question } },
  async () => {
    await decide("ROUTING", {
      options: ["billing", "delivery", "small_talk"],
      choose: () => think("topic"),
    });

    const tool = await decide("TOOL_SELECTION", {
      options: ["search_docs", "ask_human", "answer_directly"],
      choose: () => think("tool"),
    });
    const found = tool === "search_docs" ? await searchDocs("refund of a double charge") : [];
    if (found.length === 0) event("nothing found", { type: "FALLBACK" });

    const approval = await decide("ESCALATION", {
      options: ["refund_now", "ask_human"],
      choose: () => think("approve"),
      contextSnapshot: { amountEur: 240, limitEur: 100, documents: found.map(({ title }) => title) },
    });
    if (approval === "ask_human")
      await span("ask_human", { type: "TOOL_CALL", input: { amountEur: 240 } }, () => ({
        approved: true,
        by: "Ada",
      }));

    event("customer rated the answer", { type: "USER_FEEDBACK", metadata: { stars: 5 } });
    return "We have refunded 240 EUR. Sorry for the trouble!";
  },
);

await flush();
console.log(answer, "\nsent:", stats().sent);
