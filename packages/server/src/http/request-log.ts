import type { FastifyRequest, FastifyServerOptions } from "fastify";
import pg from "pg";
import type { App } from "./app-instance.ts";

/** Log lines are JSON and contain routes instead of URLs, so that no secret, payload or IP address is logged. */
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

/** The message of a database error may quote user data, so only its code, table and constraint are logged. */
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

/** Logs one line per response. */
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
