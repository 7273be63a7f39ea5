import { Link } from "@tanstack/react-router";
import type { TracePreview, TraceRow } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { OutcomeBadge } from "../scores/outcome-badge.tsx";
import { errorText } from "../traces/error-text.ts";
import { usePreviews } from "../traces/use-previews.ts";
import { RelativeTime } from "../ui/relative-time.tsx";
import { StatusIcon } from "../ui/status.tsx";

const FIELDS = ["error", "input", "output"] as const;
const MAX_TEXT_LENGTH = 2_000;

/** The traces of a session as one conversation: what each was asked and what it answered. */
export function AgentSessionConversation({ traces }: { traces: TraceRow[] }) {
  const { previews } = usePreviews(traces, FIELDS, MAX_TEXT_LENGTH);
  return (
    <ol className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5 p-4">
      {traces.map((trace) => (
        <li key={trace.id} className="relative grid grid-cols-[minmax(0,1fr)] gap-2">
          <div className="flex min-w-0 items-center gap-2 text-xs text-muted">
            <StatusIcon status={trace.status} />
            <Link
              to={paths.trace}
              params={{ id: trace.id }}
              search={{ view: "transcript" }}
              data-row
              className="min-w-0 truncate text-accent hover:underline max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
            >
              {trace.name}
            </Link>
            <OutcomeBadge status={trace.status} outcome={trace.outcome} />
            <span className="ml-auto shrink-0">
              <RelativeTime instant={trace.startedAt} />
            </span>
          </div>
          <Exchange preview={previews.get(trace.id)} isRunning={trace.status === "RUNNING"} />
        </li>
      ))}
    </ol>
  );
}

function Exchange({ preview, isRunning }: { preview: TracePreview | undefined; isRunning: boolean }) {
  if (!preview) return <div role="status" aria-label="Loading" className="h-16 rounded-md bg-sunken" />;
  const error = errorText(preview);
  return (
    <>
      {preview.input !== null && (
        <p className={`${BUBBLE} border-agent`}>
          <span className="sr-only">User: </span>
          {preview.input}
        </p>
      )}
      {preview.output !== null && (
        <p className={`${BUBBLE} border-llm`}>
          <span className="sr-only">Agent: </span>
          {preview.output}
        </p>
      )}
      {error !== null && <p className="break-words text-error">✕ {error}</p>}
      {preview.input === null && preview.output === null && error === null && (
        <p className="text-muted">
          {isRunning ? "Nothing was said yet." : "No input or output was recorded."}
        </p>
      )}
    </>
  );
}

const BUBBLE = "break-words rounded-r-md border-l-[3px] bg-panel px-3 py-2";
