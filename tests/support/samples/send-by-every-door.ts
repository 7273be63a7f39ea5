import { createHash, randomUUID } from "node:crypto";
import { feedbackSecret, mintFeedbackToken } from "@whytrace/contract";
import { otlpId, otlpSpan, spansRequest } from "../otlp/sample-otlp.ts";
import type { Client } from "../server/client.ts";
import { expectStatus } from "../server/client.ts";
import { decision, event, type Sender, span, trace } from "./sample-traces.ts";

/**
 * Sends a text in every field that a sender fills, and in scores, feedback, log records and the note of a verdict. Returns the posted
 * trace, the id of the one that came by OpenTelemetry, and the verdict as it was saved.
 */
export async function sendByEveryDoor(client: Client, user: Sender, mail: string) {
  const decisionPointId = randomUUID();
  const sent = trace({
    name: `mail ${mail}`,
    sessionId: mail,
    tags: [mail, "plain"],
    metadata: { mail },
    spans: [
      span({
        name: mail,
        input: { mail },
        output: [mail],
        metadata: { mail },
        statusMessage: `no ${mail}`,
      }),
    ],
    decisionPoints: [
      decision({
        id: decisionPointId,
        reasoning: `asked ${mail}`,
        chosen: { to: mail },
        alternatives: [{ to: mail }],
        contextSnapshot: { mail },
      }),
    ],
    events: [event({ name: mail, metadata: { mail } })],
  });
  expectStatus(await user.send([sent]), 200);

  const authorization = `Bearer ${user.key}`;
  const attributes = (values: Record<string, string>) =>
    Object.entries(values).map(([key, value]) => ({ key, value: { stringValue: value } }));
  const traceId = otlpId(16);
  const message = JSON.stringify([
    { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "send", arguments: { to: mail } }] },
  ]);
  const sentSpan = {
    ...otlpSpan(traceId),
    name: `to ${mail}`,
    status: { code: 2, message: `refused by ${mail}` },
    attributes: attributes({
      "gen_ai.operation.name": "chat",
      "input.value": JSON.stringify({ mail }),
      "gen_ai.output.messages": message,
      "session.id": mail,
      "tag.tags": JSON.stringify([mail]),
      "llm.input_messages.0.message.content": mail,
      [`note of ${mail}`]: mail,
    }),
    events: [
      { name: "exception", timeUnixNano: "1", attributes: attributes({ "exception.message": mail }) },
      { name: "gen_ai.user.message", timeUnixNano: "1", attributes: attributes({ content: mail }) },
      {
        name: "whytrace.decision",
        timeUnixNano: "1",
        attributes: attributes({
          "whytrace.decision.chosen": mail,
          "whytrace.decision.context": JSON.stringify({ mail }),
        }),
      },
    ],
    links: [{ traceId, spanId: otlpId(8), attributes: attributes({ mail }) }],
  };
  const request = spansRequest([sentSpan]);
  expectStatus(
    await client.request("POST", "/v1/traces", { body: request, headers: { authorization } }),
    200,
  );
  // One record waits for its span, the other completes one.
  for (const id of [traceId, otlpId(16)]) {
    const log = {
      timeUnixNano: "1",
      traceId: id,
      spanId: sentSpan.spanId,
      eventName: "gen_ai.client.inference.operation.details",
      attributes: attributes({
        "gen_ai.output.messages": message,
        "gen_ai.input.messages": JSON.stringify([mail]),
      }),
    };
    const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] };
    expectStatus(await client.request("POST", "/v1/logs", { body, headers: { authorization } }), 200);
  }

  const scores = [
    { traceId: sent.id, name: "helpful", value: 0.5, comment: `by ${mail}`, metadata: { mail } },
    { traceId: "not sent", name: "x", value: 1, comment: mail },
  ];
  expectStatus(await user.post("/api/scores", { scores }), 200);
  const token = mintFeedbackToken(feedbackSecret(createHash("sha256").update(user.key).digest()), {
    traceId: sent.id,
    name: "vote",
    max: 0,
    author: "",
    expiresAtSeconds: Math.floor(Date.now() / 1_000) + 3_600,
  });
  expectStatus(await client.post("/api/feedback", { token, value: true, comment: `I am ${mail}` }), 200);
  const verdict = { traceId: sent.id, decisionPointId, verdict: "right", note: `${mail} agrees` };
  const saved = expectStatus(await user.put("/api/insights/verdicts", verdict), 200);
  return { sent, traceId, verdict: saved.json };
}
