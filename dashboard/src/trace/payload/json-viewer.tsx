import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { inputStyle } from "../../ui/field.tsx";
import { LoadError } from "../../ui/notice.tsx";
import { SmallCopyButton } from "../../ui/small-copy-button.tsx";
import { useVisibleRows } from "../../ui/use-visible-rows.ts";
import type { JsonLine } from "./json-document.ts";
import { JsonLineView } from "./json-line.tsx";
import { callPayloadWorker } from "./payload-client.ts";
import type { DocumentState } from "./payload-protocol.ts";
import { usePayload } from "./use-payload.ts";

const LINE_HEIGHT_PX = 20;
const MAX_VISIBLE_LINES = 24;
const MIN_SEARCHABLE_LINES = 12;
const CHARACTER_WIDTH_PX = 7.3;

interface JsonViewerProps {
  label: string;
  url: string;
  pick?: string | null;
  /** Shown if the value is null. */
  empty?: ReactNode;
}

/** Shows a payload of any size. The worker fetches and lays it out; only visible lines are in the document. */
export function JsonViewer({ label, url, pick = null, empty = null }: JsonViewerProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(52);
  const payload = usePayload(url, pick, columns);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setColumns(Math.max(24, Math.floor((element.clientWidth - 44) / CHARACTER_WIDTH_PX))),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { doc, state, setState } = payload;
  const isOpen = state !== null;
  useEffect(() => {
    if (isOpen) void callPayloadWorker("wrap", { doc, columns }).then(setState, () => {});
  }, [doc, columns, isOpen, setState]);
  return (
    <div ref={frame}>
      {payload.error ? (
        <LoadError error={payload.error} onRetry={payload.retry} />
      ) : !state ? (
        <div
          role="status"
          aria-label={`Loading ${label}`}
          className="h-16 animate-[fade-in_0s_150ms_both] rounded-md bg-sunken"
        />
      ) : state.isNull ? (
        empty
      ) : (
        <Lines key={doc} label={label} doc={doc} state={state} onState={setState} />
      )}
    </div>
  );
}

interface LinesProps {
  label: string;
  doc: number;
  state: DocumentState;
  onState: (state: DocumentState) => void;
}

function Lines({ label, doc, state, onState }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end } = useVisibleRows(scroller, { count: state.lineCount, rowHeight: LINE_HEIGHT_PX });
  const [shown, setShown] = useState<{ from: number; lines: JsonLine[] }>({ from: 0, lines: [] });
  const [search, setSearch] = useState({ text: "", count: 0, at: -1 });
  const countPromise = useRef(Promise.resolve(0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state means a new layout, even with the same line count
  useEffect(() => {
    let isCurrent = true;
    callPayloadWorker("lines", { doc, from: first, to: end }).then(
      (lines) => isCurrent && setShown({ from: first, lines }),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [doc, first, end, state]);
  const isLong = state.lineCount > MIN_SEARCHABLE_LINES || search.text !== "";
  const onToggle = (node: number, isNested: boolean) =>
    void callPayloadWorker("toggle", { doc, node, isNested }).then(onState, () => {});
  const onSearch = (text: string) => {
    setSearch({ text, count: 0, at: -1 });
    countPromise.current = callPayloadWorker("search", { doc, text }).catch(() => 0);
    void countPromise.current.then((count) =>
      setSearch((now) => (now.text === text ? { text, count, at: -1 } : now)),
    );
  };
  // The user may press Enter before the count has arrived.
  const goToMatch = async (step: 1 | -1) => {
    const count = await countPromise.current;
    if (count === 0) return;
    const at = search.at < 0 ? (step === 1 ? 0 : count - 1) : (search.at + step + count) % count;
    setSearch({ text: search.text, count, at });
    const { line, ...next } = await callPayloadWorker("reveal", { doc, matchIndex: at });
    onState(next);
    requestAnimationFrame(() => {
      if (scroller.current) scroller.current.scrollTop = Math.max(0, line * LINE_HEIGHT_PX - 60);
    });
  };
  return (
    <div className="relative rounded-md border border-line bg-panel">
      <div
        className={
          isLong
            ? "flex items-center gap-1.5 border-b border-line px-2 py-1"
            : "absolute right-1 top-1 z-1 bg-panel"
        }
      >
        {isLong && (
          <>
            <input
              type="search"
              aria-label={`Find in ${label}`}
              placeholder={`Find in ${label.toLowerCase()}`}
              value={search.text}
              onChange={(event) => onSearch(event.target.value)}
              onKeyDown={(event) =>
                event.key === "Enter" && void goToMatch(event.shiftKey ? -1 : 1).catch(() => {})
              }
              className={`${inputStyle} min-h-7 max-w-44 text-xs`}
            />
            {search.text && (
              <span role="status" className="whitespace-nowrap text-xs text-muted">
                {search.at >= 0 ? `${(search.at + 1).toLocaleString("en")} of ` : ""}
                {search.count.toLocaleString("en")}
              </span>
            )}
          </>
        )}
        {isLong && (
          <span className="ml-auto text-xs text-muted">{state.lineCount.toLocaleString("en")} lines</span>
        )}
        <SmallCopyButton
          label={`Copy ${label.toLowerCase()}`}
          text={() => callPayloadWorker("text", { doc })}
        />
      </div>
      <section
        ref={scroller}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        className="relative overflow-auto py-2 font-mono text-xs outline-offset-[-2px]"
        style={{ maxHeight: MAX_VISIBLE_LINES * LINE_HEIGHT_PX + 16 }}
      >
        <div className="relative" style={{ height: state.lineCount * LINE_HEIGHT_PX }}>
          {shown.lines.map((line, index) => (
            <JsonLineView
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ID
              key={shown.from + index}
              line={line}
              top={(shown.from + index) * LINE_HEIGHT_PX}
              query={search.text}
              onToggle={onToggle}
            />
          ))}
        </div>
      </section>
    </div>
  );
}
