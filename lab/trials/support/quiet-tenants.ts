import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "@whytrace/testing/percentile.ts";
import { span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { PASSWORD } from "@whytrace/testing/server/client.ts";
import { postBatch, Tally, type Tenant } from "@whytrace/testing/trial.ts";

const SENDS_PER_SECOND = 5;

export interface Measured {
  ingestMs: number[];
  ingestP50Ms: number;
  ingestP99Ms: number;
  readP99Ms: number;
  signInP99Ms: number;
  /** Requests without the status 200. */
  refused: number;
  /** The responses by kind and status. */
  responses: string;
}

/**
 * Tenants who behave: each sends five traces and reads one page a second, at fixed times, whether or not earlier requests
 * have ended. One of them signs in once a second.
 */
export class QuietTenants {
  readonly #url: string;
  readonly #tenants: Tenant[];
  #pending: Promise<void>[] = [];
  #isPaused = false;

  constructor(url: string, tenants: Tenant[]) {
    this.#url = url;
    this.#tenants = tenants;
  }

  run(seconds: number): Promise<Measured> {
    return this.runDuring(() => sleep(seconds * 1_000));
  }

  /** Nothing is sent while `work` runs: for what a trial itself does, which would slow down what it measures. */
  async pauseDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#isPaused = true;
    await Promise.all(this.#pending);
    const result = await work();
    this.#isPaused = false;
    return result;
  }

  /** Runs until `work` is done. */
  async runDuring(work: () => Promise<unknown>): Promise<Measured> {
    const responses = new Tally<string>();
    let refused = 0;
    const timed = async (kind: string, list: number[], send: () => Promise<{ status: number }>) => {
      const startedAt = performance.now();
      const status = await send().then(
        (response) => response.status,
        () => 0,
      );
      list.push(performance.now() - startedAt);
      responses.add(`${kind} ${status}`);
      if (status !== 200) refused += 1;
    };
    const ingest: number[] = [];
    const reads: number[] = [];
    const signIns: number[] = [];
    this.#pending = [];
    let isDone = false;
    const every = async (ms: number, delayMs: number, send: () => Promise<void>) => {
      const firstAt = performance.now() + delayMs;
      for (let round = 0; ; round += 1) {
        await sleep(Math.max(0, firstAt + round * ms - performance.now()));
        if (isDone) return;
        if (!this.#isPaused) this.#pending.push(send());
      }
    };
    const senders = [
      ...this.#tenants.flatMap((tenant, index) => [
        every(1_000 / SENDS_PER_SECOND, index * 23, () =>
          timed("ingest", ingest, () => postBatch(this.#url, tenant.key, newTrace())),
        ),
        every(1_000, index * 101, () => timed("read", reads, () => tenant.user.get("/api/traces?limit=20"))),
      ]),
      every(1_000, 500, () => timed("sign-in", signIns, () => this.#signIn())),
    ];
    await work();
    isDone = true;
    await Promise.all(senders);
    await Promise.all(this.#pending);
    return {
      ingestMs: ingest,
      ingestP50Ms: percentile(ingest, 0.5),
      ingestP99Ms: percentile(ingest, 0.99),
      readP99Ms: percentile(reads, 0.99),
      signInP99Ms: percentile(signIns, 0.99),
      refused,
      responses: String(responses),
    };
  }

  #signIn() {
    const email = this.#tenants[0]?.user.email ?? "";
    return fetch(`${this.#url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password: PASSWORD }),
    }).then(async (response) => {
      await response.text();
      return response;
    });
  }
}

const newTrace = () => {
  const input = { messages: ["What is the weather in Paris?".repeat(20)] };
  return JSON.stringify({ traces: [trace({ spans: [span({ input }), span({ input, output: input })] })] });
};
