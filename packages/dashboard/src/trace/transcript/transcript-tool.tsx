import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { formatDuration } from "../../ui/format/format.ts";
import { SpanIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { SpanNode, TraceTree, TreeNode } from "../model/trace-tree.ts";
import { MarkedText } from "../payload/marked-text.tsx";
import { PayloadTime } from "../payload/payload-time.ts";
import { useHasPayloads, useTraceUrls } from "../payload/share-context.ts";
import { toolQuery } from "./tool-query.ts";

interface TranscriptToolProps {
  tree: TraceTree;
  node: SpanNode;
  onNavigate: (node: TreeNode) => void;
}

/** A tool that ran: its arguments and its result, or its error. */
export function TranscriptTool({ tree, node, onNavigate }: TranscriptToolProps) {
  const { id, name, type, status, statusMessage } = node.span;
  const urls = useTraceUrls(tree.outline.id);
  const hasPayloads = useHasPayloads();
  const outlineMs = useContext(PayloadTime);
  const { data } = useQuery({ ...toolQuery(urls.span(id), outlineMs), enabled: hasPayloads });
  return (
    <article className="rounded-md border border-line" style={tintedStyle(type)}>
      <div className="flex items-center gap-2 px-3 py-1.5">
        <SpanIcon />
        <button
          type="button"
          className="min-w-0 truncate font-medium hover:underline"
          onClick={() => onNavigate(node)}
        >
          {name}
        </button>
        <span className="ml-auto shrink-0 text-xs text-muted">{formatDuration(node.durationMs)}</span>
      </div>
      {status === "ERROR" && <p className="break-words px-3 pb-2 text-error">✕ {statusMessage ?? "Error"}</p>}
      {data && (data.input || data.output) && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 pb-2.5 font-mono text-xs">
          {data.input && <ToolText label="in" text={data.input} field="input" />}
          {data.output && <ToolText label="out" text={data.output} field="output" />}
        </dl>
      )}
    </article>
  );
}

const MAX_LINES_LENGTH = 600;

function ToolText({ label, text, field }: { label: string; text: string; field: "input" | "output" }) {
  const whole = (
    <span className="whitespace-pre-wrap break-words">
      <MarkedText text={text} field={field} />
    </span>
  );
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">
        {text.length <= MAX_LINES_LENGTH ? (
          whole
        ) : (
          <details className="group">
            <summary className="list-none whitespace-pre-wrap break-words">
              <span className="group-open:hidden">
                {text.slice(0, MAX_LINES_LENGTH / 2)}…{" "}
                <span className="font-sans text-accent">Show more</span>
              </span>
              <span className="hidden font-sans text-accent group-open:inline">Show less</span>
            </summary>
            {whole}
          </details>
        )}
      </dd>
    </>
  );
}
