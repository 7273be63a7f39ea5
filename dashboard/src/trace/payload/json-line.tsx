import type { JsonLine, TokenKind } from "./json-document.ts";

const COLORS: Record<TokenKind, string> = {
  text: "text-chain",
  number: "text-llm",
  keyword: "text-tool",
  bracket: "text-muted",
  note: "text-accent",
};
const MAX_INDENT_DEPTH = 16;

interface JsonLineViewProps {
  line: JsonLine;
  top: number;
  /** The searched text, or an empty string. */
  query: string;
  onToggle: (node: number, isNested: boolean) => void;
}

export function JsonLineView({ line, top, query, onToggle }: JsonLineViewProps) {
  return (
    <div
      className="absolute inset-x-0 flex h-5 items-center whitespace-pre pr-2 leading-5"
      style={{ top, paddingLeft: 6 + Math.min(line.depth, MAX_INDENT_DEPTH) * 14 }}
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
          <Highlighted text={line.name} query={query} />
          <span className="text-muted">: </span>
        </span>
      )}
      <span className={`min-w-0 overflow-hidden text-ellipsis ${COLORS[line.kind]}`}>
        <Highlighted text={line.token} query={query} />
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

function Highlighted({ text, query }: { text: string; query: string }) {
  const at = query ? text.toLowerCase().indexOf(query.toLowerCase()) : -1;
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-sm bg-retry text-bg">{text.slice(at, at + query.length)}</mark>
      {text.slice(at + query.length)}
    </>
  );
}
