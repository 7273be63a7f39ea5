import type { ReactNode } from "react";
import { CELL, COLUMNS } from "./model/columns.ts";

interface PairProps {
  a: ReactNode;
  label: ReactNode;
  b: ReactNode;
}

/** A and B beside each other, and between them what they are. */
export function Pair({ a, label, b }: PairProps) {
  return (
    <div className={`${COLUMNS} py-1`}>
      <div className={`${CELL} col-start-2`}>{a && <Side name="A">{a}</Side>}</div>
      <div
        className={`${CELL} text-center text-xs text-muted max-md:order-first max-md:pb-1 max-md:pl-5 max-md:text-left`}
      >
        {label}
      </div>
      <div className={CELL}>{b && <Side name="B">{b}</Side>}</div>
    </div>
  );
}

/** Where A and B are below each other, their letters tell them apart. */
function Side({ name, children }: { name: "A" | "B"; children: ReactNode }) {
  return (
    <div className="max-md:grid max-md:grid-cols-[1.25rem_minmax(0,1fr)] max-md:items-center">
      <span className="text-xs font-semibold text-muted md:sr-only">{name}</span>
      {children}
    </div>
  );
}
