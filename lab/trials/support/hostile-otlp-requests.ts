import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { nestedOtlpValue } from "@whytrace/testing/otlp/nested-otlp-value.ts";
import { encodeOtlp, lengthDelimited } from "@whytrace/testing/otlp/otlp-encoder.ts";
import {
  agentRun,
  otlpAttributes,
  otlpTraces,
  type SampleSpan,
} from "@whytrace/testing/otlp/otlp-samples.ts";
import type { RawRequest } from "./raw-request.ts";

const MIB = 1024 * 1024;
export const PROTOBUF = { "content-type": "application/x-protobuf" };
export const JSON_TYPE = { "content-type": "application/json" };

interface HostileRequest {
  name: string;
  request: RawRequest;
  status: number;
  /** What can be read afterwards. */
  stored?: { traceId: string; spans: number };
}

export const newTraceId = () => randomBytes(16).toString("hex");

export const protobufRequest = (spans: object[]): RawRequest => ({
  body: encodeOtlp(otlpTraces(spans)),
  headers: PROTOBUF,
});
const jsonRequest = (spans: object[]): RawRequest => ({
  body: JSON.stringify(otlpTraces(spans)),
  headers: JSON_TYPE,
});

const message = (field: number, ...parts: Buffer[]) =>
  Buffer.concat(lengthDelimited(field, Buffer.concat(parts)));
/** A request of one span with these fields. */
const oneSpan = (...fields: Buffer[]): RawRequest => ({
  body: message(1, message(2, message(2, ...fields))),
  headers: PROTOBUF,
});

const first = (traceId: string): SampleSpan => {
  const [span] = agentRun(traceId, 1);
  if (!span) throw new Error("no span");
  return span;
};

/** Single requests and the response that each must get. */
export function* hostileRequests(): Generator<HostileRequest> {
  const refused = (name: string, request: RawRequest, status = 400): HostileRequest => ({
    name,
    request,
    status,
  });
  yield refused("10 MiB of nested values", oneSpan(message(9, message(2, nestedOtlpValue(10 * MIB)))));
  yield refused("60 MiB of [ as JSON", { body: "[".repeat(60 * MIB), headers: JSON_TYPE });
  yield refused("30,000,000 empty spans", {
    body: message(1, message(2, Buffer.alloc(60 * MIB, Buffer.from([0x12, 0])))),
    headers: PROTOBUF,
  });
  yield refused("2,000,000 empty attributes", oneSpan(Buffer.alloc(4_000_000, Buffer.from([0x4a, 0]))));
  yield refused("a gzip bomb of 1 GiB", gzipBomb(PROTOBUF), 413);
  yield refused("a gzip bomb of 1 GiB as JSON", gzipBomb(JSON_TYPE), 413);

  const many = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`key ${index}`, `value ${index}`]),
  );
  for (const make of [protobufRequest, jsonRequest]) {
    const traceId = newTraceId();
    const request = make([{ ...first(traceId), attributes: otlpAttributes(many) }]);
    yield { name: "10,000 attributes", request, status: 200, stored: { traceId, spans: 1 } };
  }
  const events = Array.from({ length: 20_000 }, () => ({ name: "e", timeUnixNano: "1" }));
  const ofEvents = newTraceId();
  yield {
    name: "20,000 events",
    request: protobufRequest([{ ...first(ofEvents), events }]),
    status: 200,
    stored: { traceId: ofEvents, spans: 1 },
  };
  const ofParents = newTraceId();
  const spans = agentRun(ofParents, 5);
  yield {
    name: "one span id with five parents",
    request: protobufRequest(spans.map((span) => ({ ...first(ofParents), parentSpanId: span.spanId }))),
    status: 200,
    stored: { traceId: ofParents, spans: 1 },
  };
  const loop = newTraceId();
  const looped = agentRun(loop, 50);
  yield {
    name: "a loop of 50 parents",
    request: protobufRequest(
      looped.map((span, index) => ({ ...span, parentSpanId: looped[(index + 1) % 50]?.spanId ?? "" })),
    ),
    status: 200,
    stored: { traceId: loop, spans: 50 },
  };
  const chain = newTraceId();
  const chained = agentRun(chain, 10_000);
  yield {
    name: "a chain of 10,000 parents",
    request: protobufRequest(
      chained.map((span, index) => ({ ...span, parentSpanId: chained[index - 1]?.spanId ?? "" })),
    ),
    status: 200,
    stored: { traceId: chain, spans: 10_000 },
  };
  const name = "nul \u0000, half \ud800";
  const odd = newTraceId();
  const texts = {
    name,
    attributes: otlpAttributes({ [name]: name, "session.id": name, "tag.tags": [name] }),
  };
  const oddRequest = jsonRequest([{ ...first(odd), ...texts, status: { code: 2, message: name } }]);
  yield { name: "odd texts", request: oddRequest, status: 200, stored: { traceId: odd, spans: 1 } };
}

function gzipBomb(headers: Record<string, string>): RawRequest {
  const zeros = Buffer.alloc(MIB);
  const packed = Readable.from(Array.from({ length: 1_024 }, () => zeros)).pipe(createGzip());
  return { body: packed, headers: { ...headers, "content-encoding": "gzip" } };
}
