import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Random } from "@whytrace/demo";
import { Tally } from "@whytrace/testing/trial.ts";
import { HttpError } from "../../../packages/server/src/http/http-error.ts";
import {
  type OtlpEncoding,
  readLogs,
  readTraces,
} from "../../../packages/server/src/otlp/decode/read-otlp.ts";
import { deriveTrace } from "../../../packages/server/src/otlp/derive/derive-trace.ts";
import { mapLog } from "../../../packages/server/src/otlp/map/map-log.ts";
import { mapSpan } from "../../../packages/server/src/otlp/map/map-span.ts";
import type { LogFacts, SpanFacts } from "../../../packages/server/src/otlp/map/span-facts.ts";
import { mutateBytes } from "../support/mutate-bytes.ts";
import { mutateLog, mutateSpan } from "../support/mutate-span.ts";
import type { Seeds } from "../support/otlp-seeds.ts";

/** A request, however odd, needs at most this much CPU. */
const MAX_REQUEST_MS = 1_000;
const CHECKS_ORDER_EVERY = 8;

/**
 * Decodes, maps and derives mutated requests in this process. Mutates bytes of protobuf and of JSON, and attributes of
 * decoded spans and log records: most wrong bytes end in the decoder, and the mapping should see odd values, too.
 */
export class OtlpFuzzer {
  readonly outcomes = new Tally<string>();
  readonly failures: string[] = [];
  slowestMs = 0;
  readonly #seeds: Seeds;

  constructor(seeds: Seeds) {
    this.#seeds = seeds;
  }

  async run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds && this.failures.length < 20; round += 1) {
      const before = process.cpuUsage();
      await this.#runRound(round).catch((error: unknown) => {
        this.failures.push(`round ${round}: ${error instanceof Error ? error.stack : error}`);
      });
      const { user, system } = process.cpuUsage(before);
      const tookMs = (user + system) / 1_000;
      this.slowestMs = Math.max(this.slowestMs, tookMs);
      if (tookMs > MAX_REQUEST_MS) this.failures.push(`round ${round} took ${tookMs.toFixed(0)} ms`);
      if (round % 1_000 === 0) await yieldToEventLoop();
    }
  }

  /** The number of the round determines it, so that a failure can be repeated. */
  async #runRound(round: number): Promise<void> {
    const random = new Random(round);
    const signal = random.pick(["traces", "traces", "traces", "logs"]);
    const seeds = this.#seeds[signal];
    const seed = seeds[random.between(0, seeds.length - 1)];
    if (!seed) throw new Error("no seeds");
    const encoding = random.pick(["protobuf", "json"]);
    const hasOddBytes = random.chance(0.5);
    const body = hasOddBytes ? mutateBytes(random, seed[encoding]) : seed[encoding];
    const checksOrder = round % CHECKS_ORDER_EVERY === 0;
    const isRefused =
      signal === "traces"
        ? !(await this.#runTraces(random, body, encoding, checksOrder))
        : !(await this.#runLogs(random, body, encoding, checksOrder));
    if (isRefused && !hasOddBytes) throw new Error("a valid request is refused");
    this.outcomes.add(`${signal} as ${encoding} ${isRefused ? "refused" : "decoded"}`);
  }

  /** False if the body is refused. */
  async #runTraces(random: Random, body: Buffer, encoding: OtlpEncoding, checksOrder: boolean) {
    const decoded = await readTraces(body, encoding).catch(ignoreRefusal);
    if (!decoded) return false;
    const ids = decoded.spans.map(({ spanId }) => spanId);
    const spans = decoded.spans.map((span) => (random.chance(0.3) ? mutateSpan(random, span, ids) : span));
    for (const ofTrace of Map.groupBy(spans, ({ traceId }) => traceId).values()) {
      // As the server does: of spans with the same id the last one counts.
      const mapped = [...new Map(ofTrace.map((span) => [span.spanId, span])).values()].map(mapSpan);
      for (const { span, events } of mapped) JSON.stringify([span, events]);
      derive(
        mapped.map(({ facts }) => facts),
        [],
        checksOrder,
      );
    }
    return true;
  }

  /** False if the body is refused. */
  async #runLogs(random: Random, body: Buffer, encoding: OtlpEncoding, checksOrder: boolean) {
    const decoded = await readLogs(body, encoding).catch(ignoreRefusal);
    if (!decoded) return false;
    const records = decoded.records.map((record) =>
      random.chance(0.3) ? mutateLog(random, record) : record,
    );
    for (const ofTrace of Map.groupBy(records, ({ traceId }) => traceId).values()) {
      const logs = ofTrace.flatMap((record, position) => mapLog(record, position) ?? []);
      const spans = [...new Set(logs.flatMap(({ spanId }) => spanId ?? []))].map((id) => ({
        ...MODEL_CALL,
        id,
      }));
      derive(spans, logs, checksOrder);
    }
    return true;
  }

  toString(): string {
    return `${this.outcomes}; slowest ${this.slowestMs.toFixed(0)} ms`;
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof HttpError) || error.status !== 400) throw error;
}

/** The span that log records of a call are about. */
const MODEL_CALL = modelCall();

function modelCall(): SpanFacts {
  const id = "b7ad6b7169203331";
  const attributes = new Map([["gen_ai.operation.name", "chat"]]);
  const times = { startMs: 1_767_323_045_000, endMs: 1_767_323_046_000 };
  const unset = {
    parentSpanId: null,
    traceState: "",
    statusCode: 0,
    statusMessage: "",
    droppedAttributes: 0,
    events: [],
    links: [],
  };
  const scope = { name: "", version: "" };
  const ids = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: id, name: "chat" };
  return mapSpan({ ...ids, ...times, ...unset, attributes, scope, resource: new Map() }).facts;
}

/** Facts are stored as JSON, and read again when more spans come. */
function derive(spans: SpanFacts[], logs: LogFacts[], checksOrder: boolean) {
  const stored: { spans: SpanFacts[]; logs: LogFacts[] } = JSON.parse(JSON.stringify({ spans, logs }));
  const derived = deriveTrace(stored.spans, stored.logs);
  JSON.stringify([derived, ...derived.completions]);
  if (!checksOrder) return;
  const reversed = deriveTrace(stored.spans.toReversed(), stored.logs.toReversed());
  if (!isDeepStrictEqual(reversed, derived)) throw new Error("the order changes what is derived");
}
