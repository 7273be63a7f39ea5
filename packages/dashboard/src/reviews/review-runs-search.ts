import { omitEmpty, parseText } from "../client/search-params.ts";

export interface ReviewRunsSearch {
  agent?: string | undefined;
  /** The judge that is reviewed: the name of its scores, and which one. Without it, runs are taken at random. */
  judge?: string | undefined;
  judgeAuthor?: string | undefined;
}

export function parseReviewRunsSearch(search: Record<string, unknown>): ReviewRunsSearch {
  const judge = parseText(search.judge);
  return omitEmpty({
    agent: parseText(search.agent),
    judge,
    judgeAuthor: judge === undefined ? undefined : parseText(search.judgeAuthor),
  });
}
