import type { FastifyReply, FastifyRequest } from "fastify";
import { findFolder } from "./find-folder.ts";

/** Their clients read the error as JSON, whatever they accept. */
const API = /^\/(api|v1|mcp)(\/|$)/;

const isBuilt = findFolder("dashboard") !== undefined;

/** Shows the dashboard, which says that there is no such page, to whoever opens an unknown address in a browser. */
export function notFoundPage({ method, headers, url }: FastifyRequest, reply: FastifyReply) {
  const isPage = method === "GET" && headers.accept?.includes("text/html") && !API.test(url);
  return isPage && isBuilt ? reply.sendFile("index.html", { cacheControl: false }) : undefined;
}
