import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";

/**
 * Records every route of the servers started after this call, for example `GET /api/traces/:id`. Fastify publishes each
 * new instance on a diagnostics channel before routes are added, so the server needs no code for this.
 */
export function recordRoutes(): ReadonlySet<string> {
  const routes = new Set<string>();
  const record = ({ method, url }: RouteOptions) => {
    for (const one of [method].flat()) routes.add(`${one} ${url}`);
  };
  subscribe("fastify.initialization", (message) => {
    if (isInitialization(message)) message.fastify.addHook("onRoute", record);
  });
  return routes;
}

const isInitialization = (message: unknown): message is { fastify: FastifyInstance } =>
  typeof message === "object" && message !== null && "fastify" in message;
