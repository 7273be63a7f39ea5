import { SEARCH_FIELDS } from "@whytrace/contract";
import {
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { parseOneOf } from "../../client/search-params.ts";
import { inputStyle } from "../../ui/controls/field.tsx";
import { SmallCopyButton } from "../../ui/controls/small-copy-button.tsx";
import { useVisibleRows } from "../../ui/hooks/use-visible-rows.ts";
import { LoadError } from "../../ui/notice.tsx";
import { FindContext, useFindTarget } from "./find.ts";
import type { JsonLine } from "./json-document.ts";
import { JsonLineView } from "./json-line.tsx";
import { NoPayloads } from "./no-payloads.tsx";
import { callPayloadWorker } from "./payload-client.ts";
import type { DocumentState } from "./payload-protocol.ts";
import { useHasPayloads } from "./share-context.ts";
import { LINE_HEIGHT_PX, useDocumentSearch } from "./use-document-search.ts";
import { usePayload } from "./use-payload.ts";

const MAX_VISIBLE_LINES = 24;
const MIN_SEARCHABLE_LINES = 12;
const CHARACTER_WIDTH_PX = 7.3;

interface JsonViewerProps {
  label: string;
  url: string;
  pick?: string | null;
  /** Shown if the value is null. */
  empty?: ReactNode;
  /** Whether the payload belongs to the record that was searched for. */
  isFound?: boolean;
}

/** Shows a payload of any size. The worker fetches and lays it out; only visible lines are in the document. */
export function JsonViewer(props: JsonViewerProps) {
  return useHasPayloads() ? <Viewer {...props} /> : <NoPayloads />;
}

function Viewer({ label, url, pick = null, empty = null, isFound = true }: JsonViewerProps) {
  const find = useContext(FindContext);
  const scroller = useRef<HTMLDivElement>(null);
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
  const { doc, state, setState, fail } = payload;
  const isOpen = state !== null;
  const search = useDocumentSearch(payload, find.text, scroller);
  const latestSearch = useRef(search);
  latestSearch.current = search;
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    callPayloadWorker("wrap", { doc, columns }).then(
      (wrapped) => {
        if (!isCurrent) return;
        setState(wrapped);
        // The current match is in another line now.
        const { at, goTo } = latestSearch.current;
        if (at >= 0) goTo(at);
      },
      (reason: unknown) => isCurrent && fail(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [doc, columns, isOpen, setState, fail]);
  const isShown = !payload.error && !state?.isNull && search.text === find.text && find.text !== "";
  useFindTarget(frame, {
    field: isFound ? (parseOneOf(SEARCH_FIELDS, pick) ?? null) : null,
    count: isShown ? (isOpen ? search.count : null) : 0,
    reveal: search.goTo,
  });
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
        <Lines
          key={doc}
          label={label}
          doc={doc}
          state={state}
          search={search}
          scroller={scroller}
          onState={setState}
          onError={fail}
        />
      )}
    </div>
  );
}

interface LinesProps {
  label: string;
  doc: number;
  state: DocumentState;
  search: ReturnType<typeof useDocumentSearch>;
  scroller: RefObject<HTMLDivElement | null>;
  onState: (state: DocumentState) => void;
  onError: (reason: unknown) => void;
}

function Lines({ label, doc, state, search, scroller, onState, onError }: LinesProps) {
  const find = useContext(FindContext);
  const { first, end } = useVisibleRows(scroller, { count: state.lineCount, rowHeight: LINE_HEIGHT_PX });
  const [shown, setShown] = useState<{ from: number; lines: JsonLine[] }>({ from: 0, lines: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state means a new layout, even with the same line count, and a search means new marks
  useEffect(() => {
    let isCurrent = true;
    callPayloadWorker("lines", { doc, from: first, to: end }).then(
      (lines) => isCurrent && setShown({ from: first, lines }),
      (reason: unknown) => isCurrent && onError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [doc, first, end, state, search.text, search.count, search.at]);
  const isLong = state.lineCount > MIN_SEARCHABLE_LINES || search.text !== find.text;
  const onToggle = (node: number, isNested: boolean) =>
    void callPayloadWorker("toggle", { doc, node, isNested }).then(onState, onError);
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
              onChange={(event) => search.setText(event.target.value)}
              onKeyDown={(event) => event.key === "Enter" && search.step(event.shiftKey ? -1 : 1)}
              className={`${inputStyle} min-h-7 max-w-44 text-xs`}
            />
            {search.text && (
              <span role="status" className="whitespace-nowrap text-xs text-muted">
                {search.at >= 0 ? `${(search.at + 1).toLocaleString("en")} of ` : ""}
                {(search.count ?? 0).toLocaleString("en")}
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
              onToggle={onToggle}
            />
          ))}
        </div>
      </section>
    </div>
  );
}
