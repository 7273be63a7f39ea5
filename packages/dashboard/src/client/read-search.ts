import type { SearchLine } from "@whytrace/contract";
import { ApiError, request } from "./api.ts";

/** A shorter text is in nearly every record. */
export const MIN_SEARCH_LENGTH = 2;
/** The server accepts no longer text. */
export const MAX_SEARCH_LENGTH = 200;

const BROKE_OFF = "The search broke off. Check your connection and try again.";

/** Searches the contents of traces, and yields the lines of the response as they arrive. */
export async function* readSearch(query: string, signal: AbortSignal): AsyncGenerator<SearchLine[]> {
  const { body } = await request(`/api/search${query}`, { signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let hasEnd = false;
  while (reader) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal.aborted ? error : new ApiError(0, BROKE_OFF);
    });
    if (done) break;
    const texts = (rest + value).split("\n");
    rest = texts.pop() ?? "";
    const lines = texts.filter(Boolean).map((text) => JSON.parse(text) as SearchLine);
    hasEnd ||= lines.some(({ kind }) => kind === "end");
    if (lines.length > 0) yield lines;
  }
  if (!hasEnd) throw new ApiError(0, BROKE_OFF);
}
