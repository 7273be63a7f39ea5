import { Link } from "@tanstack/react-router";
import type { TraceRow } from "@whytrace/contract";
import { paths } from "../paths.ts";
import { Button, buttonStyle } from "../ui/button.tsx";
import type { Marks } from "./toggle-mark.ts";

interface MarkedBarProps {
  marks: Marks;
  rows: readonly TraceRow[];
  onClear: () => void;
}

/** The traces that are marked, and a button that compares them. */
export function MarkedBar({ marks: { compareA, compareB }, rows, onClear }: MarkedBarProps) {
  if (compareA === undefined) return null;
  const nameOf = (id: string) => rows.find((row) => row.id === id)?.name ?? id;
  return (
    <section
      aria-label="Marked traces"
      className="sticky bottom-0 z-[2] flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-t border-accent bg-bg px-4 py-2"
    >
      <p aria-live="polite" className="min-w-0 flex-1">
        <span className="font-semibold">A</span> {nameOf(compareA)}
        {compareB === undefined ? (
          <span className="text-muted"> · Mark another trace with x to compare them</span>
        ) : (
          <>
            {" · "}
            <span className="font-semibold">B</span> {nameOf(compareB)}
          </>
        )}
      </p>
      <Button onClick={onClear}>Clear marks</Button>
      <Link
        to={paths.compare}
        search={compareB === undefined ? { a: compareA } : { a: compareA, b: compareB }}
        className={buttonStyle("primary")}
      >
        {compareB === undefined ? "Compare with a similar trace" : "Compare"}
      </Link>
    </section>
  );
}
