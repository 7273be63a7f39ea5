import type { FilterField } from "../../traces/filter-values.ts";
import type { agentSession, agentSessionPage } from "../agent-sessions.ts";
import type { batch, storedBatch } from "../batch.ts";
import type { decisionList } from "../decisions.ts";
import type { traceMaskingSchema } from "../masking/settings.ts";
import type { runOutcome } from "../outcomes.ts";
import type { changedSavedView, newSavedView, savedView, savedViewList } from "../saved-views.ts";
import type { createdShare, newShare, sharedLink, sharedWhy, shareList } from "../shares.ts";
import type { errorStats, modelStats, traceStats } from "../stats.ts";
import type { successSchema } from "../success.ts";
import type {
  filterValues,
  outline,
  sharedOutline,
  traceList,
  tracePreviews,
  wholeTrace,
} from "../traces.ts";
import type { workspaceOfTrace } from "../workspaces/workspaces.ts";
import type { DecisionsQuery, Page, Range, TracesQuery } from "./queries.ts";

/** Traces, and lists and counts of them. */
export interface TraceRoutes {
  "GET /api/decisions": { query: DecisionsQuery; response: typeof decisionList };
  "GET /api/filter-values": { query: { field: FilterField }; response: typeof filterValues };
  "GET /api/sessions": { query: Page; response: typeof agentSessionPage };
  "GET /api/sessions/:id": { response: typeof agentSession };
  "GET /api/shared/:token/link": { response: typeof sharedLink };
  "GET /api/shared/:token/outline": { response: typeof sharedOutline };
  "GET /api/shared/:token/why": { response: typeof sharedWhy };
  "GET /api/shares": { response: typeof shareList };
  "DELETE /api/shares/:id": { response: typeof successSchema };
  "GET /api/stats/errors": { query: Range; response: typeof errorStats };
  "GET /api/stats/models": { query: Range; response: typeof modelStats };
  "GET /api/stats/traces": { query: Range; response: typeof traceStats };
  "GET /api/trace-previews": {
    query: { ids: string; fields: string; length?: number };
    response: typeof tracePreviews;
  };
  "GET /api/traces": { query: TracesQuery; response: typeof traceList };
  "POST /api/traces": { body: typeof batch; response: typeof storedBatch };
  "DELETE /api/traces/:id": { response: typeof successSchema };
  "GET /api/traces/:id": { response: typeof wholeTrace };
  "GET /api/traces/:id/masking": { response: typeof traceMaskingSchema };
  "GET /api/traces/:id/outcome": { response: typeof runOutcome };
  "GET /api/traces/:id/outline": { response: typeof outline };
  "POST /api/traces/:id/shares": { body: typeof newShare; response: typeof createdShare };
  "GET /api/traces/:id/workspace": { response: typeof workspaceOfTrace };
  "GET /api/views": { response: typeof savedViewList };
  "POST /api/views": { body: typeof newSavedView; response: typeof savedView };
  "DELETE /api/views/:id": { response: typeof successSchema };
  "PATCH /api/views/:id": { body: typeof changedSavedView; response: typeof savedView };
}
