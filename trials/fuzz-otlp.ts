import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Random } from "@whytrace/demo";
import { Tally } from "@whytrace/testing/trial.ts";
import { HttpError } from "../server/src/http/http-error.ts";
import { deriveTrace } from "../server/src/otlp/derive-trace.ts";
import { mapSpan } from "../server/src/otlp/map-span.ts";
import type { OtlpSpan } from "../server/src/otlp/otlp-span.ts";
import { type OtlpEncoding, readTraces } from "../server/src/otlp/read-otlp.ts";
import type { SpanFacts } from "../server/src/otlp/span-facts.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateSpan } from "./mutate-span.ts";
import type { Seed } from "./otlp-seeds.ts";

/** A request, however odd, needs at most this much CPU. */
const MAX_REQUEST_MS = 1_000;
const CHECKS_ORDER_EVERY = 8;

/**
 * Decodes, maps and derives mutated requests in this process. Mutates bytes of protobuf and of JSON, and attributes of
 * decoded spans: most wrong bytes end in the decoder, and the mapping should see odd values, too.
 */
export class OtlpFuzzer {
  readonly outcomes = new Tally<string>();
  readonly failures: string[] = [];
  slowestMs = 0;
  #spans = 0;
  readonly #seeds: readonly Seed[];
  readonly #decoded = new Map<Seed, OtlpSpan[]>();

  constructor(seeds: readonly Seed[]) {
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
    const seed = this.#seeds[random.between(0, this.#seeds.length - 1)];
    if (!seed) throw new Error("no seeds");
    const kind = random.pick(["protobuf", "json", "spans", "spans"]);
    const spans =
      kind === "spans"
        ? await this.#mutateSpans(random, seed)
        : await this.#decode(kind, mutateBytes(random, seed[kind]));
    if (!spans) return void this.outcomes.add(`${kind} refused`);
    this.outcomes.add(`${kind} decoded`);
    this.#spans += spans.length;
    for (const ofTrace of Map.groupBy(spans, (span) => span.traceId).values())
      derive(ofTrace, round % CHECKS_ORDER_EVERY === 0);
  }

  async #mutateSpans(random: Random, seed: Seed): Promise<OtlpSpan[]> {
    let spans = this.#decoded.get(seed);
    if (!spans) {
      ({ spans } = await readTraces(seed.protobuf, "protobuf"));
      this.#decoded.set(seed, spans);
    }
    const ids = spans.map(({ spanId }) => spanId);
    return spans.map((span) => (random.chance(0.3) ? mutateSpan(random, span, ids) : span));
  }

  async #decode(encoding: OtlpEncoding, body: Buffer): Promise<OtlpSpan[] | undefined> {
    try {
      return (await readTraces(body, encoding)).spans;
    } catch (error) {
      if (error instanceof HttpError && error.status === 400) return undefined;
      throw error;
    }
  }

  toString(): string {
    return `${this.outcomes}; ${this.#spans} spans mapped; slowest ${this.slowestMs.toFixed(0)} ms`;
  }
}

/** As the server does: of spans with the same id the last one counts. */
function derive(spans: OtlpSpan[], checksOrder: boolean) {
  const mapped = [...new Map(spans.map((span) => [span.spanId, span])).values()].map(mapSpan);
  for (const { span, events } of mapped) JSON.stringify([span, events]);
  // Facts are stored as JSON and read again.
  const facts: SpanFacts[] = mapped.map((one) => JSON.parse(JSON.stringify(one.facts)));
  const derived = deriveTrace(facts, []);
  if (checksOrder && !isDeepStrictEqual(deriveTrace(facts.toReversed(), []), derived))
    throw new Error("the order of the spans changes what is derived");
}
