import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client/api.ts";

/** How the traces of a session are shown. */
export const AGENT_SESSION_VIEWS = ["timeline", "conversation", "table"] as const;
export type AgentSessionView = (typeof AGENT_SESSION_VIEWS)[number];

export const AGENT_SESSIONS_PAGE_SIZE = 20;
export const MAX_TRACES_OF_AGENT_SESSION = 100;

export const agentSessionsQuery = (search: { page?: number | undefined }) =>
  queryOptions({
    queryKey: ["sessions", search],
    queryFn: ({ signal }) =>
      api("GET /api/sessions", { query: { ...search, limit: AGENT_SESSIONS_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });

export const agentSessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["agent-session", id],
    queryFn: ({ signal }) => api("GET /api/sessions/:id", { params: { id }, signal }),
  });

export const tracesOfAgentSessionQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ["agent-session", sessionId, "traces"],
    queryFn: ({ signal }) =>
      api("GET /api/traces", {
        query: { sessionId, sort: "oldest", limit: MAX_TRACES_OF_AGENT_SESSION, include: "outcome" },
        signal,
      }),
  });
