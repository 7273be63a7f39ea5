import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Score } from "@whytrace/contract";
import { useEffect, useRef } from "react";
import { useUser } from "../../client/session.ts";
import { scoreText, scoreTone } from "../../scores/score-words.ts";
import { SCORES_KEY } from "../../scores/scores-query.ts";
import { giveScore, takeBackScore } from "../../scores/send-scores.ts";
import { Kbd } from "../../ui/badges.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";
import { AddScore } from "./add-score.tsx";
import { ScoreItem } from "./score-item.tsx";

export interface ScoresTabProps {
  tree: TraceTree;
  selected: TreeNode | null;
  query: UseQueryResult<Score[]>;
  onNavigate: (node: TreeNode) => void;
}

/** All judgements of the run, its spans and decisions, the bad ones first. */
export function ScoresTab({ tree, selected, query, onNavigate }: ScoresTabProps) {
  const traceId = tree.outline.id;
  const { id: userId } = useUser();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: [SCORES_KEY] });
  const takeBack = useMutation({
    mutationFn: ({ id }: Score) => takeBackScore(id),
    onSettled: refresh,
  });
  const restore = useMutation({
    mutationFn: ({
      kind: _kind,
      source: _source,
      author: _author,
      isWaiting: _w,
      createdAt: _c,
      ...given
    }: Score) => giveScore(given),
    onSettled: refresh,
    onSuccess: () => takeBack.reset(),
  });
  return (
    <>
      <QueryResult query={query} skeleton={<ScoresSkeleton />}>
        {(scores) =>
          scores.length === 0 ? (
            <NoScores />
          ) : (
            <ul aria-label="Scores" className="-mt-2">
              {badFirst(scores).map((score) => (
                <ScoreItem
                  key={score.id}
                  tree={tree}
                  score={score}
                  selected={selected}
                  isOwn={score.source === "person" && score.author === userId}
                  onTakeBack={takeBack.mutate}
                  onNavigate={onNavigate}
                />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <div role="status" className="text-xs text-muted">
        {takeBack.isSuccess && (
          <p className="pt-1.5">
            Took back {scoreText(takeBack.variables)}.{" "}
            <UndoButton onUndo={() => restore.mutate(takeBack.variables)} />
          </p>
        )}
      </div>
      {takeBack.error && <ErrorNotice error={takeBack.error} />}
      {restore.error && <ErrorNotice error={restore.error} />}
      <div className="-mx-4 mt-3 border-t border-line px-4 pt-3">
        <AddScore traceId={traceId} selected={selected} onAdded={refresh} />
      </div>
    </>
  );
}

const badFirst = (scores: Score[]) => {
  const isBad = (score: Score) => scoreTone(score) === "bad";
  return [...scores.filter(isBad), ...scores.filter((score) => !isBad(score))];
};

/** Takes the focus of the button that has disappeared. */
function UndoButton({ onUndo }: { onUndo: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <button
      ref={button}
      type="button"
      className="font-medium text-accent hover:underline max-sm:min-h-11"
      onClick={onUndo}
    >
      Undo
    </button>
  );
}

const NoScores = () => (
  <div className="grid gap-2 text-muted">
    <p className="text-base font-semibold text-text">Nobody has judged this run yet</p>
    <p>
      Scores come from your code with the SDK or <code>POST /api/scores</code>, from the thumbs of your users,
      and from you: <Kbd>+</Kbd> says that the run was good, <Kbd>-</Kbd> that it was bad.
    </p>
  </div>
);

const ScoresSkeleton = () => (
  <div role="status" aria-label="Loading" className="grid animate-[fade-in_0s_150ms_both] gap-4">
    {[1, 2, 3].map((row) => (
      <div key={row} data-skeleton className="grid gap-2">
        <SkeletonBar className="w-1/3" />
        <SkeletonBar className="w-2/3" />
      </div>
    ))}
  </div>
);
