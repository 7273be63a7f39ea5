import type { Ref } from "react";
import { Kbd } from "../../ui/badges.tsx";
import { inputStyle } from "../../ui/controls/field.tsx";
import { SegmentedControl } from "../../ui/controls/segmented-control.tsx";
import { Pill } from "../../ui/pill.tsx";
import type { QuickSearch } from "../model/quick-searches.ts";
import { VIEWS, type View } from "../model/trace-search-params.ts";

interface TreeToolbarProps {
  text: string;
  onText: (text: string) => void;
  onStep: (step: 1 | -1) => void;
  /** Number of the selected match (0 for none) and of all matches; null without a search. */
  match: { at: number; count: number } | null;
  /** The search of the payloads; null if it is not needed or complete. */
  payloadSearch: { text: string; onRetry?: (() => void) | undefined } | null;
  /** Opens what was found outside the tree; undefined if nothing was. */
  onOutside: (() => void) | undefined;
  errorCount: number;
  /** How many reasons there are, at rows of the tree, why the run is bad. */
  badCount: number;
  /** Whether something failed, so that the decisions before it can be shown alone. */
  hasError: boolean;
  quickSearch: QuickSearch | undefined;
  onQuickSearch: (quickSearch: QuickSearch | undefined) => void;
  isZoomed: boolean;
  onZoomOut: () => void;
  folding: { isOn: boolean; onChange: (isOn: boolean) => void } | null;
  view: View;
  onView: (view: View) => void;
  field: Ref<HTMLInputElement>;
}

/** Search, quick searches and view options of the tree. */
export function TreeToolbar(props: TreeToolbarProps) {
  const { text, onText, onStep, match, errorCount, quickSearch, onQuickSearch, folding } = props;
  const toggle = (search: QuickSearch) => () => onQuickSearch(quickSearch === search ? undefined : search);
  return (
    <search className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-4 py-2 max-sm:px-2.5">
      <div className="relative w-56 max-w-full max-2xl:w-36 max-sm:min-w-0 max-sm:flex-1">
        <input
          ref={props.field}
          type="search"
          aria-label="Find in trace"
          placeholder="Find in trace"
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            onStep(event.shiftKey ? -1 : 1);
          }}
          className={`${inputStyle} min-h-8 pr-8 text-sm`}
        />
        {!text && (
          <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center">
            <Kbd>/</Kbd>
          </span>
        )}
      </div>
      <div className="relative flex min-w-0 items-center gap-1.5 max-sm:order-2 max-sm:w-full max-sm:overflow-x-auto max-sm:py-0.5 sm:flex-wrap md:min-w-[min(16rem,100%)] md:flex-1">
        {match && (
          <span className="flex items-center gap-1 text-xs text-muted">
            <span role="status" className="whitespace-nowrap">
              {match.count === 0
                ? props.payloadSearch || props.onOutside
                  ? "0"
                  : "No matches"
                : `${match.at > 0 ? `${match.at.toLocaleString("en")} of ` : ""}${match.count.toLocaleString("en")}`}
            </span>
            <Pill label="Previous match" isDisabled={match.count === 0} onClick={() => onStep(-1)}>
              ↑
            </Pill>
            <Pill label="Next match" isDisabled={match.count === 0} onClick={() => onStep(1)}>
              ↓
            </Pill>
            {props.onOutside && <Pill onClick={props.onOutside}>In the trace itself</Pill>}
          </span>
        )}
        <Pill
          isPressed={quickSearch === "errors"}
          isDisabled={errorCount === 0}
          onClick={toggle("errors")}
          hotkey="e"
        >
          {errorCount === 0 ? "No errors" : `Errors ${errorCount.toLocaleString("en")}`}
        </Pill>
        {props.badCount > 0 && (
          <Pill
            isPressed={quickSearch === "bad"}
            onClick={toggle("bad")}
            {...(errorCount === 0 && { hotkey: "e" })}
          >
            {`Bad scores ${props.badCount.toLocaleString("en")}`}
          </Pill>
        )}
        {props.hasError && (
          <Pill isPressed={quickSearch === "blame"} onClick={toggle("blame")} hotkey="b">
            Path to the error
          </Pill>
        )}
        <Pill isPressed={quickSearch === "critical"} onClick={toggle("critical")} hotkey="c">
          Critical path
        </Pill>
        <Pill isPressed={quickSearch === "slowest"} onClick={toggle("slowest")}>
          Slowest
        </Pill>
        <Pill isPressed={quickSearch === "costliest"} onClick={toggle("costliest")}>
          Costliest
        </Pill>
        {folding && (
          <Pill isPressed={folding.isOn} onClick={() => folding.onChange(!folding.isOn)}>
            Fold idle time
          </Pill>
        )}
        {props.isZoomed && <Pill onClick={props.onZoomOut}>Reset zoom</Pill>}
        {match && props.payloadSearch && (
          // Last, and only after a while, so that the buttons stay where they are.
          <span className="animate-[fade-in_0s_600ms_both] whitespace-nowrap text-xs text-muted">
            {props.payloadSearch.text}
          </span>
        )}
        {match && props.payloadSearch?.onRetry && <Pill onClick={props.payloadSearch.onRetry}>Retry</Pill>}
      </div>
      <div className="ml-auto">
        <SegmentedControl label="View" options={VIEWS} value={props.view} onChange={props.onView} />
      </div>
    </search>
  );
}
