import { queryOptions, useQuery } from "@tanstack/react-query";
import { blameSentence, type SharedSuspect } from "@whytrace/contract";
import { api } from "../../client/api.ts";
import { formatDate } from "../../ui/format/format.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { RankBadge } from "../../ui/rank-badge.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import { SentenceText } from "../../why/sentence-text.tsx";
import { decisionKey, type TraceTree, type TreeNode } from "../model/trace-tree.ts";
import { SuspectWords } from "./suspect-words.tsx";
import { WhyTabSkeleton } from "./why-tab-skeleton.tsx";

/** It does not change while the page is open: it was stored when the link was made. */
const sharedWhyQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token, "why"],
    queryFn: ({ signal }) => api("GET /api/shared/:token/why", { params: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

interface SharedWhyTabProps {
  token: string;
  tree: TraceTree;
  onNavigate: (node: TreeNode) => void;
}

/** What explains a run, for those who have a link. It leads nowhere but to decisions of this run. */
export function SharedWhyTab({ token, tree, onNavigate }: SharedWhyTabProps) {
  const query = useQuery(sharedWhyQuery(token));
  const open = ({ decisionPointId }: SharedSuspect) => {
    const node = decisionPointId === null ? undefined : tree.byKey.get(decisionKey(decisionPointId));
    if (node) onNavigate(node);
  };
  return (
    <div className="-mx-4 -mt-4">
      <QueryResult query={query} skeleton={<WhyTabSkeleton />}>
        {(why) => (
          <>
            <h2 className="break-words border-b border-line px-4 py-2.5 font-semibold">
              {why.suspects.length === 0 && why.isChanged ? (
                "The explanation no longer fits this run"
              ) : (
                <SentenceText sentence={blameSentence(why)} />
              )}
            </h2>
            {why.suspects.map((suspect, index) => (
              <article
                key={suspect.decisionPointId ?? `left out ${index}`}
                aria-label={`Suspect ${index + 1}: ${suspect.option || "left out"}`}
                style={tintedStyle(suspect.type)}
                className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 border-b border-line px-4 py-2.5"
              >
                <RankBadge>{index + 1}</RankBadge>
                <div className="min-w-0">
                  <SuspectWords suspect={suspect} blame={why} onOpen={() => open(suspect)} />
                </div>
              </article>
            ))}
            <p className="px-4 py-2.5 text-xs text-muted">
              {why.isChanged && "The run was sent again since, and some of its decisions have changed. "}
              Compared with other runs of this agent on {formatDate(Date.parse(why.computedAt))}. Association
              in the same situation, not cause.
            </p>
          </>
        )}
      </QueryResult>
    </div>
  );
}
