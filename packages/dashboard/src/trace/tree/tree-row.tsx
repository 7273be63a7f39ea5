// biome-ignore-all lint/a11y/useSemanticElements: a virtual list must position its rows, which a table cannot
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and refers to the active row

import { optionName, type SearchHit } from "@whytrace/contract";
import { memo } from "react";
import { typeLabel } from "../../ui/badges.tsx";
import { formatCost, formatCount, formatExact } from "../../ui/format/format.ts";
import { DecisionIcon, SpanIcon } from "../../ui/node-icons.tsx";
import { tintedStyle } from "../../ui/tinted-style.ts";
import type { BlamePath, RailMark } from "../model/blame-path.ts";
import type { CriticalSegment } from "../model/critical-path.ts";
import type { TreeRow } from "../model/flatten-rows.ts";
import type { TimeScale } from "../model/time-scale.ts";
import type { Zoom } from "../model/time-ticks.ts";
import type { GroupNode, SpanNode, TreeItem } from "../model/trace-tree.ts";
import { BlameRates } from "./blame-rates.tsx";
import { HitsBadge } from "./hits-badge.tsx";
import { OutcomeThumb, OutcomeWords } from "./outcome-mark.tsx";
import { RailCell } from "./rail-cell.tsx";
import { WaterfallCell } from "./waterfall-cell.tsx";

const MAX_INDENT_LEVELS = 9;

interface TreeRowViewProps {
  id: string;
  row: TreeRow;
  index: number;
  rowHeight: number;
  isSelected: boolean;
  isHighlighted: boolean;
  /** Whether this is the suspect that the keys went to. */
  isMarked: boolean;
  hits: SearchHit[] | undefined;
  /** What was bad here, by the outcome of the run. */
  badWords: string[] | undefined;
  criticalSegment: CriticalSegment | undefined;
  blame: BlamePath | undefined;
  rail: RailMark | undefined;
  scale: TimeScale;
  zoom: Zoom;
  onPick: (item: TreeItem) => void;
  onToggle: (item: TreeItem) => void;
}

export const TreeRowView = memo(function TreeRowView(props: TreeRowViewProps) {
  const { row, index, rowHeight, isSelected, isHighlighted, isMarked, blame, rail, onPick, onToggle } = props;
  const { item, level, isExpanded } = row;
  const background = isSelected
    ? "bg-[color-mix(in_oklab,var(--color-accent)_11%,var(--color-bg))] shadow-[inset_3px_0_var(--color-accent)]"
    : isMarked
      ? "bg-[color-mix(in_oklab,var(--color-error)_10%,var(--color-bg))] shadow-[inset_3px_0_var(--color-error)]"
      : isHighlighted
        ? "bg-[color-mix(in_oklab,var(--color-retry)_13%,transparent)] shadow-[inset_3px_0_var(--color-retry)]"
        : typeof rail?.mark === "number"
          ? "bg-[color-mix(in_oklab,var(--color-retry)_6%,var(--color-bg))]"
          : rail?.mark || props.badWords
            ? "bg-[color-mix(in_oklab,var(--color-error)_9%,var(--color-bg))]"
            : "hover:bg-panel/70";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys
    <div
      role="row"
      id={props.id}
      aria-rowindex={index + 2}
      aria-level={level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={isExpanded ?? undefined}
      aria-selected={isSelected}
      aria-current={isMarked || undefined}
      data-key={item.key}
      onClick={() => onPick(item)}
      onDoubleClick={() => isExpanded !== null && onToggle(item)}
      className={`tree-columns absolute inset-x-0 cursor-default [contain:strict] border-b border-line/50 ${background}`}
      style={tintedStyle(typeOf(item), { top: index * rowHeight, height: rowHeight })}
    >
      <div
        role="gridcell"
        className={`relative flex h-full min-w-0 items-center gap-1.5 pr-2 ${blame ? "pl-9" : "pl-4"}`}
      >
        {rail && <RailCell rail={rail} />}
        <Indent level={level} />
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className={`grid h-full w-3.5 shrink-0 place-items-center text-[9px] text-muted hover:text-text ${isExpanded === null ? "invisible" : ""}`}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(item);
          }}
        >
          {isExpanded ? "▼" : "▶"}
        </button>
        <Name item={item} isSelected={isSelected} isShort={blame !== undefined} />
        {props.badWords && <OutcomeThumb words={props.badWords} />}
        {props.hits && <HitsBadge hits={props.hits} />}
        {row.foldedCount !== undefined && row.foldedCount > 0 && (
          <span className="shrink-0 rounded bg-sunken px-1 text-xs text-muted">
            +{row.foldedCount}
            <span className="sr-only"> hidden</span>
          </span>
        )}
      </div>
      <div role="gridcell" className="tree-metrics truncate pr-3 text-right text-xs text-muted">
        {blame && item.kind === "decision" ? (
          <BlameRates ranked={blame.suspects.get(item.key)} />
        ) : props.badWords ? (
          <OutcomeWords words={props.badWords} />
        ) : (
          <CostAndTokens item={item} />
        )}
      </div>
      <WaterfallCell
        item={item}
        isSelected={isSelected}
        criticalSegment={props.criticalSegment}
        scale={props.scale}
        zoom={props.zoom}
      />
    </div>
  );
});

const typeOf = (item: TreeItem) =>
  item.kind === "decision"
    ? item.decision.type
    : item.kind === "group"
      ? groupSpan(item).type
      : item.span.type;
const groupSpan = (group: GroupNode) => (group.items[0] as SpanNode).span;

/** Indents up to a depth that leaves room for the name; deeper levels are shown as a number. */
function Indent({ level }: { level: number }) {
  const shown = Math.min(level - 1, MAX_INDENT_LEVELS);
  return (
    <>
      {shown > 0 && (
        <span
          aria-hidden="true"
          className="h-full shrink-0 bg-[repeating-linear-gradient(90deg,var(--color-line)_0_1px,transparent_1px_var(--indent))]"
          style={{ width: `calc(${shown} * var(--indent))`, backgroundPositionX: 6 }}
        />
      )}
      {level - 1 > MAX_INDENT_LEVELS && (
        <span aria-hidden="true" className="shrink-0 rounded bg-sunken px-1 text-[10px] leading-4 text-muted">
          {level}
        </span>
      )}
    </>
  );
}

interface NameProps {
  item: TreeItem;
  isSelected: boolean;
  /** Of a decision, only the option is shown: its type is its colour. */
  isShort: boolean;
}

function Name({ item, isSelected, isShort }: NameProps) {
  if (item.kind === "decision") {
    const { type, chosen } = item.decision;
    return (
      <>
        <DecisionIcon isFilled={isSelected} />
        <span data-name className="truncate font-medium text-[var(--tint)]">
          <span className="sr-only">Decision: </span>
          <span className={isShort ? "sr-only" : ""}>{typeLabel(type)}: </span>
          {optionName(chosen)}
        </span>
      </>
    );
  }
  const span = item.kind === "group" ? groupSpan(item) : item.span;
  return (
    <>
      <SpanIcon />
      <span data-name className={`truncate ${span.status === "ERROR" ? "text-error" : ""}`} title={span.name}>
        {span.status === "ERROR" && (
          <>
            <span aria-hidden="true">✕ </span>
            <span className="sr-only">Error: </span>
          </>
        )}
        {span.name}
        <span className="sr-only">, {typeLabel(span.type)}</span>
      </span>
      {item.kind === "group" && (
        <span className="shrink-0 rounded bg-sunken px-1 text-xs font-medium text-muted">
          ×{item.items.length}
        </span>
      )}
      {item.kind === "span" && item.isUnfinished && (
        <span className="shrink-0 text-xs text-running">running</span>
      )}
      {item.kind === "span" && item.parentError && (
        <span
          title={
            item.parentError === "missing parent"
              ? `Parent span ${span.parentSpanId} is not in this trace`
              : "The parent spans form a cycle"
          }
          className="tinted shrink-0 rounded-[5px] px-1 text-xs [--tint:var(--color-retry)]"
        >
          {item.parentError}
        </span>
      )}
    </>
  );
}

function CostAndTokens({ item }: { item: TreeItem }) {
  if (item.kind === "decision") {
    if (!item.decision.alternativesKnown) return "options unknown";
    const count = item.decision.alternatives.length + 1;
    return `${count} ${count === 1 ? "option" : "options"}`;
  }
  if (item.costUsd === null && item.tokenCount === null) return "—";
  const isDerived = item.kind === "group" || (item.isCostDerived && item.costUsd !== null);
  return (
    <span title={item.tokenCount === null ? undefined : `${formatExact(item.tokenCount)} tokens`}>
      {formatCost(item.costUsd)}
      {isDerived && " Σ"} · {formatCount(item.tokenCount)}
    </span>
  );
}
