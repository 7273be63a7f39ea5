import type { SearchLine } from "@whytrace/contract";
import { anyText } from "@whytrace/contract/schemas/any-text";
import { fieldErrors } from "@whytrace/contract/schemas/field-errors";
import { searchLine } from "@whytrace/contract/schemas/search";
import { z } from "zod";
import type { CredentialWatch } from "../api-keys/credential-watch.ts";
import type { Guards } from "../api-keys/guards.ts";
import { callerOf } from "../api-keys/guards.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { textParam } from "../http/request/query-params.ts";
import { sendStream } from "../http/send-stream.ts";
import { requireScoreName, SCORE_NAME_REQUIRED } from "../traces/score-conditions.ts";
import { traceFilterParams } from "../traces/trace-filter-params.ts";
import { parseCursor } from "./search-cursor.ts";
import type { Searches } from "./searches.ts";

const MAX_QUERY_LENGTH = 200;
const MAX_HITS = 200;
const MAX_HITS_OF_TRACE = 1_000;
const DEFAULT_HITS = 50;
const QUERY = `Invalid q parameter. Must be 1 to ${MAX_QUERY_LENGTH} characters.`;
const CURSOR = "Invalid cursor parameter. Must be the cursor of an earlier response.";
const LIMIT = `Invalid limit parameter. Must be between 1 and ${MAX_HITS}, or ${MAX_HITS_OF_TRACE} with traceId.`;

const searchQuery = z.object({
  q: z
    .string({ error: QUERY })
    .refine((text) => text !== "" && Array.from(text).length <= MAX_QUERY_LENGTH, { error: QUERY })
    .meta({
      description: "The text to find, as you would read it",
      minLength: 1,
      maxLength: MAX_QUERY_LENGTH,
    })
    .register(fieldErrors, { texts: [QUERY] })
    .register(anyText),
  limit: textParam("")
    .refine((text) => text === undefined || /^[1-9]\d{0,3}$/.test(text), { error: LIMIT })
    .transform((text) => Number(text ?? DEFAULT_HITS))
    .meta({
      type: "integer",
      minimum: 1,
      maximum: MAX_HITS_OF_TRACE,
      default: DEFAULT_HITS,
      description: `Stop after this many hits; at most ${MAX_HITS}, or ${MAX_HITS_OF_TRACE} with traceId`,
    })
    .register(fieldErrors, { texts: [LIMIT] }),
  cursor: textParam("")
    .transform((text, context) => {
      const cursor = text === undefined ? undefined : parseCursor(text);
      if (text !== undefined && !cursor) context.addIssue(CURSOR);
      return cursor;
    })
    .meta({ type: "string", description: "Continue an earlier search: the cursor of one of its lines" })
    .register(fieldErrors, { texts: [CURSOR] }),
  traceId: textParam("Only this trace, and all its hits"),
  ...traceFilterParams,
});

const DESCRIPTION = [
  "Reads everything that your traces hold, from the newest trace to the oldest, and sends what it finds at once: names, " +
    "metadata, input, output, status messages, and the reasoning, options and context of decisions. The filters are " +
    "those of the list of traces.",
  "A field contains the text if one of its JSON strings or keys does, whatever escapes it was sent with, or one of its " +
    "numbers as it was sent. Case is ignored, letter by letter; accents are not.",
  "Each line is a JSON object with a `kind`. A `hit` is a field that contains the text, with the first place in it; of " +
    "one trace there are up to 3, and `moreInTrace` on the last one is the number of its other fields that contain the " +
    "text. `progress` comes at least once a second. The last line has the kind `end`; a response without it broke off. " +
    "Its `cursor` continues the search; null means that everything was searched.",
  "You can run one search at a time: a new one ends the one before, which gets its `end` with a cursor. While others use " +
    "the server, a search goes more slowly.",
].join("\n\n");

interface SearchRoutesOptions {
  searches: Searches;
  budget: ReadBudget;
  guards: Guards;
  credentials: CredentialWatch;
}

export function searchRoutes(app: App, { searches, budget, guards, credentials }: SearchRoutesOptions) {
  app.addHook("preClose", async () => searches.endAll());
  app.addHook("onClose", () => searches.stop());

  app.get(
    "/api/search",
    {
      onRequest: guards.read,
      // A response to HEAD would search for nobody.
      exposeHeadRoute: false,
      schema: {
        tags: ["Search"],
        summary: "Search inside your traces",
        description: DESCRIPTION,
        querystring: searchQuery,
        response: {
          200: {
            description: "One line per hit, and lines that tell how far the search is",
            content: { "application/x-ndjson": { schema: searchLine } },
          },
        },
        errors: { 400: [SCORE_NAME_REQUIRED], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const { q: query, limit, cursor, traceId, ...filter } = request.query;
      if (limit > (traceId === undefined ? MAX_HITS : MAX_HITS_OF_TRACE)) throw new HttpError(400, LIMIT);
      requireScoreName(filter);
      const { workspaceId, credentialId } = callerOf(request);
      const left = new AbortController();
      reply.raw.once("close", () => left.abort());
      return sendStream(reply, {
        contentType: "application/x-ndjson",
        budget,
        caller: workspaceId,
        permission: credentials.permission(credentialId),
        chunks: toNdjson(searches.run({ workspaceId, query, limit, cursor, traceId, filter }, left.signal)),
      });
    },
  );
}

async function* toNdjson(lists: AsyncGenerator<SearchLine[]>): AsyncGenerator<Buffer[]> {
  for await (const lines of lists)
    yield [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))];
}
