import type { FastifyRequest, FastifyServerOptions } from "fastify";
import pg from "pg";
import type { App } from "./app-instance.ts";

/** Log lines are JSON and name routes, not URLs: no secret, no payload, no address gets into them. */
export function loggerOptions(level: string): NonNullable<FastifyServerOptions["logger"]> {
  return {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: ["*.authorization", "*.cookie", "*.password", "*.token", "*.key", "*.email"],
  };
}

/**
 * A database error's message and detail quote values of the statement, so only its code and place are kept;
 * other errors are our own words.
 */
function describeError(error: Error) {
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at "));
  const { code, table, constraint } = { code: undefined, table: undefined, constraint: undefined, ...error };
  return {
    type: error.name,
    message: error instanceof pg.DatabaseError ? "database error" : error.message,
    stack: frames?.join("\n") ?? "",
    code,
    table,
    constraint,
  };
}

/** One line an answer. */
export function logRequests(app: App) {
  app.addHook("onResponse", async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
  });
}

export const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? "unknown";
