import { existsSync, readdirSync, readFileSync } from "node:fs";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { agentRun, otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";

/** A request in both encodings. */
interface Seed {
  protobuf: Buffer;
  json: Buffer;
}

/** Requests of real instrumentations. They are not part of the repository. */
const CAPTURES = new URL("../../../../shared/otlp/fixtures/", import.meta.url);
/** Small requests, so that a mutation changes something that matters, and a million of them take minutes. */
const ITEMS_PER_SEED = 3;

export interface Seeds {
  traces: Seed[];
  logs: Seed[];
}

interface CapturedTraces {
  resourceSpans: { scopeSpans: { spans: object[] }[] }[];
}

interface CapturedLogs {
  resourceLogs: { scopeLogs: { logRecords: object[] }[] }[];
}

/** A sample run with its messages as log records, and the captured requests in small parts if they are there. */
export function otlpSeeds(): Seeds {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const run = agentRun(traceId, 4);
  const logRecords = run.map(({ spanId, attributes, startTimeUnixNano: timeUnixNano }) => ({
    traceId,
    spanId,
    timeUnixNano,
    eventName: "gen_ai.client.inference.operation.details",
    attributes,
  }));
  const traces = [otlpTraces(run), ...captured(/request-\d+\.json$/).flatMap(partsOfTraces)];
  const logs = [logsOf(logRecords), ...captured(/logs-\d+\.json$/).flatMap(partsOfLogs)];
  return { traces: traces.map((one) => seed(one, "traces")), logs: logs.map((one) => seed(one, "logs")) };
}

const seed = (request: object, signal: "traces" | "logs"): Seed => ({
  protobuf: encodeOtlp(request, signal),
  json: Buffer.from(JSON.stringify(request)),
});

const logsOf = (logRecords: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });

function captured(pattern: RegExp): string[] {
  if (!existsSync(CAPTURES)) return [];
  const paths = readdirSync(CAPTURES, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => pattern.test(path))
    .map((path) => readFileSync(new URL(path, CAPTURES), "utf8"));
}

function partsOfTraces(text: string): object[] {
  const { resourceSpans }: CapturedTraces = JSON.parse(text);
  return resourceSpans.flatMap((resource) =>
    resource.scopeSpans.flatMap((scope) =>
      inParts(scope.spans).map((spans) => ({
        resourceSpans: [{ ...resource, scopeSpans: [{ ...scope, spans }] }],
      })),
    ),
  );
}

function partsOfLogs(text: string): object[] {
  const { resourceLogs }: CapturedLogs = JSON.parse(text);
  return resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => inParts(logRecords).map(logsOf)),
  );
}

function inParts(items: object[]): object[][] {
  const parts: object[][] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_SEED) parts.push(items.slice(at, at + ITEMS_PER_SEED));
  return parts;
}
