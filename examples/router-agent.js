// @ts-check
import { decide, event, flush, span, stats, trace } from "@whytrace/sdk";

/*
 * Sends each request to the cheapest model that can handle it, and to another model if the first one fails.
 * Runs offline, because a script replaces the models:  node examples/router-agent.js
 */

const MODELS = [
  { name: "small", usdPerMillionTokens: 0.2, maxWords: 6 },
  { name: "medium", usdPerMillionTokens: 1.5, maxWords: 20 },
  { name: "large", usdPerMillionTokens: 9, maxWords: 500 },
];
/** @typedef {(typeof MODELS)[number]} Model */

const REQUESTS = [
  "What time is it in Lima?",
  "Summarise this contract and list every date that obliges us to do something.",
  "Translate hello. FLAKY",
];

/** @param {Model} model @param {string} prompt */
async function call(model, prompt, isRetry = false) {
  return span(`call ${model.name}`, { type: "LLM_CALL", input: prompt }, (s) => {
    const tokenCount = 40 + prompt.length * 3;
    s.set({
      tokenCount,
      costUsd: (tokenCount * model.usdPerMillionTokens) / 1_000_000,
      metadata: { model: model.name },
    });
    if (prompt.includes("FLAKY") && !isRetry) throw new Error(`${model.name} is overloaded`);
    return `answer of ${model.name}`;
  });
}

/** @param {string} prompt */
async function route(prompt) {
  const words = prompt.split(/\s+/).length;
  const model = await decide("ROUTING", {
    options: MODELS,
    choose: (options) => {
      const chosen = options.find(({ maxWords }) => words <= maxWords) ?? MODELS[MODELS.length - 1];
      if (!chosen) throw new Error("no model");
      return { chosen, reasoning: `${chosen.name} is the cheapest model that accepts ${words} words.` };
    },
    contextSnapshot: { words },
  });
  try {
    return await call(model, prompt);
  } catch (error) {
    event("model failed", { type: "ERROR", metadata: { model: model.name, error } });
    const next = await decide("RETRY", {
      options: MODELS.filter(({ name }) => name !== model.name),
      choose: ([first, second]) => ({
        chosen: first ?? second ?? model,
        reasoning: `${model.name} is overloaded; the next larger model is available and costs little more.`,
      }),
    });
    event("fallback", { type: "FALLBACK", metadata: { from: model.name, to: next.name } });
    return call(next, prompt, true);
  }
}

for (const [index, prompt] of REQUESTS.entries())
  console.log(
    await trace(
      "router-agent",
      { sessionId: "router-demo", tags: ["router", "example"], metadata: { index } },
      () => route(prompt),
    ),
  );

await flush();
console.log("sent:", stats().sent);
