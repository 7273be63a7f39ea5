import { encodeOtlp } from "../otlp/otlp-encoder.ts";
import { otlpId } from "../otlp/sample-otlp.ts";
import { Canaries } from "../samples/canaries.ts";
import { canaryLogs, canarySpans, canaryTrace } from "../samples/canary-requests.ts";

/** A request of a trace, in which the trace has the id of another tenant's if that tenant sends it. */
interface PlantedRequest {
  path: "/api/traces" | "/v1/traces" | "/v1/logs";
  contentType: string;
  body(traceId: string): string | Uint8Array<ArrayBuffer>;
}

/** A trace with values of each type that is masked in each of its fields, in one or several requests. */
export interface PlantedTrace {
  id: string;
  isOtlp: boolean;
  requests: PlantedRequest[];
}

export const DECISION_ID = "canary";
/** More than a trace has. */
const CANARIES_PER_TRACE = 2_000;
const MAX_FIRST = 90_000;
/** Of the spans for each attribute that is known, a short trace has one in so many. */
const SPANS_LEFT_OUT = 60;

/** Two of three traces come by JSON. Of those that come by OTLP every `wholeEvery`th has a span for each attribute that is known. */
export function plantedTrace(n: number, wholeEvery: number): PlantedTrace {
  const canaries = new Canaries((n * CANARIES_PER_TRACE) % MAX_FIRST);
  return n % 3 === 2
    ? otlpTrace(canaries, Math.floor(n / 3), Math.floor(n / 3) % wholeEvery === 0)
    : postedTrace(canaries);
}

function postedTrace(canaries: Canaries): PlantedTrace {
  const trace = canaryTrace(canaries, DECISION_ID);
  const text = JSON.stringify({ traces: [trace] });
  const body = (id: string) => text.replaceAll(trace.id, id);
  return {
    id: trace.id,
    isOtlp: false,
    requests: [{ path: "/api/traces", contentType: "application/json", body }],
  };
}

function otlpTrace(canaries: Canaries, n: number, isWhole: boolean): PlantedTrace {
  const id = otlpId(16);
  const encoding = n % 2 === 0 ? "json" : "protobuf";
  const { resourceSpans } = canarySpans(canaries, encoding, id);
  const requestWith = (isSent: (index: number, last: number) => boolean) => ({
    resourceSpans: resourceSpans.map(({ resource, scopeSpans }) => ({
      resource,
      scopeSpans: scopeSpans.map(({ scope, spans }) => ({
        scope,
        spans: spans.filter((_, index) => isSent(index, spans.length - 1)),
      })),
    })),
  });
  const isIn = (index: number) => isWhole || (index + n) % SPANS_LEFT_OUT === 0;
  const first = requestWith((index, last) => index !== last && isIn(index));
  const rest = requestWith((index, last) => index === last);
  const logs = canaryLogs(canaries, "log:", id);
  const spans = [otlpRequest(id, "traces", encoding, first), otlpRequest(id, "traces", encoding, rest)];
  const logged = otlpRequest(id, "logs", encoding, logs);
  // Log records come after their trace, before it, or not at all.
  const requests = n % 3 === 0 ? [...spans, logged] : n % 3 === 1 ? [logged, ...spans] : spans;
  return { id, isOtlp: true, requests };
}

function otlpRequest(
  traceId: string,
  signal: "traces" | "logs",
  encoding: "json" | "protobuf",
  request: object,
): PlantedRequest {
  const text = JSON.stringify(request);
  return {
    path: `/v1/${signal}`,
    contentType: encoding === "json" ? "application/json" : "application/x-protobuf",
    body(id) {
      const sent = text.replaceAll(traceId, id);
      return encoding === "json" ? sent : new Uint8Array(encodeOtlp(JSON.parse(sent), signal));
    },
  };
}
