import { otlpId, otlpSpan, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expect, it } from "vitest";

const { client, db } = await boot();
const user = await newSender(client, db);
const post = (authorization: string, body: object) =>
  client.request("POST", "/v1/traces", { body, headers: { authorization } });

it("takes the key from a header whose blank is still encoded, as some exporters send it", async () => {
  const id = otlpId(16);
  const response = await post(`Bearer%20${user.key}`, spansRequest([otlpSpan(id)]));
  expect(response.status, response.text).toBe(200);
  expect((await user.get(`/api/traces/${id}`)).status).toBe(200);
});

it("says what is wrong with a request, as a google.rpc.Status", async () => {
  expect((await post("Bearer wt_no", spansRequest([]))).json).toEqual({
    code: 16,
    message: "Invalid API key",
  });
  const { status, json } = await post(`Bearer ${user.key}`, { resourceSpans: {} });
  expect([status, json.code]).toEqual([400, 3]);
  expect(json.message).toContain("resourceSpans");
});
