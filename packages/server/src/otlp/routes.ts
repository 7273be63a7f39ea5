import type { FastifyError, FastifyRequest } from "fastify";
import type { Reconciler } from "../billing/reconciler.ts";
import type { RefusedRequests } from "../billing/refused-requests.ts";
import type { Connections } from "../db/connections.ts";
import type { App } from "../http/app-instance.ts";
import { reportError } from "../http/handle-errors.ts";
import { HttpError } from "../http/http-error.ts";
import { ingestGuards, ingestKey } from "../ingest/ingest-guards.ts";
import type { Intake } from "../ingest/intake.ts";
import { leaveBodies } from "../ingest/leave-bodies.ts";
import { MAX_REQUEST_BYTES } from "./decode/otlp-limits.ts";
import type { OtlpEncoding } from "./decode/read-otlp.ts";
import { CONTENT_TYPES, statusBody, successBody } from "./otlp-response.ts";
import { OTLP_SCHEMAS } from "./schemas.ts";

const FORMAT = { maxBytes: MAX_REQUEST_BYTES, invalidText: "Request body is not valid gzip" };
const PREFIXES = ["/v1", "/api/otel/v1"];
const SIGNALS = ["traces", "logs", "metrics"] as const;

interface OtlpRoutesOptions {
  connections: Connections;
  intake: Intake;
  reconciler: Reconciler;
  refusals: RefusedRequests;
}

/** OTLP over HTTP. Responses have the encoding of their request, and errors are a google.rpc.Status. */
export function otlpRoutes(app: App, { connections, intake, reconciler, refusals }: OtlpRoutesOptions) {
  const { rates } = intake;
  const { maxBytes } = FORMAT;
  const onRequest = ingestGuards({
    connections,
    rates,
    reconciler,
    refusals,
    maxBytes,
    isUsageRequired: false,
  });

  app.register(async (scope: App) => {
    leaveBodies(scope);
    scope.addHook("onRequest", async ({ headers }) => {
      // The blank in OTEL_EXPORTER_OTLP_HEADERS has to be encoded, and not every exporter decodes it.
      headers.authorization = headers.authorization?.replace(/^Bearer%20/i, "Bearer ");
    });
    scope.setErrorHandler(async (error: FastifyError, request, reply) => {
      const { status, headers, message } = await reportError(error, request);
      const encoding = encodingOf(request) ?? "json";
      return reply
        .code(status)
        .headers(headers)
        .header("content-type", CONTENT_TYPES[encoding])
        .send(statusBody(status, message, encoding));
    });
    for (const prefix of PREFIXES)
      for (const signal of SIGNALS)
        scope.post(
          `${prefix}/${signal}`,
          { onRequest, schema: OTLP_SCHEMAS[signal] },
          async (request, reply) => {
            const encoding = encodingOf(request);
            if (!encoding) throw unsupportedType();
            const owner = ingestKey(request);
            const { usage } = owner;
            const isPlanUsedUp = usage !== undefined && usage.sessionsUsed >= usage.sessionsLimit;
            const job = { kind: "otlp", signal, encoding, isPlanUsedUp } as const;
            const { rejected, reason: message } = await intake.receive(request, owner, job, FORMAT);
            return reply
              .header("content-type", CONTENT_TYPES[encoding])
              .send(successBody(signal, encoding, { rejected, message }));
          },
        );
  });
}

function encodingOf({ headers }: FastifyRequest): OtlpEncoding | undefined {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  const sent = type.trim().toLowerCase();
  return (["protobuf", "json"] as const).find((encoding) => CONTENT_TYPES[encoding] === sent);
}

const unsupportedType = () =>
  new HttpError(
    415,
    "Content-Type must be application/x-protobuf or application/json: Whytrace takes OTLP over HTTP, not gRPC",
  );
