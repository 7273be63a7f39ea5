import type { ComparedLine } from "@whytrace/contract";
import { useEffect, useRef } from "react";
import { DecisionCell } from "./decision-cell.tsx";
import { CELL, COLUMNS } from "./model/columns.ts";
import { RELATION_WORDS } from "./model/relation-words.ts";

interface LineRowProps {
  line: ComparedLine;
  number: number;
  /** Whether its decision of the first run may explain what went wrong: the page opens there. */
  isSuspect: boolean;
  aId: string;
  bId: string;
}

/** One line of both runs. */
export function LineRow({ line, number, isSuspect, aId, bId }: LineRowProps) {
  const { relation, a, b, context } = line;
  const isSame = relation === "same";
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSuspect) element.current?.scrollIntoView({ block: "center" });
  }, [isSuspect]);
  return (
    <li
      ref={element}
      aria-current={isSuspect || undefined}
      {...(!isSame && { "data-difference": true })}
      className={`${COLUMNS} min-h-7 border-b border-line/60 focus-within:bg-panel ${isSuspect ? "bg-[color-mix(in_oklab,var(--color-error)_10%,var(--color-bg))] shadow-[inset_3px_0_var(--color-error)]" : ""}`}
    >
      <span className="pr-3 text-right text-xs text-muted tabular-nums max-md:row-span-3 max-md:self-start max-md:pt-2.5">
        {number}
      </span>
      <div className={CELL}>{a ? <DecisionCell side="A" traceId={aId} decision={a} isRow /> : <Gap />}</div>
      <div
        className={`${CELL} flex items-center justify-center gap-1.5 text-xs text-muted max-md:justify-start max-md:pl-5 max-md:pb-1`}
      >
        {isSame && (
          <span aria-hidden="true" className="text-completed">
            ✓
          </span>
        )}
        {isSame ? contextWords(context) : RELATION_WORDS[relation].short}
        {isSuspect && <span className="font-semibold text-error">suspect</span>}
      </div>
      <div className={`${CELL} ${isSame ? "max-md:hidden" : ""}`}>
        {b ? <DecisionCell side="B" traceId={bId} decision={b} isRow={!a} /> : <Gap />}
      </div>
    </li>
  );
}

/** `1 of 2 keys differ`. */
function contextWords(context: ComparedLine["context"]): string {
  if (!context || (context.keys === 0 && !context.isTruncated)) return "same";
  const { differing, keys, isTruncated } = context;
  if (isTruncated && differing === 0) return "same, context too large to compare";
  return differing === 0 ? "same context" : `${differing} of ${keys} ${keys === 1 ? "key" : "keys"} differ`;
}

/** The run made no decision here. */
function Gap() {
  return (
    <div
      aria-hidden="true"
      className="h-5 rounded bg-[repeating-linear-gradient(135deg,var(--color-sunken)_0_1px,transparent_1px_7px)] max-md:hidden"
    />
  );
}
