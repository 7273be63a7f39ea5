import type { ParsedTrace } from "@whytrace/contract";
import { Random } from "@whytrace/demo";
import type { Tenant } from "../tenants.ts";
import { type GenerateOptions, generateTraces } from "./generate.ts";

export interface IngestBatch<To extends Tenant = Tenant> {
  tenant: To;
  traces: ParsedTrace[];
}

interface BatchPlan<To extends Tenant = Tenant> {
  tenants: To[];
  /** Separate seeds for contents and ids, so that the same contents can be stored twice. */
  seed: number;
  idSeed: number;
  traceCount: number;
  batchSize: number;
  size: GenerateOptions["size"];
}

const DAY_MS = 24 * 3_600_000;

/** Generates batches of traces of the last day, round-robin over the tenants. */
export function* generateBatches<To extends Tenant>({
  tenants,
  seed,
  idSeed,
  traceCount,
  batchSize,
  size,
}: BatchPlan<To>): Generator<IngestBatch<To>> {
  const random = new Random(seed);
  const ids = new Random(idSeed);
  const toMs = Date.now();
  for (let stored = 0; stored < traceCount; stored += batchSize) {
    const tenant = tenants[(stored / batchSize) % tenants.length];
    if (!tenant) throw new Error("No tenants");
    const count = Math.min(batchSize, traceCount - stored);
    yield {
      tenant,
      traces: generateTraces(random, {
        count,
        size,
        firstNumber: stored,
        ids,
        fromMs: toMs - DAY_MS,
        toMs,
      }),
    };
  }
}
