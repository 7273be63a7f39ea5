import { Fragment } from "react";
import { MARK, MARK_CURRENT } from "../../ui/intervals/mark-style.ts";
import { MaskedText } from "../masked/masked-text.tsx";
import type { JsonLine, Mark, TokenKind } from "./json-document.ts";

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
  onToggle: (node: number, isNested: boolean) => void;
}

export function JsonLineView({ line, top, onToggle }: JsonLineViewProps) {
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
          <Highlighted text={line.name} marks={line.nameMarks} />
          <span className="text-muted">: </span>
        </span>
      )}
      <span className={`min-w-0 overflow-hidden text-ellipsis ${COLORS[line.kind]}`}>
        <Highlighted text={line.token} marks={line.tokenMarks} />
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

function Highlighted({ text, marks }: { text: string; marks: Mark[] }) {
  if (marks.length === 0) return <MaskedText text={text} />;
  return (
    <>
      {marks.map(({ from, to, isCurrent }, index) => (
        <Fragment key={from}>
          <MaskedText text={text.slice(marks[index - 1]?.to ?? 0, from)} />
          <mark data-current={isCurrent || undefined} className={isCurrent ? MARK_CURRENT : MARK}>
            {text.slice(from, to)}
          </mark>
        </Fragment>
      ))}
      <MaskedText text={text.slice(marks.at(-1)?.to)} />
    </>
  );
}
