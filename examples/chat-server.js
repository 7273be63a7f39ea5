// @ts-check
import { once } from "node:events";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { decide, flush, span, stats, trace } from "@whytrace/sdk";

/*
 * A web server whose handler returns before its answer is complete. The trace stays open until the stream has ended.
 * Runs offline, because a script replaces the model, and asks itself one question:  node examples/chat-server.js
 */

const DOCUMENTS = {
  refunds: "Refunds arrive within 5 days.",
  shipping: "Parcels leave on the next working day.",
};

/** Streams the words of an answer, like a model. @param {string} text */
async function* generate(text) {
  for (const word of text.split(" ")) {
    await sleep(5);
    yield `${word} `;
  }
}

/**
 * Passes a stream on and records it. A generator runs in the context of its reader, so it gets the span.
 * @param {import("@whytrace/sdk").SpanHandle} call @param {AsyncIterable<string>} words
 */
async function* record(call, words) {
  let output = "";
  try {
    for await (const word of words) {
      output += word;
      yield word;
    }
  } catch (error) {
    call.fail(error);
    throw error;
  } finally {
    // Also if the caller stops reading. After `fail`, it does nothing.
    call.end({ output, tokenCount: output.split(" ").length });
  }
}

/** @param {string} question */
const handle = (question) =>
  trace("chat-server", { tags: ["example"] }, async () => {
    const topic = await decide("MEMORY_RETRIEVAL", {
      options: Object.keys(DOCUMENTS),
      choose: (topics) => ({
        chosen: topics.find((one) => question.includes(one)) ?? "refunds",
        reasoning: "The question names the topic.",
      }),
    });
    const text = DOCUMENTS[/** @type {keyof typeof DOCUMENTS} */ (topic)];
    const call = span("answer", { type: "LLM_CALL", input: { question, text }, keepsTraceOpen: true });
    return Readable.from(record(call, generate(text)));
  });

const server = createServer(async (request, response) => {
  const question = new URL(request.url ?? "/", "http://localhost").searchParams.get("q") ?? "";
  (await handle(question)).pipe(response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

const response = await fetch(`http://127.0.0.1:${port}/?q=When+do+refunds+arrive`);
console.log(await response.text());
server.close();
await flush();
console.log("sent:", stats().sent);
