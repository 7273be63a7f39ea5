import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { Overloaded } from "../concurrency/overloaded.ts";
import { isStatementTimeout } from "../db/is-statement-timeout.ts";
import { isTransient } from "../db/is-transient.ts";
import type { App } from "./app-instance.ts";
import { HttpError } from "./http-error.ts";
import { pauseRefusal } from "./refuse-slowly.ts";
import { validationMessage } from "./request/validation-message.ts";
import { securityHeaders } from "./security-headers.ts";

/** SQLSTATE character_not_in_repertoire: PostgreSQL cannot store NUL in text. */
const INVALID_TEXT = "22021";

/** Replaces what the handler set for its success: a file that is missing during a rollout may exist a moment later. */
const NOT_CACHED = { "cache-control": "no-store" };

/** An error of Fastify, or any other. */
type ThrownError = Error & Partial<FastifyError>;

/** Sends a page to a browser that opens an unknown address. Returns undefined for other requests. */
type NotFoundPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** Turns every thrown error into a `{ error }` response. */
export function handleErrors(app: App, notFoundPage: NotFoundPage = () => undefined) {
  const notFound = (request: FastifyRequest, reply: FastifyReply) => {
    reply.code(404).headers(NOT_CACHED);
    return notFoundPage(request, reply) ?? reply.send({ error: "Not found" });
  };

  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const { status, headers, message } = await reportError(error, request);
    return reply.code(status).headers(NOT_CACHED).headers(headers).send({ error: message });
  });

  app.setNotFoundHandler(notFound);
  // Rejects an unknown URL before its body is read.
  app.addHook("onRequest", async (request, reply) => {
    if (request.is404) return notFound(request, reply);
  });
}

/** Returns what the client is told about an error, and logs what is not the client's fault. */
export async function reportError(error: ThrownError, request: FastifyRequest): Promise<HttpError> {
  if (error instanceof Overloaded && error.isOwnShare) await pauseRefusal();
  const reported = toHttpError(error);
  if (reported.status >= 500) logFailure(request, error, reported.status);
  return reported;
}

function toHttpError(error: ThrownError): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof Overloaded) return overloaded(error);
  if (hasZodFastifySchemaValidationErrors(error)) return new HttpError(400, describeInvalidRequest(error));
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new HttpError(413, "Request body too large");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new HttpError(415, "Content-Type must be application/json");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new HttpError(400, "Request body does not match its Content-Length");
    case INVALID_TEXT:
      return new HttpError(400, "Text must not contain NUL characters");
  }
  if (isTransient(error)) return HttpError.unavailable();
  if (isStatementTimeout(error)) return HttpError.timedOut();
  if (error.statusCode && error.statusCode < 500) return new HttpError(error.statusCode, error.message);
  return new HttpError(500, "Internal server error");
}

/** 429 tells a user that their own requests are too many; 503 that it is the server's load. */
function overloaded({ retryAfterSeconds, isOwnShare }: Overloaded): HttpError {
  if (!isOwnShare) return HttpError.unavailable(retryAfterSeconds);
  return HttpError.tooManyRequests(
    `Too many requests at the same time. Try again in ${retryAfterSeconds} s.`,
    retryAfterSeconds,
  );
}

/** Names only the first of several validation errors. */
function describeInvalidRequest({ validation = [] }: ThrownError): string {
  const [first] = validation;
  const field = first?.instancePath.replace(/^\//, "").replaceAll("/", ".");
  return validationMessage(field, first?.message ?? "Invalid request");
}

function logFailure(request: FastifyRequest, error: Error, status: number) {
  if (isStatementTimeout(error)) request.log.error({ err: error }, "statement timed out");
  else if (status === 503) request.log.warn({ err: error }, "answered 503");
  else request.log.error({ err: error }, "answered 500");
}

/** Handles URLs that Fastify cannot route. No hook runs for them, so this sets headers and logs like the hooks do. */
export function handleFrameworkError(publicUrl: string) {
  const headers = securityHeaders(publicUrl);
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const [status, text] =
      error.code === "FST_ERR_MAX_PARAM_LENGTH" ? [414, "URL too long"] : [400, "Malformed URL"];
    request.log.info({ method: request.method, route: "unknown", status }, "request");
    return reply.code(status).headers(headers).header("x-request-id", request.id).send({ error: text });
  };
}

/** Handles input that is not valid HTTP: there is no request object, only a socket. */
export function handleClientError(error: Error & { code?: string }, socket: Socket) {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, text] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request headers too large"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request timed out"]
        : [400, "Malformed HTTP request"];
  const body = JSON.stringify({ error: text });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
