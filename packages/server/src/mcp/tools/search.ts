import type { SearchHit } from "@whytrace/contract";
import { anyText } from "@whytrace/contract/schemas/any-text";
import { z } from "zod";
import { textParam } from "../../http/request/query-params.ts";
import { parseCursor } from "../../search/search-cursor.ts";
import { traceFilterParams } from "../../traces/trace-filter-params.ts";
import { fitLines } from "../answer.ts";
import { INVALID_CURSOR } from "../page-cursor.ts";
import { defineTool } from "../tool.ts";

const MAX_HITS = 20;
/** A model waits for the answer. The cursor continues a search that takes longer. */
const MAX_MS = 10_000;
const QUERY = "q must have 1 to 200 characters.";

export const search = defineTool({
  name: "search",
  title: "Search inside traces",
  description:
    "Finds text in everything that traces hold, payloads too, from the newest trace to the oldest. Case is ignored. Each line is a " +
    "field that contains the text: { traceId, agent, startedAt, status, record: { kind, id, name }, field, excerpt, moreInTrace }. " +
    "get_span returns the record. An answer has up to 20 hits, 3 of a trace, or 20 of one trace with traceId.",
  input: z.strictObject({
    q: z
      .string()
      .refine((text) => text !== "" && Array.from(text).length <= 200, { error: QUERY })
      .meta({ description: "The text, as one would read it", minLength: 1, maxLength: 200 })
      .register(anyText),
    traceId: textParam("Only in this trace"),
    ...traceFilterParams,
    cursor: z
      .string()
      .optional()
      .transform((text, context) => {
        const cursor = text === undefined ? undefined : parseCursor(text);
        if (text !== undefined && !cursor) context.addIssue(INVALID_CURSOR);
        return cursor;
      })
      .meta({ type: "string", description: "Continue: the cursor of the answer before" }),
  }),
  async run({ searches, workspaceId, signal }, { q: query, traceId, cursor, ...filter }) {
    const options = { workspaceId, query, traceId, cursor, filter, limit: MAX_HITS };
    const hits: SearchHit[] = [];
    let end: { cursor: string | null; traces: number } = { cursor: null, traces: 0 };
    const until = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
    for await (const lines of searches.run(options, until))
      for (const line of lines) {
        if (line.kind === "hit") hits.push(line);
        else if (line.kind === "end") end = line;
      }
    const lines = fitLines(hits.map(describe));
    const left = hits.length - lines.length;
    return {
      summary:
        `${hits.length} hits in ${end.traces} traces that were searched.` +
        (left > 0 ? ` ${left} of them did not fit: search with traceId.` : "") +
        (hits.length === 0 && end.cursor === null ? " Nothing more to search." : ""),
      lines,
      cursor: end.cursor,
    };
  },
});

const describe = ({
  traceId,
  traceName,
  traceStartedAt,
  status,
  record,
  field,
  moreInTrace,
  ...hit
}: SearchHit) => ({
  traceId,
  agent: traceName,
  startedAt: traceStartedAt,
  status,
  record,
  field,
  excerpt: `${hit.before}${hit.match}${hit.after}`,
  ...(moreInTrace !== undefined && { moreInTrace }),
});
