import { existsSync, readdirSync, readFileSync } from "node:fs";
import { encodeOtlp } from "@whytrace/testing/otlp-encoder.ts";
import { agentRun, otlpTraces } from "@whytrace/testing/otlp-samples.ts";

/** A request in both encodings. */
export interface Seed {
  protobuf: Buffer;
  json: Buffer;
}

/** Requests of real instrumentations. They are not part of the repository. */
const CAPTURES = new URL("../../shared/otlp/fixtures/", import.meta.url);
/** Small requests, so that a mutation changes something that matters, and a million of them take minutes. */
const SPANS_PER_SEED = 3;

interface CapturedRequest {
  resourceSpans: { scopeSpans: { scope: object; spans: object[] }[] }[];
}

/** A sample run, and the captured requests in small parts if they are there. */
export function otlpSeeds(): Seed[] {
  const sample = otlpTraces(agentRun("0af7651916cd43dd8448eb211c80319c", 4));
  return [sample, ...capturedParts()].map((request) => ({
    protobuf: encodeOtlp(request),
    json: Buffer.from(JSON.stringify(request)),
  }));
}

function* capturedParts(): Generator<object> {
  if (!existsSync(CAPTURES)) return;
  for (const path of readdirSync(CAPTURES, { recursive: true, encoding: "utf8" })) {
    if (!/request-\d+\.json$/.test(path)) continue;
    const request: CapturedRequest = JSON.parse(readFileSync(new URL(path, CAPTURES), "utf8"));
    for (const resource of request.resourceSpans)
      for (const { scope, spans } of resource.scopeSpans)
        for (let at = 0; at < spans.length; at += SPANS_PER_SEED) {
          const part = { scope, spans: spans.slice(at, at + SPANS_PER_SEED) };
          yield { resourceSpans: [{ ...resource, scopeSpans: [part] }] };
        }
  }
}
