import { randomInt } from "node:crypto";
import type { ServerProcess } from "@whytrace/testing/server-process.ts";
import { postBatch, type Tenant } from "@whytrace/testing/trial.ts";
import { oddBody } from "./odd-payloads.ts";

/** Replaces traces, and remembers which version of each was acknowledged. A lost request is sent again. */
export class OddWriter {
  readonly versions = new Map<number, number>();
  acknowledged = 0;
  readonly #tenant: Tenant;
  readonly #pending = new Map<number, number>();

  constructor(tenant: Tenant, first: number, count: number) {
    this.#tenant = tenant;
    for (let trace = first; trace < first + count; trace += 1) this.#pending.set(trace, 0);
  }

  /** Sends the next versions of some traces until all are acknowledged or the server is killed. */
  async run(server: ServerProcess, count: number): Promise<void> {
    const traces = [...this.versions.keys()];
    for (let n = 0; n < count; n += 1) {
      const trace = traces[randomInt(traces.length)] ?? 0;
      if (!this.#pending.has(trace)) this.#pending.set(trace, (this.versions.get(trace) ?? 0) + 1);
    }
    await this.sendPending(server).catch(() => {});
  }

  async sendPending(server: ServerProcess): Promise<void> {
    for (const trace of [...this.#pending.keys()]) await this.#send(server, trace);
  }

  async #send(server: ServerProcess, trace: number): Promise<void> {
    const version = this.#pending.get(trace) ?? 0;
    const body = oddBody(trace, version, version % 3 === 2 ? "COMPLETED" : "RUNNING");
    const { status, text } = await postBatch(server.url, this.#tenant.key, body);
    if (status !== 200) throw new Error(`${status} ${text}`);
    this.#pending.delete(trace);
    this.versions.set(trace, version);
    this.acknowledged += 1;
  }
}
