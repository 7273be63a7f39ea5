import type { JsonLine, TokenKind } from "./json-document.ts";

const COLORS: Record<TokenKind, string> = {
  text: "text-chain",
  number: "text-llm",
  keyword: "text-tool",
  bracket: "text-muted",
  note: "text-accent",
};
const DEPTH_MAX = 16;

interface JsonLineViewProps {
  line: JsonLine;
  top: number;
  /** What is looked for, if anything. */
  marked: string;
  onToggle: (node: number, isNested: boolean) => void;
}

export function JsonLineView({ line, top, marked, onToggle }: JsonLineViewProps) {
  return (
    <div
      className="absolute inset-x-0 flex h-5 items-center whitespace-pre pr-2 leading-5"
      style={{ top, paddingLeft: 6 + Math.min(line.depth, DEPTH_MAX) * 14 }}
    >
      {line.fold ? (
        <button
          type="button"
          aria-expanded={line.fold === "open"}
          aria-label={line.fold === "open" ? "Fold" : "Unfold"}
          className="grid h-5 w-5 shrink-0 place-items-center text-[9px] text-muted hover:text-text"
          onClick={() => onToggle(line.node, false)}
        >
          {line.fold === "open" ? "▼" : "▶"}
        </button>
      ) : (
        <span className="w-5 shrink-0" />
      )}
      {line.name !== null && (
        <span className="shrink-0 text-agent">
          <Marked text={line.name} marked={marked} />
          <span className="text-muted">: </span>
        </span>
      )}
      <span className={`min-w-0 overflow-hidden text-ellipsis ${COLORS[line.kind]}`}>
        <Marked text={line.token} marked={marked} />
      </span>
      {line.nested && (
        <button
          type="button"
          className="ml-2 shrink-0 rounded border border-line bg-bg px-1 font-sans text-[11px] leading-4 text-muted hover:text-text"
          onClick={() => onToggle(line.node, true)}
        >
          {line.nested === "text" ? "Show as JSON" : "Show as text"}
        </button>
      )}
    </div>
  );
}

function Marked({ text, marked }: { text: string; marked: string }) {
  const at = marked ? text.toLowerCase().indexOf(marked.toLowerCase()) : -1;
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-sm bg-retry text-bg">{text.slice(at, at + marked.length)}</mark>
      {text.slice(at + marked.length)}
    </>
  );
}
