import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { IssueDetail } from "@whytrace/contract";
import { useState } from "react";
import { api } from "../client/api.ts";
import { ISSUES_KEY } from "../client/issue-counts-query.ts";
import { useIsReadOnly } from "../client/use-role.ts";
import { Button } from "../ui/controls/button.tsx";
import { inputStyle } from "../ui/controls/field.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { TimelineItem } from "./timeline-item.tsx";

const MAX_COMMENT_LENGTH = 10_000;

/** What happened to an issue, newest first, and a field for a comment. */
export function TimelinePanel({ issue: { number } }: { issue: IssueDetail }) {
  const client = useQueryClient();
  const isReadOnly = useIsReadOnly();
  const timeline = useInfiniteQuery({
    queryKey: [ISSUES_KEY, "timeline", number],
    queryFn: ({ signal, pageParam }) =>
      api("GET /api/issues/:number/timeline", { params: { number }, query: { cursor: pageParam }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const refresh = () => client.invalidateQueries({ queryKey: [ISSUES_KEY] });
  const remove = useMutation({
    mutationFn: (id: string) => api("DELETE /api/issues/:number/comments/:id", { params: { number, id } }),
    onSuccess: refresh,
  });
  return (
    <Panel title="Timeline">
      <QueryResult query={timeline} skeleton={<SkeletonRows count={3} />}>
        {({ pages }) => (
          <ol className="grid grid-cols-[minmax(0,1fr)] gap-3 p-3">
            {pages
              .flatMap((page) => page.timeline)
              .map((entry) => (
                <TimelineItem
                  key={entry.id}
                  entry={entry}
                  onDelete={
                    entry.kind === "commented" && !isReadOnly ? () => remove.mutate(entry.id) : undefined
                  }
                />
              ))}
          </ol>
        )}
      </QueryResult>
      {timeline.hasNextPage && (
        <p className="px-3 pb-3">
          <Button disabled={timeline.isFetchingNextPage} onClick={() => void timeline.fetchNextPage()}>
            Earlier
          </Button>
        </p>
      )}
      {remove.error && <ErrorNotice error={remove.error} />}
      {!isReadOnly && <CommentForm number={number} onSent={refresh} />}
    </Panel>
  );
}

function CommentForm({ number, onSent }: { number: number; onSent: () => Promise<void> }) {
  const [text, setText] = useState("");
  const send = useMutation({
    mutationFn: () => api("POST /api/issues/:number/comments", { params: { number }, body: { text } }),
    onSuccess: async () => {
      setText("");
      await onSent();
    },
  });
  return (
    <form
      className="grid gap-2 border-t border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && !send.isPending) send.mutate();
      }}
    >
      <textarea
        aria-label="Comment"
        placeholder="Comment"
        rows={text ? 3 : 1}
        maxLength={MAX_COMMENT_LENGTH}
        className={`${inputStyle} resize-y py-2`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey))
            event.currentTarget.form?.requestSubmit();
        }}
      />
      {send.error && <ErrorNotice error={send.error} />}
      {text && (
        <div>
          <Button type="submit" kind="primary" disabled={send.isPending || !text.trim()}>
            Comment
          </Button>
        </div>
      )}
    </form>
  );
}
