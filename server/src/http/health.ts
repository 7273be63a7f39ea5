import type pg from "pg";
import { z } from "zod";
import type { App } from "./app-instance.ts";

const health = z.object({
  status: z.enum(["ok", "unavailable"]),
  version: z.string(),
  checks: z.object({ database: z.enum(["ok", "unavailable"]) }),
});

export interface HealthOptions {
  /** A separate pool: when all other connections are busy, the health check still reaches the database. */
  pool: pg.Pool;
  version: string;
  isDraining: () => boolean;
}

export function healthRoutes(app: App, { pool, version, isDraining }: HealthOptions) {
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
      const isDatabaseUp = await pool.query("select 1").then(
        () => true,
        () => false,
      );
      const isOk = isDatabaseUp && !isDraining();
      return reply.code(isOk ? 200 : 503).send({
        status: isOk ? "ok" : "unavailable",
        version,
        checks: { database: isDatabaseUp ? "ok" : "unavailable" },
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
