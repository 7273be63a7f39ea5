import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { nanos, otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";

let browser: Browser;
let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
});
// A test that is tried again finds nothing of the attempt before.
beforeEach(async () => {
  user = await newSender(booted.client, booted.db);
});

const send = (spans: object[]) => sendOtlp(booted.client, user.key, spansRequest(spans));

/** An agent that calls a model, which calls a tool. */
function agentRun(traceId: string, offered: object = {}) {
  const root = otlpSpan(traceId, { "gen_ai.agent.name": "support", "gen_ai.operation.name": "invoke_agent" });
  const call = otlpSpan(
    traceId,
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.response.model": "gpt-4o",
      "gen_ai.usage.input_tokens": 1_000,
      "gen_ai.usage.output_tokens": 100,
      "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"Where is my order?"}]}]',
      "gen_ai.output.messages": JSON.stringify([
        {
          role: "assistant",
          parts: [
            { type: "reasoning", content: "I need the order first." },
            { type: "tool_call", id: "1", name: "lookup_order", arguments: { id: 7 } },
          ],
        },
      ]),
      ...offered,
    },
    { name: "chat gpt-4o", parentSpanId: root.spanId, endTimeUnixNano: nanos(50) },
  );
  return { root, call };
}

it("a trace that comes by OpenTelemetry in pieces grows on the page, with decisions that say they are inferred", async () => {
  const id = otlpId(16);
  const { root, call } = agentRun(id);
  await send([call]);
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/traces/${id}`);
  await page.getByText("Running").first().waitFor();
  await page.getByText("options unknown").waitFor();
  await page.getByRole("row", { name: /lookup_order/ }).click();
  const details = page.getByRole("article");
  await details.getByText("inferred", { exact: true }).waitFor();
  await details.getByText("I need the order first.").waitFor();
  await details.getByText("The instrumentation does not say what else was on offer.").waitFor();
  await send([root]);
  await page.getByRole("heading", { name: "support" }).waitFor();
  await page.getByText("Completed").first().waitFor();
  await context.close();
});

it("the list of decisions shows what is inferred and what else was on offer", async () => {
  const unknown = agentRun(otlpId(16));
  const known = agentRun(otlpId(16), {
    "gen_ai.tool.definitions": JSON.stringify([{ name: "lookup_order" }, { name: "issue_refund" }]),
  });
  await send([unknown.root, unknown.call]);
  await send([known.root, known.call]);
  const context = await signedInContext(browser, user);
  const { page } = await openPage(context);
  await page.goto(`${booted.client.url}/decisions`);
  await page.getByText("issue_refund").waitFor();
  await page.getByText("others unknown").waitFor();
  expect(await page.locator("tbody").getByText("inferred", { exact: true }).count()).toBe(2);
  await context.close();
});
