import { createHash } from "node:crypto";
import { feedbackSecret, mintFeedbackToken } from "@whytrace/contract";
import { expect } from "vitest";
import { encodeOtlp, type OtlpSignal } from "../otlp/otlp-encoder.ts";
import { otlpId } from "../otlp/sample-otlp.ts";
import { type Client, expectStatus } from "../server/client.ts";
import type { Canaries } from "./canaries.ts";
import { canaryLogs, canarySpans, canaryTrace } from "./canary-requests.ts";
import type { Sender } from "./sample-traces.ts";

/** Sends values of every type that is masked in every field, by every door. Returns the ids of the traces that are stored. */
export async function sendCanaries(client: Client, user: Sender, canaries: Canaries): Promise<string[]> {
  const decisionPointId = "canary";
  const posted = canaryTrace(canaries, decisionPointId);
  expectStatus(await user.send([posted]), 200);
  const ids = [posted.id];
  for (const encoding of ["json", "protobuf"] as const) {
    const send = (signal: OtlpSignal, request: object) => sendOtlp(client, user, signal, encoding, request);
    const traceId = otlpId(16);
    ids.push(traceId);
    await send("traces", canarySpans(canaries, encoding, traceId));
    // Some records complete a span, and some wait for theirs.
    for (const id of [traceId, otlpId(16)]) await send("logs", canaryLogs(canaries, `${encoding} log:`, id));
  }
  await sendJudgements(client, user, canaries, posted.id);
  await writeOnIssue(user, canaries);
  const verdict = {
    traceId: posted.id,
    decisionPointId,
    verdict: "wrong",
    shouldHaveBeen: canaries.text("verdict.shouldHaveBeen"),
    note: canaries.text("verdict.note"),
  };
  expectStatus(await user.put("/api/insights/verdicts", verdict), 200);
  return ids;
}

async function sendOtlp(
  client: Client,
  user: Sender,
  signal: OtlpSignal,
  encoding: "json" | "protobuf",
  request: object,
) {
  const response = await fetch(`${client.url}/v1/${signal}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${user.key}`,
      "content-type": encoding === "json" ? "application/json" : "application/x-protobuf",
    },
    body: encoding === "json" ? JSON.stringify(request) : new Uint8Array(encodeOtlp(request, signal)),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function sendJudgements(client: Client, user: Sender, canaries: Canaries, traceId: string) {
  const judged = { name: "helpful", value: 0.5 };
  const scores = [traceId, "a trace that does not come"].map((id) => ({
    ...judged,
    traceId: id,
    comment: canaries.text("score.comment"),
    metadata: canaries.payload("score.metadata"),
  }));
  expectStatus(await user.post("/api/scores", { scores }), 200);
  const title = {
    name: canaries.text("score.name"),
    author: canaries.text("score.author"),
    source: "person",
  };
  const titled = [
    { ...title, traceId, value: 1, label: canaries.text("score.label") },
    { ...title, traceId, value: canaries.text("score.value"), spanId: "a span" },
  ];
  const headers = { authorization: `Bearer ${user.key}` };
  expectStatus(await client.request("POST", "/api/scores", { body: { scores: titled }, headers }), 200);
  const token = mintFeedbackToken(feedbackSecret(createHash("sha256").update(user.key).digest()), {
    traceId,
    name: "vote",
    max: 0,
    author: "",
    expiresAtSeconds: Math.floor(Date.now() / 1_000) + 3_600,
  });
  const comment = canaries.text("feedback.comment");
  expectStatus(await client.post("/api/feedback", { token, value: false, comment }), 200);
}

/** Says everything on an issue that a person can say. */
async function writeOnIssue(user: Sender, canaries: Canaries) {
  const listed = async () => (await user.get("/api/issues")).json.issues ?? [];
  await expect.poll(async () => (await listed()).length).toBeGreaterThan(0);
  const [{ number }] = await listed();
  const issue = `/api/issues/${number}`;
  expectStatus(await user.post(`${issue}/comments`, { text: canaries.text("issue.comment") }), 201);
  const url = (place: string) => `https://tracker.example/?q=${canaries.text(place)}`;
  const fix = { note: canaries.text("issue.note"), url: url("issue.url") };
  const release = canaries.text("issue.release");
  expectStatus(await user.post(`${issue}/resolve`, { in: "release", release, ...fix }), 200);
  const exceptRelease = canaries.text("issue.exceptRelease");
  expectStatus(await user.post(`${issue}/reopen`, { exceptRelease }), 200);
  expectStatus(await user.patch(issue, { externalUrl: url("issue.externalUrl") }), 200);
}
