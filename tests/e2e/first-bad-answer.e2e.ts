import { randomBytes } from "node:crypto";
import { otlpRun } from "@whytrace/lab/worlds/otlp-run.ts";
import type { WorldRun } from "@whytrace/lab/worlds/world.ts";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";

let browser: Browser;
let booted: Booted;
beforeAll(async () => {
  booted = await bootAtOrigin();
  browser = await openBrowser();
});

/** What a person does from an empty account on: clicks, keys, and commands that are run. */
class Journey {
  readonly page: Page;
  key = "";
  actions = 0;
  readonly #startedAt = performance.now();

  constructor(page: Page) {
    this.page = page;
  }

  static async begin(): Promise<Journey> {
    const user = await booted.client.newUser();
    const { page } = await openPage(await signedInContext(browser, user));
    await page.goto(`${booted.server.url}/welcome`);
    const journey = new Journey(page);
    await journey.act(() => page.getByRole("button", { name: "Create API key" }).click());
    await page.getByText("Copy your key now").waitFor();
    journey.key = (await page.locator("code").first().textContent()) ?? "";
    return journey;
  }

  async act(work: () => Promise<unknown>) {
    this.actions += 1;
    await work();
  }

  post(path: string, body: object) {
    return booted.client.request("POST", path, {
      body,
      headers: { authorization: `Bearer ${this.key}` },
    });
  }

  /** Ends when the page that opened by itself says that the run is bad. Prints how long it took from the empty account on. */
  async end(outcome: RegExp): Promise<number> {
    await this.page.getByLabel("Metrics").getByText(outcome).waitFor();
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(1);
    process.stdout.write(`a bad answer counts (${outcome.source}): ${seconds} s, ${this.actions} actions\n`);
    await this.page.context().close();
    return this.actions;
  }
}

const ANSWERED: WorldRun = {
  turns: [[{ tool: "lookup_order", error: null }]],
  status: "COMPLETED",
  message: null,
  isScoredBad: true,
  session: null,
  release: null,
  situation: null,
  sampleProbability: 1,
  culprits: [],
  missing: null,
};

describe("from an empty account, a bad answer counts", () => {
  it("after two actions if an evaluator reports by OpenTelemetry", async () => {
    const journey = await Journey.begin();
    const world = { tools: ["lookup_order"], guilty: [], run: () => ANSWERED };
    const given = {
      traceId: randomBytes(16).toString("hex"),
      agent: "refund agent",
      startedAtMs: Date.now() - 5_000,
      hasDefinitions: true,
      isJudged: true,
    };
    await journey.act(async () => {
      const resourceSpans = [otlpRun(ANSWERED, world, given)];
      expectStatus(await sendOtlp(booted.client, journey.key, { resourceSpans }), 200);
    });
    expect(await journey.end(/^Bad: /)).toBe(2);
  });

  it("after three actions if a user votes with a thumb", async () => {
    const journey = await Journey.begin();
    const run = trace({ name: "refund agent" });
    await journey.act(async () => expectStatus(await journey.post("/api/traces", { traces: [run] }), 200));
    await journey.page.getByRole("heading", { name: "refund agent" }).waitFor();
    const { json } = expectStatus(
      await journey.post("/api/feedback-tokens", { traceId: run.id, name: "helpful" }),
      201,
    );
    await journey.act(() =>
      booted.client.request("POST", "/api/feedback", { body: { token: json.token, value: false } }),
    );
    expect(await journey.end(/^Bad: helpful false/)).toBe(3);
  });

  it("after three actions if you press a key", async () => {
    const journey = await Journey.begin();
    await journey.act(async () =>
      expectStatus(await journey.post("/api/traces", { traces: [trace({ name: "refund agent" })] }), 200),
    );
    await journey.page.getByRole("heading", { name: "refund agent" }).waitFor();
    await journey.page.getByRole("group", { name: "Your review" }).waitFor();
    await journey.act(() => journey.page.keyboard.press("-"));
    expect(await journey.end(/^Bad: review false/)).toBe(3);
  });
});
