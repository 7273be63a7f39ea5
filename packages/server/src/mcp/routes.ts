import type { FastifyReply, FastifyRequest } from "fastify";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import type { App } from "../http/app-instance.ts";
import { reportError } from "../http/handle-errors.ts";
import { HttpError } from "../http/http-error.ts";
import { readWorkspaceAddress } from "../workspaces/workspace-address.ts";
import type { ToolResources } from "./tool.ts";

const ONE_AT_A_TIME = "Send one message per request: batches are not part of the protocol any more";
const ONLY_POST = "Only POST is supported: the server sends no messages of its own";

interface McpRoutesOptions extends ToolResources {
  guards: Guards;
  version: string;
}

/** Tools for AI assistants: the Model Context Protocol, streamable HTTP without sessions. */
export function mcpRoutes(app: App, { guards, version, ...resources }: McpRoutesOptions) {
  app.post("/mcp", { onRequest: guards.read }, async (request, reply) => {
    if (Array.isArray(request.body)) throw new HttpError(400, ONE_AT_A_TIME);
    const { workspaceId, canReview, userId } = callerOf(request);
    const { url } = await readWorkspaceAddress(resources.db, workspaceId, resources.publicUrl);
    const left = new AbortController();
    reply.raw.once("close", () => left.abort());
    // Loaded at the first request: most servers never need it, and it takes as long as a quarter of the start.
    const { handleMcp } = await import("./mcp-handler.ts");
    const response = await handleMcp({
      request: toWebRequest(request, left.signal),
      body: request.body,
      version,
      call: { ...resources, publicUrl: url, workspaceId, userId, signal: left.signal },
      canWrite: canReview,
      describeError: (error) => describeError(error, request),
    });
    return sendWebResponse(reply, response);
  });

  app.route({
    method: ["GET", "DELETE"],
    url: "/mcp",
    exposeHeadRoute: false,
    onRequest: guards.read,
    handler: async () => {
      throw new HttpError(405, ONLY_POST, { allow: "POST" });
    },
  });
}

/** The body is passed on parsed. */
function toWebRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string" && name !== "cookie" && name !== "authorization") headers.set(name, value);
  return new Request("http://localhost/mcp", { method: "POST", headers, signal });
}

/** An answer is short, so it is sent in one piece, also if it is a stream of one event. */
async function sendWebResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text();
  const type = response.headers.get("content-type");
  if (type) reply.type(type);
  return reply.code(response.status).header("cache-control", "no-store").send(text);
}

/** In words that a model can act on. */
async function describeError(error: unknown, request: FastifyRequest): Promise<string> {
  const { status, message, headers } = await reportError(
    error instanceof Error ? error : new Error("Something was thrown that is not an error"),
    request,
  );
  const text = message.endsWith(".") ? message : `${message}.`;
  const seconds = headers["retry-after"];
  if (status === 404)
    return `${text} find_traces, find_decisions, list_issues and search give ids that exist.`;
  if (status >= 500 && seconds !== undefined) return `${text} Call the tool again in ${seconds} s.`;
  return text;
}
