import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

/*
 * What the guides import to send spans, made of the real OpenTelemetry packages, as the frameworks do it. Each records one
 * span when tracing starts: the run of an agent.
 */

function startTracing(spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())]) {
  const provider = new NodeTracerProvider({ spanProcessors });
  provider.register();
  trace.getTracer("guide").startSpan("support agent").end();
  return spanProcessors;
}

const flush = async (processors) => {
  await Promise.all(processors.map((processor) => processor.forceFlush()));
};

/** @opentelemetry/sdk-node */
export class NodeSDK {
  #options;
  #processors = [];

  constructor(options = {}) {
    this.#options = options;
  }

  start() {
    this.#processors = startTracing(this.#options.spanProcessors);
  }

  async shutdown() {
    await Promise.all(this.#processors.map((processor) => processor.shutdown()));
  }
}

/** @opentelemetry/exporter-trace-otlp-http, which differs in its encoding */
export { BatchSpanProcessor, OTLPTraceExporter };

/** @langfuse/otel */
export class LangfuseSpanProcessor extends BatchSpanProcessor {
  constructor({ exporter }) {
    super(exporter);
  }
}

/** genkit/tracing and @traceloop/node-server-sdk have one provider for the process. */
let processors = [];
export async function enableTelemetry(options) {
  processors = startTracing(options.spanProcessors);
}
export const flushTracing = () => flush(processors);

export function initialize() {
  processors = startTracing();
}
export const forceFlush = () => flush(processors);

/** @voltagent/core */
export class VoltAgentObservability {
  constructor(options) {
    startTracing(options.spanProcessors);
  }
}

/** langsmith: waiting for pending batches also flushes. */
export function initializeOTEL({ exporterConfig }) {
  processors = startTracing([new BatchSpanProcessor(new OTLPTraceExporter(exporterConfig))]);
  return { DEFAULT_LANGSMITH_SPAN_PROCESSOR: processors[0] };
}
export class Client {
  awaitPendingTraceBatches() {
    return flush(processors);
  }
}

function target() {}
/** Whatever else a guide uses: it can be called, constructed, iterated and awaited, and so can all its properties. */
export const anything = new Proxy(target, {
  get(_target, key) {
    if (key === "then") return undefined;
    if (key === Symbol.toPrimitive) return () => "anything";
    if (key === Symbol.iterator || key === Symbol.asyncIterator) return () => [].values();
    return anything;
  },
  apply: () => anything,
  construct: () => anything,
});
