import { batchErrorTexts } from "@whytrace/contract";
import { scopeErrors } from "../api-keys/require-scope.ts";
import { BUSY_ERRORS } from "../http/http-error.ts";
import type { ErrorTexts } from "../http/route-schema.ts";
import { WORKSPACE_RATE_ERRORS } from "../http/workspace-rate.ts";
import { MAX_DEPTH, MAX_VALUES } from "./json-errors.ts";

/** All errors of ingest in the order of the checks, for the API reference. */
export const INGEST_ERRORS: ErrorTexts = {
  401: [
    "Missing or invalid Authorization header",
    "Missing API key in Authorization header",
    "Invalid API key",
  ],
  413: ["Request body too large (max 10MB)"],
  403: [...scopeErrors("send"), "No subscription found for this user"],
  429: [
    "Rate limit exceeded. Current plan: <tier>. Limit: <sessionsLimit>/day. Upgrade at /settings/billing",
    "Rate limit exceeded. Current plan: <tier>. Limit: <sessionsLimit>/month. Upgrade at /settings/billing",
    ...Object.values(WORKSPACE_RATE_ERRORS),
    ...BUSY_ERRORS[429],
  ],
  415: ["Content-Encoding must be gzip or identity"],
  408: ["Request body took too long to arrive"],
  400: [
    "Request body was cut off",
    "Invalid JSON in request body",
    `Request body must have at most ${MAX_VALUES} JSON values`,
    `Request body must be at most ${MAX_DEPTH} levels deep`,
    ...batchErrorTexts(),
  ],
  409: ["Duplicate trace ID detected"],
};
