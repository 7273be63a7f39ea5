import type { ComparedContextKey } from "@whytrace/contract";
import { SegmentedControl } from "../ui/controls/segmented-control.tsx";
import { CELL, COLUMNS } from "./model/columns.ts";

interface ContextKeysProps {
  title: string;
  keys: ComparedContextKey[];
  /** Whether a context is too large to be compared completely. */
  isTruncated: boolean;
  areAllShown: boolean;
  onToggle: () => void;
}

/** The keys of two contexts beside each other: those that differ, those that are flagged, and if asked for the others. */
export function ContextKeys({ title, keys, isTruncated, areAllShown, onToggle }: ContextKeysProps) {
  const differing = keys.filter(({ isEqual }) => !isEqual).length;
  const shown = areAllShown ? keys : keys.filter(({ isEqual, namedIn }) => !isEqual || namedIn);
  const all = `All ${keys.length}`;
  return (
    <div className="pb-1">
      <div className="ml-[3px] flex flex-wrap items-center gap-x-2 gap-y-1 border-y border-line/60 bg-panel py-1 pl-[2.5625rem] pr-4 max-md:pl-7">
        <h3 className="text-xs font-semibold">{title}</h3>
        <span className="text-xs text-muted">
          {differing} of {keys.length} {keys.length === 1 ? "key" : "keys"}{" "}
          {differing === 1 ? "differs" : "differ"}
          {isTruncated && " (a context is too large to be compared completely)"}
        </span>
        <span className="ml-auto">
          <SegmentedControl
            label="Keys"
            options={["Differing", all]}
            value={areAllShown ? all : "Differing"}
            onChange={onToggle}
          />
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="py-1.5 pl-11 text-muted max-md:pl-8">
          {keys.length === 0 ? "A context is too large to be compared." : "All keys have the same values."}
        </p>
      ) : (
        shown.map((key) => <ContextKey key={key.key} contextKey={key} />)
      )}
    </div>
  );
}

const VALUE = "block rounded px-2.5 font-mono text-xs leading-5.5";

function ContextKey({ contextKey: { key, a, b, isEqual, namedIn } }: { contextKey: ComparedContextKey }) {
  const tint = (color: string) => (isEqual ? "" : color);
  return (
    <div className={`${COLUMNS} min-h-7 border-b border-line/60 py-0.5 last:border-0`}>
      <div className={`${CELL} col-start-2 max-md:row-start-2`}>
        <Value
          side="A"
          value={a}
          className={tint("bg-[color-mix(in_oklab,var(--color-error)_8%,var(--color-bg))]")}
        />
      </div>
      <div className={`${CELL} text-center font-mono text-xs max-md:row-start-1 max-md:text-left`}>
        {key || "(value)"}
      </div>
      <div className={`${CELL} flex flex-wrap items-center gap-x-2 max-md:row-start-3`}>
        <Value
          side="B"
          value={b}
          className={`${isEqual ? "" : "w-full"} ${tint("bg-[color-mix(in_oklab,var(--color-completed)_9%,var(--color-bg))]")}`}
        />
        {namedIn && (
          <span className="tinted rounded-[5px] px-1.5 text-xs font-semibold leading-5 [--tint:var(--color-retry)]">
            equal, and named in {namedIn.toUpperCase()}’s reasoning
          </span>
        )}
      </div>
    </div>
  );
}

function Value({ side, value, className }: { side: "A" | "B"; value: string | null; className: string }) {
  return (
    <span className={`${VALUE} ${className}`}>
      <span className="sr-only">{side}: </span>
      {value ?? <span className="font-sans text-muted">absent</span>}
    </span>
  );
}
