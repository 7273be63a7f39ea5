import { type UseQueryResult, useMutation, useQueryClient } from "@tanstack/react-query";
import type { RunOutcome, Score } from "@whytrace/contract";
import { useEffect, useRef } from "react";
import { useUser } from "../../client/session.ts";
import { useIsReadOnly } from "../../client/use-role.ts";
import { type ScoreTone, scoreText, scoreTone } from "../../scores/score-words.ts";
import { SCORES_KEY } from "../../scores/scores-query.ts";
import { giveScore, takeBackScore } from "../../scores/send-scores.ts";
import { Kbd } from "../../ui/badges.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { SkeletonBar } from "../../ui/skeleton.tsx";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";
import { AddScore } from "./add-score.tsx";
import { OutcomeSummary } from "./outcome-summary.tsx";
import { ScoreItem } from "./score-item.tsx";

export interface ScoresTabProps {
  tree: TraceTree;
  selected: TreeNode | null;
  query: UseQueryResult<Score[]>;
  /** Undefined while it loads. */
  outcome: RunOutcome | undefined;
  onNavigate: (node: TreeNode) => void;
}

/** All judgements of the run, its spans and decisions, the bad ones first. */
export function ScoresTab({ tree, selected, query, outcome, onNavigate }: ScoresTabProps) {
  const traceId = tree.outline.id;
  const { id: userId } = useUser();
  const isReadOnly = useIsReadOnly();
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
  const reasonIds = new Set(outcome?.reasons.map(({ scoreId }) => scoreId));
  return (
    <>
      {outcome && <OutcomeSummary judged={outcome} scores={query.data ?? []} />}
      <QueryResult query={query} skeleton={<ScoresSkeleton />}>
        {(scores) =>
          scores.length === 0 ? (
            <NoScores />
          ) : (
            <ul aria-label="Scores" className="-mt-2">
              {badFirst(scores, (score) => scoreTone(score, reasonIds.has(score.id))).map(
                ({ score, tone }) => (
                  <ScoreItem
                    key={score.id}
                    tree={tree}
                    score={score}
                    tone={tone}
                    selected={selected}
                    isOwn={score.source === "person" && score.author === userId}
                    onTakeBack={isReadOnly ? undefined : takeBack.mutate}
                    onNavigate={onNavigate}
                  />
                ),
              )}
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
      {!isReadOnly && (
        <div className="-mx-4 mt-3 border-t border-line px-4 pt-3">
          <AddScore traceId={traceId} selected={selected} onAdded={refresh} />
        </div>
      )}
    </>
  );
}

function badFirst(scores: Score[], toneOf: (score: Score) => ScoreTone) {
  const judged = scores.map((score) => ({ score, tone: toneOf(score) }));
  const isBad = ({ tone }: { tone: ScoreTone }) => tone === "bad";
  return [...judged.filter(isBad), ...judged.filter((one) => !isBad(one))];
}

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
