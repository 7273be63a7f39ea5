import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { scoreTone, scoreValueText } from "../scores/score-words.ts";
import { ToneIcon } from "../scores/tone-icon.tsx";
import { Author } from "../shell/author.tsx";
import { Tag } from "../ui/badges.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { latestScoresQuery } from "./score-queries.ts";

/** The newest scores of a name, each a link to its run. */
export function LatestScores({ name, agent }: { name: string; agent: string | undefined }) {
  const query = useQuery(latestScoresQuery({ name, agent }));
  return (
    <Panel title="Latest" note={name}>
      <QueryResult query={query} skeleton={<SkeletonRows count={4} />}>
        {({ scores }) => (
          <ul className="grid">
            {scores.map((score) => (
              <li
                key={score.id}
                className="relative flex gap-2.5 border-b border-line/60 px-3 py-2 last:border-0 focus-within:shadow-[inset_3px_0_var(--color-accent)] hover:bg-panel"
              >
                <span className="mt-0.5">
                  <ToneIcon tone={scoreTone(score, false)} />
                </span>
                <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)]">
                  {score.isWaiting ? (
                    <span className="truncate font-medium">
                      {scoreValueText(score)}{" "}
                      <span className="font-normal text-muted">· waits for its trace</span>
                    </span>
                  ) : (
                    <Link
                      to={paths.trace}
                      params={{ id: score.traceId }}
                      search={{ tab: "scores" }}
                      aria-label={`${name} ${scoreValueText(score)}, open its run`}
                      className="truncate font-medium after:absolute after:inset-0 focus-visible:outline-none"
                    >
                      {scoreValueText(score)}
                    </Link>
                  )}
                  {score.comment !== null && (
                    <span className="line-clamp-2 break-words">{score.comment}</span>
                  )}
                  <span className="truncate text-xs text-muted">
                    {score.source === "person" && score.author !== null ? (
                      <Author person={{ id: score.author }} />
                    ) : (
                      (score.author ?? "without an author")
                    )}{" "}
                    · <RelativeTime instant={score.timestamp} />
                  </span>
                </span>
                <span className="shrink-0">
                  <Tag>{score.source}</Tag>
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </Panel>
  );
}
