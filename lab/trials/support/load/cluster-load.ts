import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { agentRun, otlpTraces, type SampleSpan } from "@whytrace/testing/otlp/otlp-samples.ts";
import { postOtlp } from "@whytrace/testing/otlp/post-otlp.ts";
import { describeConnectionError, postBatch, select, Tally, type Tenant } from "@whytrace/testing/trial.ts";
import { traceAt } from "../versioned-trace.ts";

const RETRY_PAUSE_MS = 50;
const SPANS_PER_TRACE = 8;

/**
 * Tenants that send traces while a cluster changes: one writer of each sends JSON, half of it newer versions of earlier
 * traces, and one sends OpenTelemetry in pieces. What is refused is sent again until it is acknowledged.
 */
export class ClusterLoad {
  readonly responses = new Tally();
  /** Broken invariants: must stay empty. */
  readonly violations = new Tally<string>();
  slowestMs = 0;
  /** Requests that got another response than 200, or none. */
  refused = 0;
  readonly #url: string;
  readonly #tenants: TenantTraces[];
  readonly #loops: Promise<void>[];
  readonly #refusedSeconds = new Set<number>();
  #isOver = false;

  constructor(url: string, tenants: Tenant[]) {
    this.#url = url;
    this.#tenants = tenants.map((tenant) => ({ tenant, versions: new Map(), spans: new Map() }));
    this.#loops = this.#tenants.flatMap((one) => [this.#sendJson(one), this.#sendOtlp(one)]);
  }

  /** In how many seconds at least one request was refused. */
  get refusedSeconds() {
    return this.#refusedSeconds.size;
  }

  get traceCount() {
    return this.#tenants.reduce((sum, { versions, spans }) => sum + versions.size + spans.size, 0);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #sendJson({ tenant, versions }: TenantTraces): Promise<void> {
    const ids: string[] = [];
    for (let version = 1; !this.#isOver; version += 1) {
      const batch = new Set(
        Array.from({ length: randomInt(1, 5) }, () => {
          const earlier = Math.random() < 0.5 ? ids[randomInt(Math.max(1, ids.length))] : undefined;
          return earlier ?? randomUUID();
        }),
      );
      const body = JSON.stringify({ traces: [...batch].map((id) => traceAt(id, version)) });
      await this.#untilAcknowledged(() => postBatch(this.#url, tenant.key, body));
      for (const id of batch) {
        if (!versions.has(id)) ids.push(id);
        versions.set(id, version);
      }
    }
  }

  async #sendOtlp({ tenant, spans }: TenantTraces): Promise<void> {
    while (!this.#isOver) {
      const traceId = randomBytes(16).toString("hex");
      const all = agentRun(traceId, SPANS_PER_TRACE);
      spans.set(traceId, all);
      for (let from = 0; from < all.length; from += 3) {
        const body = encodeOtlp(otlpTraces(all.slice(from, from + 3)));
        await this.#untilAcknowledged(() => postOtlp(this.#url, tenant.key, body));
      }
    }
  }

  async #untilAcknowledged(send: () => Promise<{ status: number }>): Promise<void> {
    for (;;) {
      const startedAt = performance.now();
      const response = await send().catch(describeConnectionError);
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      const result = typeof response === "string" ? response : response.status;
      this.responses.add(result);
      if (result === 200) return;
      this.refused += 1;
      this.#refusedSeconds.add(Math.floor(Date.now() / 1_000));
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** Compares what is stored with what was acknowledged. */
  async check(databaseUrl: string): Promise<void> {
    for (const { tenant, versions, spans } of this.#tenants) {
      const mine = `workspace_id = '${tenant.user.workspaceId}'`;
      const stored = await select<CountedTrace>(
        databaseUrl,
        `select id, name, span_count, decision_point_count, event_count,
           (select count(*)::int from spans where ${mine} and trace_id = traces.id) as spans,
           (select count(*)::int from decision_points where ${mine} and trace_id = traces.id) as decision_points,
           (select count(*)::int from events where ${mine} and trace_id = traces.id) as events
         from traces where ${mine}`,
      );
      const byId = new Map(stored.map((trace) => [trace.id, trace]));
      for (const [id, version] of versions) {
        const expected = traceAt(id, version);
        const found = byId.get(id);
        if (!found) this.violations.add("acknowledged trace lost");
        else if (found.name !== expected.name) this.violations.add("acknowledged version lost");
        else if (
          found.spans !== expected.spans.length ||
          found.decision_points !== expected.decisionPoints.length ||
          found.events !== expected.events.length
        )
          this.violations.add("children of another version");
      }
      for (const [id, sent] of spans)
        if (byId.get(id)?.spans !== sent.length) this.violations.add("acknowledged span lost");
      for (const trace of stored) {
        if (
          trace.span_count !== trace.spans ||
          trace.decision_point_count !== trace.decision_points ||
          trace.event_count !== trace.events
        )
          this.violations.add("count of children wrong");
        if (!versions.has(trace.id) && !spans.has(trace.id)) this.violations.add("trace that was not sent");
      }
      const [counted] = await select<{ used: number; total: number }>(
        databaseUrl,
        `select (select sessions_used from subscriptions where ${mine}) as used,
           (select (running + completed + error)::int from trace_totals where ${mine}) as total
         from subscriptions where ${mine}`,
      );
      if (counted?.used !== versions.size + spans.size)
        this.violations.add(`usage ${counted?.used} instead of ${versions.size + spans.size}`);
      if (counted?.total !== versions.size + spans.size)
        this.violations.add(`total ${counted?.total} instead of ${versions.size + spans.size}`);
    }
  }

  toString(): string {
    return (
      `${this.traceCount} traces of ${this.#tenants.length} tenants, responses ${this.responses}, ` +
      `refused in ${this.refusedSeconds} different seconds, slowest ${Math.round(this.slowestMs)} ms, ` +
      `violations ${this.violations}`
    );
  }
}

interface TenantTraces {
  tenant: Tenant;
  /** The last acknowledged version of each trace that was sent as JSON. */
  versions: Map<string, number>;
  /** The spans of each trace that was sent by OpenTelemetry. */
  spans: Map<string, SampleSpan[]>;
}

interface CountedTrace {
  id: string;
  name: string;
  span_count: number;
  decision_point_count: number;
  event_count: number;
  spans: number;
  decision_points: number;
  events: number;
}
