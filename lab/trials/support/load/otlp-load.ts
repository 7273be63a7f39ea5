import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { comparableTrace, firstDifference } from "@whytrace/testing/otlp/compare-traces.ts";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { agentRun, otlpTraces, type SampleSpan } from "@whytrace/testing/otlp/otlp-samples.ts";
import { postOtlp } from "@whytrace/testing/otlp/post-otlp.ts";
import { describeConnectionError, select, Tally, type Tenant } from "@whytrace/testing/trial.ts";
import { countOrphans, findWrongTotals } from "../versioned-trace.ts";

const WRITERS_PER_TENANT = 2;
/** Traces of a tenant that are open at the same time, so that their spans mix. */
const OPEN_TRACES = 4;
const MAX_SPANS = 16;
const RETRY_PAUSE_MS = 20;
/** Longer than any outage in a trial. */
const GIVE_UP_MS = 60_000;
/** The server may derive a trace a while after its last span. */
const DERIVED_WITHIN_MS = 60_000;

interface TenantLoad {
  tenant: Tenant;
  /** The spans of each trace, all of them sent by the end. */
  traces: Map<string, SampleSpan[]>;
  queue: SampleSpan[];
}

/**
 * Sends traces in pieces of one to three spans, in random order, until each piece is acknowledged. At the end compares
 * what is stored with the same spans sent at once by another user.
 */
export class OtlpLoad {
  readonly writes = new Tally();
  /** Broken invariants: must stay empty. */
  readonly violations = new Tally<string>();
  acknowledgedPieces = 0;
  readonly #url: string;
  readonly #loads: TenantLoad[];
  readonly #loops: Promise<void>[];
  #isOver = false;

  constructor(url: string, tenants: Tenant[]) {
    this.#url = url;
    this.#loads = tenants.map((tenant) => ({ tenant, traces: new Map(), queue: [] }));
    this.#loops = this.#loads.flatMap((load) =>
      Array.from({ length: WRITERS_PER_TENANT }, () => this.#write(load)),
    );
  }

  async waitForAcknowledgement(): Promise<void> {
    const before = this.acknowledgedPieces;
    const deadline = performance.now() + GIVE_UP_MS;
    while (this.acknowledgedPieces === before) {
      if (performance.now() > deadline) throw new Error(`nothing acknowledged in 60 s: ${this.writes}`);
      await sleep(2);
    }
  }

  /** Starts no new traces, sends the rest of the open ones and waits until all is acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #write(load: TenantLoad): Promise<void> {
    for (;;) {
      if (!this.#isOver && load.queue.length < MAX_SPANS) openTraces(load);
      const piece = Array.from({ length: randomInt(1, 4) }, () => takeRandom(load.queue)).flatMap(
        (span) => span ?? [],
      );
      if (piece.length === 0) return;
      await this.#sendUntilAcknowledged(load.tenant, encodeOtlp(otlpTraces(piece)));
    }
  }

  async #sendUntilAcknowledged({ key }: Tenant, body: Buffer): Promise<void> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; ) {
      const response = await postOtlp(this.#url, key, body).catch(describeConnectionError);
      this.writes.add(typeof response === "string" ? response : response.status);
      if (typeof response === "object" && response.status === 200) {
        if (response.body.length > 0) this.violations.add(`rejected: ${response.body}`);
        this.acknowledgedPieces += 1;
        return;
      }
      await sleep(RETRY_PAUSE_MS);
    }
    this.violations.add("piece never acknowledged");
  }

  /** Compares every trace with the same spans sent at once by a user who sends nothing else. */
  async checkStored(databaseUrl: string, reference: Tenant): Promise<void> {
    for (const { tenant, traces } of this.#loads) {
      const { json } = await tenant.user.get("/api/billing");
      if (json.sessionsUsed !== traces.size)
        this.violations.add(`sessionsUsed ${json.sessionsUsed} instead of ${traces.size}`);
      for (const [traceId, spans] of traces) await this.#checkTrace(tenant, reference, traceId, spans);
    }
    for (let orphans = await countOrphans(databaseUrl); orphans > 0; orphans -= 1)
      this.violations.add("orphaned row");
    for (const wrong of await findWrongTotals(databaseUrl))
      this.violations.add(`stored total wrong: ${wrong}`);
    const [twice] = await select<{ count: string }>(
      databaseUrl,
      "select count(*) - count(distinct (workspace_id, trace_id, id)) as count from spans",
    );
    if (Number(twice?.count) !== 0) this.violations.add(`${twice?.count} spans stored twice`);
  }

  async #checkTrace(tenant: Tenant, reference: Tenant, traceId: string, spans: SampleSpan[]) {
    const copyId = randomBytes(16).toString("hex");
    const copy = spans.map((span) => ({ ...span, traceId: copyId }));
    const { status } = await postOtlp(this.#url, reference.key, encodeOtlp(otlpTraces(copy)));
    if (status !== 200) return this.violations.add(`the copy of a trace got ${status}`);
    const expected = comparableTrace((await reference.user.get(`/api/traces/${copyId}`)).json);
    let difference: string | undefined;
    for (
      const deadline = performance.now() + DERIVED_WITHIN_MS;
      performance.now() < deadline;
      await sleep(1_000)
    ) {
      const stored = await tenant.user.get(`/api/traces/${traceId}`);
      difference =
        stored.status === 200 ? firstDifference(comparableTrace(stored.json), expected) : `${stored.status}`;
      if (difference === undefined) return;
    }
    this.violations.add(`a trace differs from its copy: ${difference}`);
  }

  toString(): string {
    const all = this.#loads.flatMap(({ traces }) => [...traces.values()]);
    return (
      `${all.flat().length} spans of ${all.length} traces acknowledged in ${this.acknowledgedPieces} requests; ` +
      `writes ${this.writes}; violations ${this.violations}`
    );
  }
}

function openTraces({ traces, queue }: TenantLoad) {
  for (let opened = 0; opened < OPEN_TRACES; opened += 1) {
    const traceId = randomBytes(16).toString("hex");
    const spans = agentRun(traceId, randomInt(1, MAX_SPANS));
    traces.set(traceId, spans);
    queue.push(...spans);
  }
}

function takeRandom<T>(list: T[]): T | undefined {
  return list.splice(randomInt(Math.max(1, list.length)), 1)[0];
}
