import type { Score } from "@whytrace/contract";
import { type ScoreTone, scoreText, scoreValueText } from "../../scores/score-words.ts";
import { ToneIcon } from "../../scores/tone-icon.tsx";
import { Author } from "../../shell/author.tsx";
import { Tag } from "../../ui/badges.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { TraceTree, TreeNode } from "../model/trace-tree.ts";
import { ScorePlace, scoredNode } from "./score-place.tsx";

const VALUE_STYLES = { bad: "text-error", good: "", neutral: "" };

/** The server gives such ids to the scores that OpenTelemetry sent with their trace. */
const isPartOfTrace = ({ id }: Score) => id.startsWith("otlp_");

interface ScoreItemProps {
  tree: TraceTree;
  score: Score;
  tone: ScoreTone;
  selected: TreeNode | null;
  /** Whether the signed-in member gave it. */
  isOwn: boolean;
  /** Undefined where nothing can be changed. */
  onTakeBack: ((score: Score) => void) | undefined;
  onNavigate: (node: TreeNode) => void;
}

/** One judgement: what, by whom, where and when. */
export function ScoreItem({ tree, score, tone, selected, isOwn, onTakeBack, onNavigate }: ScoreItemProps) {
  const { name, source, author, comment, timestamp } = score;
  const isSelected = selected !== null && scoredNode(tree, score) === selected;
  return (
    <li
      aria-current={isSelected || undefined}
      className={`-mx-4 flex gap-2.5 px-4 py-2 ${isSelected ? "shadow-[inset_3px_0_var(--color-accent)]" : ""}`}
    >
      <span className="mt-0.5">
        <ToneIcon tone={tone} />
      </span>
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5">
        <p className="break-words font-semibold" title={String(score.value)}>
          {name} <span className={VALUE_STYLES[tone]}>{scoreValueText(score)}</span>
        </p>
        {comment !== null && (
          <p className="whitespace-pre-wrap break-words">{source === "user" ? `“${comment}”` : comment}</p>
        )}
        <p className="break-words text-xs text-muted">
          <ScorePlace tree={tree} score={score} onNavigate={onNavigate} />
          {author !== null && (
            <>
              {" · "}
              {source === "person" ? <Author person={{ id: author }} /> : author}
            </>
          )}
          {" · "}
          <RelativeTime instant={timestamp} />
          {isPartOfTrace(score) && (
            <span title="It came with the trace, and is replaced with it"> · part of the trace</span>
          )}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5">
        <Tag>{source}</Tag>
        {isOwn && onTakeBack && (
          <button
            type="button"
            aria-label={`Take back ${scoreText(score)}`}
            className="text-xs font-medium text-accent hover:underline max-sm:min-h-11"
            onClick={() => onTakeBack(score)}
          >
            Take back
          </button>
        )}
      </div>
    </li>
  );
}
