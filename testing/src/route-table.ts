import { subscribe } from "node:diagnostics_channel";
import type { FastifyInstance, RouteOptions } from "fastify";

/**
 * Every route of the servers started after this call, as Fastify itself reports it: `GET /api/traces/:id`. Fastify
 * announces each instance before it has routes, so the server needs no door for this.
 */
export function recordRoutes(): ReadonlySet<string> {
  const routes = new Set<string>();
  const record = ({ method, url }: RouteOptions) => {
    for (const one of [method].flat()) routes.add(`${one} ${url}`);
  };
  subscribe("fastify.initialization", (message) => {
    if (isAnnouncement(message)) message.fastify.addHook("onRoute", record);
  });
  return routes;
}

const isAnnouncement = (message: unknown): message is { fastify: FastifyInstance } =>
  typeof message === "object" && message !== null && "fastify" in message;
