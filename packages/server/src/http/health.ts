import type pg from "pg";
import { z } from "zod";
import { type DatabaseState, DURABILITY_SETTINGS, readDatabaseState } from "../db/database-state.ts";
import type { App } from "./app-instance.ts";

const health = z.object({
  status: z.enum(["ok", "unavailable"]),
  version: z.string(),
  checks: z.object({
    database: z
      .enum(["ok", "read-only", "unavailable"])
      .describe("`read-only`: reads work; requests that write get 503"),
    unsafeSettings: z
      .array(z.enum(DURABILITY_SETTINGS))
      .optional()
      .describe(
        "Present if settings of PostgreSQL are off without which a crash loses stored traces; does not affect `status`",
      ),
    mail: z
      .literal("failing")
      .optional()
      .describe(
        "Present if the mail server does not accept mail from this server, which does not affect `status`",
      ),
  }),
});

interface HealthOptions {
  /** A separate pool: when all other connections are busy, the health check still reaches the database. */
  pool: pg.Pool;
  version: string;
  isDraining: () => boolean;
  isMailFailing: () => boolean;
}

export function healthRoutes(app: App, { pool, version, isDraining, isMailFailing }: HealthOptions) {
  // Concurrent requests share one query: anybody may ask, and there is one connection.
  let reading: Promise<DatabaseState | undefined> | undefined;
  const readState = () => {
    reading ??= readDatabaseState(pool)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };

  app.get(
    "/api/health",
    {
      schema: {
        summary: "Check whether this server is ready to handle requests",
        tags: ["Operation"],
        response: { 200: health, 503: health },
      },
    },
    async (_request, reply) => {
      const state = await readState();
      const database = state ? (state.isReadOnly ? "read-only" : "ok") : "unavailable";
      const isOk = database === "ok" && !isDraining();
      return reply.code(isOk ? 200 : 503).send({
        status: isOk ? "ok" : "unavailable",
        version,
        checks: {
          database,
          ...(state && state.unsafeSettings.length > 0 && { unsafeSettings: state.unsafeSettings }),
          ...(isMailFailing() && { mail: "failing" as const }),
        },
      });
    },
  );

  app.get(
    "/api/health/live",
    {
      schema: {
        summary: "Check whether this server process is running",
        tags: ["Operation"],
        response: { 200: z.object({ status: z.literal("ok") }) },
      },
    },
    async () => ({ status: "ok" as const }),
  );
}
