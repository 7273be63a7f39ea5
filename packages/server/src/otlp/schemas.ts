import { z } from "zod";
import { INGEST_ERRORS } from "../ingest/ingest-errors.ts";

const DESCRIPTIONS = {
  traces: {
    summary: "Merge OpenTelemetry spans into their traces",
    description:
      "OTLP over HTTP, as protobuf or JSON, optionally with Content-Encoding: gzip, up to 64 MiB decompressed. Spans may " +
      "come in any order, in any number of requests, and repeatedly: each is stored once, and name, status, totals and " +
      "decisions of the trace are derived again. Decisions are read from the tool calls of models and marked as " +
      "inferred; a span event named whytrace.decision states one outright. Events named gen_ai.evaluation.result become " +
      "scores. A trace counts once towards your plan; when " +
      "the plan is used up, traces that have begun go on. Spans that cannot be stored are counted in partialSuccess, and " +
      "errors are a google.rpc.Status in the encoding of the request.",
  },
  logs: {
    summary: "Complete spans with OpenTelemetry log records",
    description:
      "Log records of the GenAI conventions that name a trace and a span hold the messages of a model call; they become " +
      "the span's input, output and decisions, also if they come before the span. Records of Claude Code about a tool or an " +
      "answer complete the span of this call. Results of evaluations (gen_ai.evaluation.result) become scores of the span, or of the run if they name none. Other records are accepted and not kept.",
  },
  metrics: {
    summary: "Accept OpenTelemetry metrics without keeping them",
    description:
      "Many senders use one endpoint for all signals. Metrics are accepted, and the response says that they are not kept.",
  },
};

const schema = (signal: keyof typeof DESCRIPTIONS) => ({
  tags: ["OpenTelemetry"],
  ...DESCRIPTIONS[signal],
  security: [{ apiKey: ["send"] }],
  describedBody: z.looseObject({}).describe("An export request of OpenTelemetry's protocol"),
  errors: INGEST_ERRORS,
});

/** What the API reference says about the routes. */
export const OTLP_SCHEMAS = {
  traces: schema("traces"),
  logs: schema("logs"),
  metrics: schema("metrics"),
};
